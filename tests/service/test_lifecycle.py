"""A server's life: health, reflection, a clean stop, restarts, idle games, and clear words where it cannot start."""

from __future__ import annotations

import asyncio
import gc
import logging
import sqlite3
from contextlib import aclosing
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from dragonhall.rules import GAMES
from dragonhall.server import ConfigError, Limits, Server, ServerConfig, StoreError, TlsFiles
from dragonhall.server import hub as hub_module
from dragonhall.server.store import lock as lock_module
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2, play_service_pb2
from dragonhall.wire import game_of
from tests.records.games import dragonisles_set
from tests.service.harness import Running, Seated, connected, dragonisles, dragons, dragons_interest, refused, running

SERVICES = [f"dragonhall.v1.{name}Service" for name in ("Game", "Play", "Record", "Sandbox")]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.mark.parametrize("service", ["", *SERVICES])
async def test_each_service_tells_its_health(server: Running, service: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(server.channel)
    assert (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status == SERVING


async def test_reflection_lists_the_services(server: Running) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    call = stub.ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    listed = [service.name for service in (await call.read()).list_services_response.service]
    assert set(SERVICES) < set(listed)
    await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICES[1]))
    assert (await call.read()).file_descriptor_response.file_descriptor_proto
    await call.done_writing()


async def test_a_stopping_server_ends_streams_finishes_answers_and_tells_its_health(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3)
        health: Any = health_pb2_grpc.HealthStub(server.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == SERVING
        stream = asyncio.create_task(server.watch_to_end(game.game_id))
        seat, prompt = await server.prompt(game)
        answer = asyncio.create_task(server.submit(game, seat, prompt.decision_id, 0))
        while (await server.game(game.game_id)).revision == 5:
            pass  # the answer is on its way, if not already there
        stopping = asyncio.create_task(server.server.stop())
        assert (await watch.read()).status == NOT_SERVING
        assert (await answer).revision == 6
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream
        assert refused(caught.value).reason == "SHUTTING_DOWN"
        await stopping
    async with running(tmp_path / "games.db") as server:
        assert (await server.game(game.game_id)).revision == 6


async def test_games_go_on_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        waiting = await server.create(3)
        game = await server.seated(3)
        for _ in range(5):
            seat, prompt = await server.prompt(game)
            await server.submit(game, seat, prompt.decision_id, 0)
        before = [await server.watch_first(game.game_id, token) for token in game.tokens]
        listed = await server.games.ListGames(game_service_pb2.ListGamesRequest())
    async with running(tmp_path / "games.db") as server:
        assert await server.games.ListGames(game_service_pb2.ListGamesRequest()) == listed
        assert [await server.watch_first(game.game_id, token) for token in game.tokens] == before
        await server.play_out(game)
        assert (await server.game(game.game_id)).status == game_pb2.GAME_STATUS_FINISHED
        await server.play_out(await server.fill(waiting))


async def test_idle_games_leave_memory_and_come_back(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", idle=timedelta(seconds=0.5)) as server:
        game = await server.seated(3)
        hub = server.server.hub
        stream = server.observe(game.game_id)
        first = await anext(stream)
        await asyncio.sleep(1.5)
        assert hub.games_in_memory == 1  # somebody watches
        await stream.aclose()
        async with asyncio.timeout(30):
            while hub.games_in_memory > 0:  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.02)
        assert await server.watch_first(game.game_id) == first
        assert hub.games_in_memory == 1


async def test_more_games_than_fit_leave_memory_unless_they_are_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "MIN_IDLE_SECONDS", 0.0)
    async with running(tmp_path / "games.db", limits=Limits(max_games_in_memory=5)) as server:
        watched = await server.create(3)
        async with aclosing(server.observe(watched.game.game_id)) as stream:
            await anext(stream)
            games = [await server.seated(3) for _ in range(30)]
            assert server.server.hub.games_in_memory <= 6
            await server.take(watched.game.game_id)
            assert (await anext(stream)).HasField("update")
        for game in games[:3]:
            await server.play_out(game)


