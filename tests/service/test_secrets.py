"""Secrets leave the server in the one answer that is for them, and in no other way: no log, no record, no file."""

from __future__ import annotations

import asyncio
import dataclasses
import importlib
import io
import logging
import pkgutil
import re
import time
import uuid
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import grpc
import pytest

import dragonhall.server
from dragonhall.server import ServerConfig
from dragonhall.server.hub import Hub
from dragonhall.server.identity.keys import new_key, stanza
from dragonhall.server.logs import OTHERS, OURS, set_up_logs, without_secrets
from dragonhall.v1 import game_pb2, game_service_pb2, play_service_pb2
from tests.service.certificates import Authority
from tests.service.harness import OPEN, Running, Seated, dragons, invited, reserved, running
from tests.service.jwks import ec_key, https_server
from tests.service.lobbying import PRIVATE, find, rematch
from tests.service.recording import RecordingChannel
from tests.service.test_callers import bearer

SEED = bytes(range(100, 132))


@pytest.fixture
def logging_as_it_was() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in (OURS, *OTHERS)]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
        logger.handlers, logger.level, logger.propagate = handlers, level, propagate


def secrets_in(message: Any) -> list[str]:
    """All fields of a message that its proto marks as secret, of its parts too."""
    found = []
    for field, value in message.ListFields():
        if field.message_type is None:
            if field.GetOptions().debug_redact:
                found.append(value if isinstance(value, str) else value.hex())
        elif field.message_type.GetOptions().map_entry:
            continue
        else:
            parts = value if field.is_repeated else [value]
            found += [secret for part in parts for secret in secrets_in(part)]
    return found


class NotingChannel(RecordingChannel):
    """Notes every secret that goes over the wire, whoever sends it."""

    def __init__(self, server: Running) -> None:
        super().__init__(server.channel.plain, server.port)
        self.secrets: set[str] = set()

    def unary_unary(self, method: str, *arguments: Any, **named: Any) -> Any:
        call = super().unary_unary(method, *arguments, **named)

        async def noting(request: Any, **kwargs: Any) -> Any:
            self.secrets.update(secrets_in(request))
            response = await call(request, **kwargs)
            self.secrets.update(secrets_in(response))
            return response

        return noting


async def lively(server: Running) -> None:
    """A bit of everything, much of it refused."""
    game = await server.seated(3, request_id=str(uuid.uuid4()), seed=SEED)
    rivals = await server.create([OPEN, invited(), reserved("mine")], settings=PRIVATE)
    code = rivals.invitations[0].code
    await server.take(rivals.game.game_id, invitation_code=code, request_id=str(uuid.uuid4()))
    await tried(server.take(rivals.game.game_id, seat=1, invitation_code=code))
    await tried(server.take(game.game_id, invitation_code=code))
    await find(server, request_id=str(uuid.uuid4()))
    stranger = Seated(game.game_id, "", [rivals.host_token, rivals.spectator_token, new_key() * 4])
    for seat in range(3):
        await tried(server.submit(stranger, seat, 1, 0))
        await tried(server.watch_first(game.game_id, stranger.tokens[seat]))
    seat, prompt = await server.prompt(game)
    await tried(server.submit(game, seat, prompt.decision_id, 10_000))
    await play_a_little(server, game)
    await server.play_out(game)
    await rematch(server, game.game_id, game.tokens[0])
    await tried(server.games.AbortGame(game_service_pb2.AbortGameRequest(game_id=game.game_id, host_token=code)))


async def play_a_little(server: Running, game: Seated) -> None:
    """One attach of each seat, with an answer that is wrong."""
    call: Any = server.play.Play()
    commands = []
    for seat, token in enumerate(game.tokens):
        attach = play_service_pb2.AttachSeat(game_id=game.game_id, seat_token=token)
        answer = play_service_pb2.PlayAnswer(decision_id=999, action_index=0)
        commands.append(play_service_pb2.PlayCommand(channel=seat, attach=attach))
        commands.append(play_service_pb2.PlayCommand(channel=seat, command_id=1, answer=answer))
    await call.write(play_service_pb2.PlayRequest(commands=commands))
    await call.done_writing()
    async for _ in call:
        pass


async def tried(attempt: Awaitable[Any]) -> None:
    """Refused or not."""
    with suppress(grpc.aio.AioRpcError):
        await attempt


async def credentials_of_all_kinds(server: Running, keys: list[str]) -> None:
    """Shown, good and bad, in all places where they can be."""
    request = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN] * 3)
    for key in keys:
        for metadata in (bearer(key), (("authorization", key),), (("authorization", f"Basic {key}"),)):
            await tried(server.games.CreateGame(request, metadata=metadata))
            call: Any = server.play.Play(metadata=metadata)
            await tried(call.done_writing())
            await tried(call.read())


async def faults(server: Running, patch: pytest.MonkeyPatch, some: set[str]) -> None:
    """The worst that can happen: exceptions that tell all they know, in our own code and in gRPC's hands."""

    def broken(*_: object) -> None:
        raise RuntimeError(f"cannot serve {sorted(some)!r}")

    with patch.context() as within:
        within.setattr(Hub, "line", broken)
        within.setattr(Hub, "game", broken)
        await tried(server.game("any"))
        await tried(server.watch_first("any"))
        call: Any = server.play.Play()
        attach = play_service_pb2.PlayCommand(channel=1, attach=play_service_pb2.AttachSeat(game_id="any"))
        await call.write(play_service_pb2.PlayRequest(commands=[attach]))
        await call.done_writing()
        await tried(call.read())
    asyncio.get_running_loop().call_exception_handler({"message": f"lost {sorted(some)!r}"})
    logging.getLogger("grpc._cython.cygrpc").error("Unexpected [%s]", sorted(some))


