"""The blocking client: it does what the asynchronous one does, from any thread, and leaves nothing behind."""

from __future__ import annotations

import _thread
import asyncio
import gc
import inspect
import pydoc
import re
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import chain
from random import Random
from typing import Any

import pytest

import dragonhall.client.sync
from dragonhall.client import (
    AttachedSeat,
    Client,
    ConnectionClosed,
    DragonhallError,
    Patience,
    PlayConnection,
    Seat,
    ServerUnavailable,
    asked,
    bot_seat,
    open_seat,
)
from dragonhall.client.sync import SyncAttachedSeat, SyncClient, SyncPlayConnection, SyncSeat
from dragonhall.v1 import game_pb2, play_service_pb2
from tests.client.games import DRAGONS, check_promises, seated_game
from tests.client.test_example import run_example
from tests.processes import BotProcess, ServerProcess

Observations = Iterable[play_service_pb2.ObserveResponse]


@pytest.fixture
def client(target: str) -> Iterator[SyncClient]:
    """Connected to the shared server; afterwards its thread has ended."""
    with SyncClient(target) as connected:
        yield connected
    assert background_threads() == []


def background_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "dragonhall client"]


def seated(client: SyncClient) -> list[SyncSeat]:
    """A running game, all seats taken here."""
    game_id = client.create_game(DRAGONS, [open_seat()] * 3).game.game_id
    return [client.take_seat(game_id, f"player {number}") for number in range(3)]


def play(observations: Observations, seat: SyncSeat | SyncAttachedSeat, rng: Random) -> list[Any]:
    """Plays at random to the game's end; returns all observations."""
    seen, answered = [], 0
    for observation in observations:
        seen.append(observation)
        decision = asked(observation)
        if decision is not None and decision.decision_id > answered:
            answered = decision.decision_id
            seat.submit(answered, action_index=rng.randrange(len(decision.legal_actions)))
    return seen


async def test_the_example_plays_a_game(target: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("bots")
    async with (
        BotProcess("greedy", "greedy", target, folder),
        BotProcess("random", "random", target, folder),
    ):
        results = await asyncio.to_thread(run_example, dragonhall.client.sync, target)
    assert (results.failed, results.attempted > 5) == (0, True)


def test_a_thread_for_each_seat_plays_a_game(client: SyncClient) -> None:
    seats = seated(client)
    with ThreadPoolExecutor(3) as threads:
        played = threads.map(lambda seat: play(seat.observe(), seat, Random(seat.number)), seats)
        for seen in played:
            check_promises(seen)
    assert client.get_game(seats[0].game_id).status == game_pb2.GAME_STATUS_FINISHED
    assert client.record(seats[0].game_id).game_id == seats[0].game_id


def test_a_play_connection_plays_a_game(client: SyncClient) -> None:
    seats = seated(client)
    with client.play() as connection, ThreadPoolExecutor(3) as threads:
        attached = [connection.attach(seat) for seat in seats]
        for seen in threads.map(lambda seat: play(seat, seat, Random(seat.channel)), attached):
            check_promises(seen)


async def test_it_works_where_an_event_loop_is_running(target: str) -> None:
    """As in a notebook."""
    with SyncClient(target) as client:
        rules = client.list_rules()
        async with Client(target) as other:
            assert await other.list_rules() == rules
            game_id = (await seated_game(other))[0].game_id
            assert next(client.observe(game_id)).snapshot.game.game_id == game_id


@pytest.mark.parametrize(
    ("blocking", "original"),
    [
        (SyncClient, Client),
        (SyncSeat, Seat),
        (SyncPlayConnection, PlayConnection),
        (SyncAttachedSeat, AttachedSeat),
    ],
)
def test_every_method_has_its_blocking_one_with_the_same_arguments(
    blocking: type[object], original: type[object]
) -> None:
    inner = {"attach_command", "receive", "end", "is_ended_by", "submit", "detach"}  # between the client's own parts
    names = {name for name in vars(original) if not name.startswith("_") and callable(getattr(original, name))}
    if original is PlayConnection or original is AttachedSeat:
        names -= inner
    assert names
    for name in sorted(names | {"__init__"} if original is Client else names):
        ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (blocking, original))
        assert _arguments(ours) == _arguments(theirs), name


def _arguments(signature: inspect.Signature) -> list[tuple[str, object, object]]:
    return [(one.name, one.kind, one.default) for one in signature.parameters.values()]


@pytest.mark.parametrize("kind", [SyncClient, SyncSeat, SyncPlayConnection, SyncAttachedSeat])
def test_help_tells_of_what_blocks_alone(kind: type[object]) -> None:
    said = pydoc.plain(pydoc.render_doc(kind))
    assert not re.search(r"Async[A-Z]|[Cc]oroutine|\b(async|await)\b", said)
    assert not re.search(
        r"(?<!\w)`(Client|Seat|PlayConnection|AttachedSeat)\b|-> '(Seat|PlayConnection|AttachedSeat)", said
    )


def test_signatures_name_the_blocking_classes() -> None:
    def signature(method: object) -> str:
        assert callable(method)
        return str(inspect.signature(method))

    assert signature(SyncClient.list_games).endswith(" -> 'SyncStream[game_pb2.Game]'")
    assert signature(SyncClient.find_game).endswith(" -> 'SyncSeat'")
    assert signature(SyncClient.get_game).endswith(" -> 'game_pb2.Game'")
    assert signature(SyncClient.play).endswith(" -> 'SyncPlayConnection'")
    assert signature(SyncPlayConnection.attach).startswith("(self, seat: 'SyncSeat', ")
    assert "`SyncSeat.observe`" in str(SyncClient.observe.__doc__)
    assert "a context manager" in str(SyncClient.play.__doc__)
    assert not inspect.iscoroutinefunction(SyncClient.get_game)