async def test_streams_without_a_game_do_not_hold_up_a_stop(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", grace=timedelta(seconds=30)) as server:
        call: Any = server.play.Play()
        lobby: Any = server.games.WatchGames(game_service_pb2.WatchGamesRequest())
        await lobby.read()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(server.server.stop(), 5)
        for stream in (call, lobby):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stream.read()
            assert refused(caught.value).reason == "SHUTTING_DOWN"


async def test_answers_under_way_on_a_play_stream_are_told_before_it_ends(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(3)
        seat, prompt = await server.prompt(game)
        call: Any = server.play.Play()
        attach = play_service_pb2.AttachSeat(game_id=game.game_id, seat_token=game.tokens[seat])
        answer = play_service_pb2.PlayAnswer(decision_id=prompt.decision_id, action_index=0)
        live = await server.server.hub.game(game.game_id)
        await call.write(
            play_service_pb2.PlayRequest(
                commands=[
                    play_service_pb2.PlayCommand(channel=1, attach=attach),
                    play_service_pb2.PlayCommand(channel=1, command_id=7, answer=answer),
                ]
            )
        )
        while not live._operations and live.head.revision == 5:  # noqa: ASYNC110 - the moment is to be caught
            await asyncio.sleep(0)
        stopping = asyncio.create_task(server.server.stop())
        results: list[int] = []
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await collect_results(call, results)
        assert refused(caught.value).reason == "SHUTTING_DOWN"
        assert results == [7]
        await stopping


async def collect_results(call: Any, results: list[int]) -> None:
    """The command ids of all results until the stream ends."""
    while True:
        results += [message.command_id for message in (await call.read()).messages if message.HasField("result")]


async def test_a_port_in_use_is_a_clear_error(server: Running, tmp_path: Path) -> None:
    config = ServerConfig(listen=f"127.0.0.1:{server.port}", store=tmp_path / "other.db")
    with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{server.port}"):
        await Server(config).start()
    again = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "other.db"))
    await again.start()  # and the store was let go
    await again.stop()


async def refused_start(**config: Any) -> None:
    with pytest.raises((ConfigError, StoreError)):
        await Server(ServerConfig(**{"listen": "127.0.0.1:0", **config})).start()


