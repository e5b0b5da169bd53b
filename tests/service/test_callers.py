"""Who calls: API keys, what each caller may do, and what holds for those who show nothing."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.server import ConfigError, Limits, Server, ServerConfig, identity
from dragonhall.server.identity import auth_file, callers
from dragonhall.server.identity.auth_file import AuthFile, read_auth_file
from dragonhall.server.identity.keys import new_key, stanza
from dragonhall.server.services import game_service, play_service, rpc
from dragonhall.v1 import game_service_pb2, play_service_pb2
from tests.service.harness import OPEN, Running, dragons, refused, reserved, running

WEB, BOTS = new_key(), new_key()


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


AUTH = f"""
[[caller]]
name = "web"
key_sha256 = "{hashed(WEB)}"

[[caller]]
name = "bots"
key_sha256 = ["{"0" * 64}", "{hashed(BOTS)}"]
create = false
bots = ["greedy", "random"]
"""


def bearer(key: str) -> Any:
    """The metadata that shows a key or token."""
    return (("authorization", f"Bearer {key}"),)


@asynccontextmanager
async def knowing(folder: Path, text: str = AUTH, **settings: Any) -> AsyncIterator[Running]:
    """A server that knows callers."""
    path = folder / "auth.toml"
    path.write_text(text)
    async with running(folder / "games.db", auth=path, **settings) as server:
        yield server


def create(server: Running, metadata: Any = (), bot: str = "greedy") -> Any:
    request = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN, OPEN, reserved(bot)])
    return server.games.CreateGame(request, metadata=metadata)


async def reason(call: Any) -> tuple[str, dict[str, str]]:
    """Why it is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    refusal = refused(caught.value)
    return refusal.reason, refusal.metadata


async def test_a_key_gives_what_its_caller_may_do(tmp_path: Path) -> None:
    async with knowing(tmp_path) as server:
        game_id = (await create(server, bearer(WEB))).game.game_id
        assert await reason(create(server, bearer(BOTS))) == ("NOT_ALLOWED", {"permission": "create"})
        assert await reason(create(server)) == ("NOT_ALLOWED", {"permission": "create"})
        take = game_service_pb2.TakeSeatRequest(game_id=game_id, player_name="B", bot_name="greedy")
        for metadata in ((), bearer(WEB)):
            refusal = await reason(server.games.TakeSeat(take, metadata=metadata))
            assert refusal == ("NOT_ALLOWED", {"permission": "bot", "game_id": game_id})
        assert (await server.games.TakeSeat(take, metadata=bearer(BOTS))).seat == 2
        # What the auth file does not name is anyone's.
        other = (await create(server, bearer(WEB), bot="mine")).game.game_id
        take = game_service_pb2.TakeSeatRequest(game_id=other, player_name="B", bot_name="mine")
        assert (await server.games.TakeSeat(take)).seat == 2


async def test_tokens_of_a_game_need_no_credentials(tmp_path: Path) -> None:
    async with knowing(tmp_path) as server:
        created = await server.games.CreateGame(
            game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN] * 3), metadata=bearer(WEB)
        )
        game = await server.fill(created)
        await server.play_out(game)
        assert (await server.record(game.game_id)).game_id == game.game_id


@pytest.mark.parametrize(
    "authorization",
    [
        f"Bearer {new_key()}",
        "Bearer nonsense",
        "Bearer",
        "Bearer ",
        "",
        "Basic d2ViOndlYg==",
        WEB,
        "Bearer a.b.c",
        f"Bearer {'x' * 5000}",
    ],
    ids=["another key", "no key", "nothing", "a blank", "empty", "another scheme", "no scheme", "a token", "too long"],
)
async def test_bad_credentials_are_never_taken_for_none(tmp_path: Path, authorization: str) -> None:
    metadata: Any = (("authorization", authorization),)
    async with knowing(tmp_path, AUTH + "[anonymous]\ncreate = true\n") as server:
        calls = [
            create(server, metadata),
            server.games.ListGames(game_service_pb2.ListGamesRequest(), metadata=metadata),
            server.play.Observe(play_service_pb2.ObserveRequest(game_id="any"), metadata=metadata).read(),
            server.play.Play(metadata=metadata).read(),
        ]
        for call in calls:
            assert (await reason(call))[0] == "CREDENTIALS_INVALID"
        assert (await create(server)).game.game_id


async def test_two_credentials_are_not_one(tmp_path: Path) -> None:
    async with knowing(tmp_path) as server:
        assert (await reason(create(server, bearer(WEB) + bearer(BOTS))))[0] == "CREDENTIALS_INVALID"