class AsItIs(logging.Handler):
    """What is logged before anything is taken out."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        logging.getLogger(OURS).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.text += logging.Formatter().format(record)


def contents(folder: Path) -> bytes:
    """Of the store's files."""
    return b"".join(path.read_bytes() for path in folder.glob("games.db*"))


@pytest.mark.usefixtures("logging_as_it_was")
@pytest.mark.parametrize("log_format", ["text", "json"])
async def test_no_secret_that_was_ever_handed_out_is_logged_stored_or_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_format: Literal["text", "json"]
) -> None:
    output = io.StringIO()
    monkeypatch.setattr("sys.stderr", output)
    config = ServerConfig(log_level="DEBUG", log_format=log_format)
    set_up_logs(config)
    as_it_is = AsItIs()
    known, issuers = new_key(), ec_key()
    with https_server(tmp_path, Authority()) as issuer:
        issuer.publish(issuers)
        auth = tmp_path / "auth.toml"
        where = f'keys = "{issuer.url}"\nkeys_ca = "{issuer.ca}"\n'
        auth.write_text(
            f'{stanza("web", known)}[anonymous]\ncreate = true\n[oidc]\nissuer = "https://login.example"\n'
            f'audience = "dragonhall"\n{where}'
        )
        keys = [known, new_key(), issuers.token(), issuers.token(exp=time.time() - 60), ec_key().token(), "eyJhb.eyJ.x"]
        async with running(tmp_path / "games.db", auth=auth) as server:
            channel = NotingChannel(server)
            await lively(Running(channel, server=server.server, port=server.port, faults=server.faults))
            await credentials_of_all_kinds(server, keys)
            secrets = {secret for secret in {*channel.secrets, *keys} if len(secret) > 10}
            assert len(secrets) > 20, "else it was not lively"
            assert "event=done method=Rematch" in as_it_is.text
            assert not [secret for secret in secrets if secret in as_it_is.text], "nothing says any on purpose"
            await faults(server, monkeypatch, secrets)
            server.faults.messages.clear()
            records = [
                (await server.record(game.game_id)).SerializeToString()
                for game in (await server.games.ListGames(game_service_pb2.ListGamesRequest())).games
                if game.status == game_pb2.GAME_STATUS_FINISHED
            ]
    logged = output.getvalue()
    for event in ("event=fault", "event=refused", "event=done", "event=log"):
        assert (event if log_format == "text" else event.replace("=", '": "')) in logged
    assert "[secret]" in logged, "the faults told all, and were not let"
    assert records
    kept = contents(tmp_path)
    for secret in secrets:
        assert secret not in logged
        if secret != SEED.hex():  # which is published when the game is over
            assert not any(secret.encode() in record for record in records)
            assert secret.encode() not in kept
    for seed in (SEED.hex(), repr(SEED)[2:-1], str(list(SEED))):
        assert seed not in logged


@pytest.mark.parametrize(
    "text",
    [
        "token {}",
        "{}",
        "[{!r}]",
        "Bearer {}",
        "{{'token': '{}'}}",
        "line\n{}\nline",
        "one: {0}, two: {0}",
    ],
)
def test_what_looks_like_a_secret_is_taken_out_and_nothing_else(text: str) -> None:
    key = new_key()
    secrets = [
        key,
        key[3:],
        ec_key().token(),
        str(uuid.uuid4()),
        SEED.hex(),
        "-----BEGIN PRIVATE KEY-----\nMIG\nx\n-----END PRIVATE KEY-----",
    ]
    for secret in secrets:
        assert without_secrets(text.format(secret)) == text.format(secret).replace(
            repr(secret)[1:-1] if "!r" in text else secret, "[secret]"
        )


@pytest.mark.parametrize(
    "text",
    [
        'File "/usr/lib/python3.11/site-packages/dragonhall/server/services/play_stream.py", line 12, in _read',
        "in test_no_secret_that_was_ever_handed_out_is_logged_stored_or_recorded",
        "event=game_created game=0123456789abcdef0123 rules=dragons seats=3 caller='anonymous:0123456789ab'",
        "dragonhall.server.identity.json_web_tokens.TokenChecker._verified",
        "<Task pending name='Task-12' coro=<Server.forget_idle_games() running at app.py:12>>",
        "DragonsInterestState(rounds=[1, 2, 3], seats=(0, 1, 2))",
    ],
)
def test_what_an_operator_needs_is_left_in(text: str) -> None:
    assert without_secrets(text) == text


def test_no_value_of_the_servers_shows_a_secret_when_it_is_printed() -> None:
    """Of tokens, codes, seeds and private keys; their hashes may be seen."""
    secret = re.compile(r"(\w+_)?(token|secret|seed|request_id)|invitation_code|key")
    shown = []
    for module in pkgutil.walk_packages(dragonhall.server.__path__, "dragonhall.server."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.name:
                shown += [
                    f"{value.__qualname__}.{field.name}"
                    for field in dataclasses.fields(value)
                    if field.repr and secret.fullmatch(field.name) and str(field.type) in ("str", "bytes")
                ]
    published = {"Finished.seed", "WasAborted.seed"}  # at the end, to everyone
    assert set(shown) == published