async def test_a_server_that_does_not_start_leaves_no_store_behind(server: Running, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    bad = tmp_path / "bad.toml"
    bad.write_text("nonsense")
    await refused_start(store=folder / "games.db", listen=f"127.0.0.1:{server.port}")
    await refused_start(store=folder / "games.db", listen="nowhere")
    await refused_start(store=folder / "games.db", auth=bad)
    await refused_start(store=folder / "games.db", tls=TlsFiles(bad, bad))
    await refused_start(store=folder / "games.db", component_files=(("dragons", bad),))
    assert list(folder.iterdir()) == []


def test_a_lock_whose_file_was_removed_meanwhile_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a server that does not start, between the opening of the file and its locking."""
    store, lock, file = tmp_path / "games.db", lock_module._lock, tmp_path / "games.db.lock"

    def removed_before(fd: int) -> None:
        monkeypatch.setattr(lock_module, "_lock", lock)
        file.unlink()
        lock(fd)

    monkeypatch.setattr(lock_module, "_lock", removed_before)
    held = lock_module.StoreLock(store)
    with pytest.raises(StoreError, match="in use by another server"):
        lock_module.StoreLock(store)
    held.release()


async def test_a_store_that_was_there_stays_when_a_server_does_not_start(server: Running, tmp_path: Path) -> None:
    store = tmp_path / "other.db"
    async with running(store):
        pass
    await refused_start(store=store, listen=f"127.0.0.1:{server.port}")
    assert store.exists()
    async with running(store) as again:
        game_id = (await again.create(3)).game.game_id
    await refused_start(store=store, listen=f"127.0.0.1:{server.port}")
    async with running(store) as again:
        assert (await again.game(game_id)).game_id == game_id
    empty = tmp_path / "empty.db"
    empty.touch()
    await refused_start(store=empty, listen=f"127.0.0.1:{server.port}")
    assert empty.exists()


@pytest.mark.parametrize("listen", ["", "localhost", "localhost:", ":7350", "localhost:port", "localhost:65536"])
async def test_an_address_that_is_none_is_a_clear_error(tmp_path: Path, listen: str) -> None:
    with pytest.raises(ConfigError, match="give HOST:PORT"):
        await Server(ServerConfig(listen=listen, store=tmp_path / "games.db")).start()


async def test_two_servers_cannot_share_a_store(server: Running, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="in use by another server"):
        await Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "games.db")).start()
    assert (await server.create(3)).game.game_id


def _another_programs(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs(title TEXT)")
    connection.close()


def _of_the_future(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA application_id = 1147691372")
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _no_database(path: Path) -> None:
    path.write_text("Once upon a time there was a dragon. " * 100)


def _a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_another_programs, "another program's database"),
        (_of_the_future, "written by a newer Dragonhall"),
        (_no_database, "cannot be used as a store"),
        (_a_folder, "cannot be used as a store"),
    ],
)
async def test_a_file_that_is_no_store_of_ours_is_left_alone(tmp_path: Path, make: Any, words: str) -> None:
    path = tmp_path / "games.db"
    make(path)
    with pytest.raises(StoreError, match=words):
        await Server(ServerConfig(listen="127.0.0.1:0", store=path)).start()


async def test_a_store_in_a_missing_folder_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Make its folder exist"):
        await Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "nowhere" / "games.db")).start()


@pytest.mark.parametrize("options", [dragons(), dragons_interest(), dragonisles()], ids=game_of)
async def test_further_component_sets_are_served_beside_the_default(
    tmp_path: Path, options: games_pb2.GameOptions
) -> None:
    game, path = game_of(options), tmp_path / "mine.toml"
    path.write_text(MINE[game])
    async with running(tmp_path / "games.db", component_files=((game, path),)) as server:
        default, mine = (await server.catalogue())[game].component_sets
        assert (default.id, mine.id) == (GAMES[game].default_components().id, "mine")
        assert default.digest != mine.digest
        for set_id, played in (("", default), ("mine", mine)):
            seated = await server.seated(3, options=options, component_set_id=set_id)
            await server.play_out(seated)
            assert (await server.record(seated.game_id)).component_set == played


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("chess", "", "there is no game 'chess'"),
        ("dragons", "not toml", "mine.toml"),
        ("dragons", 'id = "x"\nversion = 1', "mine.toml"),
        ("dragons", None, "cannot be read"),
    ],
)
async def test_a_component_set_that_cannot_be_used_is_a_clear_error(
    tmp_path: Path, game: str, text: str | None, words: str
) -> None:
    path = tmp_path / "mine.toml"
    if text is not None:
        path.write_text(text)
    config = ServerConfig(listen="127.0.0.1:0", store=tmp_path / "games.db", component_files=((game, path),))
    with pytest.raises(ConfigError, match=words):
        await Server(config).start()


COMPONENTS = """
id = "mine"
version = 1
[cards]
cow = 10
sheep = 10
one_ring = 4
sword = 5
helmet = 5
shield = 5
breastplate = 5
crown = 6
scepter = 6
bracelet = 6
necklace = 6
pink_gem = 8
blue_gem = 6
polish = 8
[coin_cards]
1 = 4
2 = 4
3 = 3
4 = 2
5 = 1
"""


def _mine_of_dragons_interest() -> str:
    """The default set but for its id and a contract."""
    text = files("dragonhall.rules.dragons_interest").joinpath("dragons_interest.toml").read_text(encoding="utf-8")
    return text.replace('id = "dragons-interest-default"', 'id = "mine"').replace("numbers = [4, ", "numbers = [3, ")


MINE = {
    "dragons": COMPONENTS,
    "dragons_interest": _mine_of_dragons_interest(),
    "dragonisles": dragonisles_set(),
}
"""A set of one's own, by the game's name."""


async def test_logs_tell_what_happens_and_no_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "dragonhall.server"):
        async with running(tmp_path / "games.db") as server:
            game = await server.seated(3, request_id="the-request-id-of-a-test")
            await server.play_out(game)
            with pytest.raises(grpc.aio.AioRpcError):
                await server.submit(Seated(game.game_id, "", [game.host_token]), 0, 1, 0)
            record = await server.record(game.game_id)
    for event in ("store_opened", "serving", "game_created", "game_started", "game_over", "stopping", "stopped"):
        assert f"event={event}" in caplog.text
    for secret in (*game.tokens, game.host_token, record.seed.hex(), repr(record.seed), "the-request-id-of-a-test"):
        assert secret not in caplog.text


async def test_clients_may_come_and_go_over_many_connections(server: Running) -> None:
    game = await server.seated(3)
    for _ in range(10):
        async with connected(server.port) as channel:
            play: Any = channel.unary_stream(
                "/dragonhall.v1.PlayService/Observe",
                request_serializer=play_service_pb2.ObserveRequest.SerializeToString,
                response_deserializer=play_service_pb2.ObserveResponse.FromString,
            )
            call = play(play_service_pb2.ObserveRequest(game_id=game.game_id))
            assert (await call.read()).HasField("snapshot")
    await server.play_out(game)


async def test_who_asks_for_a_game_that_is_not_there_and_goes_away_leaves_no_error_behind(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    for i in range(5):
        asking = asyncio.create_task(server.server.hub.game(f"none {i}"))
        await asyncio.sleep(0)
        asking.cancel()
    with pytest.raises(grpc.aio.AioRpcError):
        await server.game("another")  # looked for after those: they have been looked for
    gc.collect()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