async def test_a_server_without_an_auth_file_lets_anyone_create(server: Running) -> None:
    assert (await create(server)).game.game_id
    assert (await create(server, bearer("whatever"))).game.game_id, "it knows nobody, and so cannot tell who this is"


async def test_each_call_and_stream_has_its_own_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller is kept in a context variable, so this is what everything else rests on: calls that run at the same
    time over one connection, each waiting for the others, all of them see their own, before and after."""
    seen: list[tuple[str, str]] = []
    together = asyncio.Barrier(6)

    async def meet() -> None:
        before = rpc.caller().name
        async with asyncio.timeout(30):
            await together.wait()
            await asyncio.create_task(asyncio.sleep(0))
            await together.wait()
        seen.append((before, await asyncio.create_task(_name())))

    async def _name() -> str:
        return rpc.caller().name

    async def unary(*_: Any) -> game_service_pb2.ListRulesResponse:
        await meet()
        return game_service_pb2.ListRulesResponse()

    async def stream(*_: Any) -> AsyncIterator[bytes]:
        await meet()
        yield b""

    async def play(*_: Any) -> None:
        await asyncio.create_task(meet())

    monkeypatch.setattr(game_service.GameService, "list_rules", unary)
    monkeypatch.setattr(play_service.PlayService, "observe", stream)
    monkeypatch.setattr(play_service.PlayService, "play", play)
    async with knowing(tmp_path) as server:
        calls: list[Any] = []
        for key in (WEB, BOTS):
            calls.append(server.games.ListRules(game_service_pb2.ListRulesRequest(), metadata=bearer(key)))
            observe: Any = server.channel.unary_stream("/dragonhall.v1.PlayService/Observe")
            calls.append(observe(b"", metadata=bearer(key)).read())
            bidirectional: Any = server.channel.stream_stream("/dragonhall.v1.PlayService/Play")
            calls.append(bidirectional(metadata=bearer(key)).read())
        await asyncio.gather(*calls)
    assert sorted(seen) == [("bots", "bots")] * 3 + [("web", "web")] * 3
    assert rpc.caller().name == "anonymous", "and nothing is left behind"


async def test_a_changed_auth_file_holds_at_once_and_a_wrong_one_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "LOOK_EVERY_SECONDS", 0.02)
    fresh = new_key()
    async with knowing(tmp_path) as server:
        path = tmp_path / "auth.toml"
        caplog.set_level(logging.INFO, "dragonhall.server")
        path.write_text(AUTH.replace("[[caller]]", "[[coller]]"))
        await logged(caplog, "event=auth_file_refused")
        assert (await create(server, bearer(WEB))).game.game_id
        path.write_text(AUTH.replace(hashed(WEB), hashed(fresh)))
        await logged(caplog, "event=auth_file_read keys=3 ")
        assert (await create(server, bearer(fresh))).game.game_id
        assert (await reason(create(server, bearer(WEB))))[0] == "CREDENTIALS_INVALID"


async def test_a_server_that_is_told_to_reads_its_auth_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "LOOK_EVERY_SECONDS", 3600.0)
    async with knowing(tmp_path) as server:
        caplog.set_level(logging.INFO, "dragonhall.server")
        caplog.clear()
        server.server.reload()
        await logged(caplog, "event=auth_file_read keys=3 ")


async def test_an_auth_file_that_others_may_write_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "auth.toml"
    path.write_text(AUTH)
    for mode, warned in ((0o600, False), (0o644, False), (0o664, True)):
        path.chmod(mode)
        caplog.clear()
        callers.Callers(ServerConfig(store=tmp_path / "x", auth=path), b"secret")
        assert ("event=auth_file_exposed" in caplog.text) == warned


async def logged(caplog: pytest.LogCaptureFixture, words: str) -> None:
    """Until the server has logged it."""
    async with asyncio.timeout(30):
        while words not in caplog.text:  # noqa: ASYNC110 - a log tells nobody when it grows
            await asyncio.sleep(0.01)


WRONG = {
    "not TOML": ("[[caller", "auth.toml is not TOML"),
    "unknown table": ("[callers]", r"auth.toml: callers: is not known here; there are: anonymous, caller"),
    "unknown key": ('[[caller]]\nname="a"\ncertificate="c"\nmay = true', r"auth.toml: caller\[1\]: may: is not known"),
    "no name": ("[[caller]]", r"caller\[1\]: name: is needed"),
    "a bad name": ('[[caller]]\nname = "A B"', r"caller\[1\]: name: has to be a text of the form"),
    "a name twice": (
        '[[caller]]\nname="a"\ncertificate="c"\n[[caller]]\nname="a"',
        r"caller\[2\]: name: 'a' is another",
    ),
    "nothing to know it by": ('[[caller]]\nname = "a"', r"caller\[1\]: key_sha256: give this, or certificate"),
    "a key for a hash": (f'[[caller]]\nname = "a"\nkey_sha256 = "{WEB}"', r"key_sha256: has to be a text of the form"),
    "a hash twice": (stanza("a", WEB) + stanza("b", WEB), r"caller\[2\]: key_sha256: belongs to 'a' already"),
    "a flag that is none": ("[anonymous]\ncreate = 1", "anonymous: create: has to be true or false"),
    "a quota that is none": ("[anonymous]\ngames = -1", "anonymous: games: has to be a whole number from 0"),
    "a rate that is none": ("[anonymous]\nsubmits_per_second = 0", "submits_per_second: has to be a number above 0"),
    "a table for tables": ("[caller]", r"caller: has to be tables: write \[\[caller\]\]"),
    "tables for a table": ("[[anonymous]]", r"anonymous: has to be a table: write \[anonymous\]"),
    "OIDC for everyone": (
        '[oidc]\nissuer = "https://i"\nkeys = "https://i/keys"',
        "oidc: audience: is needed",
    ),
    "OIDC by plain text": (
        '[oidc]\nissuer = "i"\naudience = "a"\nkeys = "http://i/keys"',
        "oidc: keys: has to be a file or begin with https://",
    ),
    "OIDC keys that are not there": (
        '[oidc]\nissuer = "i"\naudience = "a"\nkeys = "keys.json"',
        "oidc: keys: there is no file .*keys.json",
    ),
    "OIDC with a shared secret": (
        '[oidc]\nissuer = "i"\naudience = "a"\nkeys = "https://i/keys"\nalgorithms = ["HS256"]',
        "oidc: algorithms: has to be a text of the form RS256",
    ),
}


@pytest.mark.parametrize("what", WRONG)
async def test_an_auth_file_that_is_wrong_names_the_place(tmp_path: Path, what: str) -> None:
    text, words = WRONG[what]
    path = tmp_path / "auth.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        await Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "games.db", auth=path)).start()
    assert WEB not in str(caught.value)


async def test_an_auth_file_that_is_missing_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the auth file .*auth.toml cannot be read: No such file"):
        read_auth_file(tmp_path / "auth.toml", Limits(), False)


def test_the_example_in_the_auth_files_description_is_one(tmp_path: Path) -> None:
    example = str(auth_file.__doc__).partition("TOML::\n")[2].partition("\nOnly hashes")[0]
    read = read_example(tmp_path, example.replace("617015e8…", hashed("dh_x")))
    assert read.keys[hashed("dh_x")].caller.name == "web"
    assert (read.anonymous.allowance.submits_burst, read.anonymous.caller.may_create) == (100, False)
    assert read.issuer
    assert read.anonymous.caller.refused_bots == {"greedy"}
    assert not read.certificates["web.example"].caller.refused_bots


def test_the_example_for_operators_is_one(tmp_path: Path) -> None:
    text = files(identity).joinpath("README.md").read_text(encoding="utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    read = read_example(tmp_path, example.replace('"…"', f'"{hashed("dh_x")}"'))
    assert read.keys[hashed("dh_x")].caller.name == "web"
    assert (read.anonymous.allowance.games, read.anonymous.caller.may_create) == (20, True)
    assert read.anonymous.caller.refused_bots == {"greedy", "random"}
    assert read.issuer
    assert read.issuer.permissions_claim == "scope"


def read_example(folder: Path, text: str) -> AuthFile:
    path = folder / "auth.toml"
    path.write_text(text)
    return read_auth_file(path, Limits(), False)


def test_anonymous_callers_are_told_apart_by_address_and_the_address_is_kept_nowhere(tmp_path: Path) -> None:
    known = callers.Callers(ServerConfig(store=tmp_path / "x"), b"secret")
    names = {address: known.anonymous(address).caller.name for address in ADDRESSES}
    assert len(set(names.values())) == 5
    assert names["2001:db8::1"] == names["2001:db8::2"] != names["2001:db8:0:1::1"]
    assert names["::ffff:192.0.2.1"] == names["192.0.2.1"]
    assert all("192" not in name and "2001" not in name for name in names.values())
    other_store = callers.Callers(ServerConfig(store=tmp_path / "x"), b"another")
    assert other_store.anonymous("192.0.2.1").caller.name != names["192.0.2.1"]


ADDRESSES = (
    *("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"),
    *("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"),
    "unix:",
)