def test_errors_are_the_same(client: SyncClient) -> None:
    with pytest.raises(DragonhallError, match="GAME_NOT_FOUND"):
        client.get_game("no-such-game")
    with pytest.raises(DragonhallError, match="GAME_NOT_FOUND"):
        next(client.observe("no-such-game"))
    with pytest.raises(ValueError, match="action_index or action"):
        seated(client)[0].submit(1)


def test_patience_ends() -> None:
    patience = Patience(give_up_after=timedelta(seconds=0.3))
    with SyncClient("127.0.0.1:1", patience=patience) as client, pytest.raises(ServerUnavailable):
        client.list_rules()


def test_a_list_is_an_iterator_over_all_pages(client: SyncClient) -> None:
    created = [client.create_game(DRAGONS, [bot_seat("sync")] * 3).game.game_id for _ in range(3)]
    assert [game.game_id for game in client.list_games(reserved_for="sync")] == created[::-1]


def test_a_wait_that_takes_too_long_loses_nothing(client: SyncClient) -> None:
    with client.watch_games(reserved_for="late") as lobby:
        assert not lobby.next(timedelta(seconds=30)).HasField("game")
        with pytest.raises(TimeoutError):
            lobby.next(timedelta(seconds=0.1))
        created = client.create_game(DRAGONS, [bot_seat("late")] * 3)
        assert next(lobby).game.game_id == created.game.game_id
    assert list(lobby) == []


def interrupted(work: Callable[[], object]) -> None:
    """Does ``work``, and presses Ctrl-C half a second later."""
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        timer.join()


def test_ctrl_c_ends_a_wait_for_a_stream_and_loses_nothing(client: SyncClient) -> None:
    seats = seated(client)
    streams = [seat.observe() for seat in seats]
    firsts = [next(stream).snapshot for stream in streams]
    decision = next(first.decision for first in firsts if first.HasField("decision"))
    asking = next(first.seat for first in firsts if first.HasField("decision"))
    interrupted(lambda: next(streams[0]))
    answer = seats[asking].submit(decision.decision_id, action_index=0)
    assert next(streams[0]).revision == answer.revision


def test_ctrl_c_ends_a_call() -> None:
    began = time.monotonic()
    with SyncClient("127.0.0.1:1") as client:
        interrupted(client.list_rules)
        assert time.monotonic() - began < 5.0
        interrupted(client.list_rules)  # and the client is as good as before
    assert background_threads() == []


def test_closing_ends_what_other_threads_wait_for(target: str) -> None:
    client = SyncClient(target)
    seats = seated(client)
    observing = seats[0].observe()
    next(observing)
    ended: list[str] = []

    def wait_for_more() -> None:
        try:
            list(chain(observing, observing))
        except ConnectionClosed:
            ended.append("told so")

    waiting = threading.Thread(target=wait_for_more)
    waiting.start()
    time.sleep(0.2)
    client.close()
    waiting.join(10.0)
    assert ended == ["told so"]
    for call in (client.list_rules, lambda: next(seats[0].observe())):
        with pytest.raises(ConnectionClosed):
            call()
    client.close()


def test_a_closed_client_does_not_close_another(target: str) -> None:
    with SyncClient(target) as other:
        with SyncClient(target) as client:
            client.list_rules()
            assert len(background_threads()) == 1
        assert other.list_rules()
        with pytest.raises(ConnectionClosed):
            client.list_rules()
    assert background_threads() == []


def test_a_forgotten_client_is_closed(target: str) -> None:
    client = SyncClient(target)
    next(client.watch_games())
    del client
    gc.collect()
    assert background_threads() == []


def test_a_callback_that_would_wait_for_itself_is_told_so() -> None:
    told: list[BaseException] = []

    def call_back(tried_for: timedelta, cause: str) -> None:
        try:
            calling.list_rules()
        except RuntimeError as error:
            told.append(error)

    patience = Patience(give_up_after=timedelta(seconds=0.5), on_failure=call_back)
    with SyncClient("127.0.0.1:1", patience=patience) as calling, pytest.raises(ServerUnavailable):
        calling.list_rules()
    assert "would wait for itself" in str(told[0]), "".join(traceback.format_exception(told[0]))


FORGETFUL = """
import sys
from dragonhall.client.sync import SyncClient
client = SyncClient(sys.argv[1])
stream = client.watch_games()
next(stream)
print("watching", flush=True)
"""


def test_a_script_that_closes_nothing_ends_well(target: str) -> None:
    done = subprocess.run([sys.executable, "-c", FORGETFUL, target], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "watching\n", "")


async def test_a_game_goes_on_over_a_kill_of_the_server(server: ServerProcess) -> None:
    def play_all() -> list[list[Any]]:
        with SyncClient(server.target) as client:
            seats = seated(client)
            under_way.set()
            with ThreadPoolExecutor(3) as threads:
                return list(threads.map(lambda seat: play(seat.observe(), seat, Random(seat.number)), seats))

    under_way = threading.Event()
    playing = asyncio.create_task(asyncio.to_thread(play_all))
    await asyncio.to_thread(under_way.wait)
    await server.restart()
    for seen in await playing:
        check_promises(seen)
