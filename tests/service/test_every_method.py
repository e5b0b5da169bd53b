"""What holds for every method of every service: each refuses what is wrong, with its reason, and changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import grpc
import pytest

from dragonhall.server import Limits
from tests.service.harness import Refused, Running, running
from tests.service.lobbying import leave, settings
from tests.service.methods import METHODS, refusal, request, takes

CODE = grpc.StatusCode
TOKENS: Final = ("seat_token", "host_token", "token")
FOR_ANYONE: Final = ("GetGame", "GetRecord", "ReplayGame")
"""Methods in which a token is only for private games."""
WITH_TOKEN: Final = [
    path
    for path in METHODS
    if any(takes(path, field) for field in TOKENS) and path.rpartition("/")[2] not in FOR_ANYONE
]
"""Methods that have to know who asks."""
LONG: Final = "x" * 5000
UNDO: Final = settings(allow_undo=True)


@contextmanager
def nothing_written(server: Running) -> Iterator[None]:
    """What is done meanwhile changes nothing in the store."""
    store = server.server.config.store

    def look() -> list[Any]:
        tables = ("games", "entries", "requests")
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]

    before = look()
    yield
    assert look() == before


async def refused_by(server: Running, path: str, data: bytes, reason: str, code: grpc.StatusCode) -> Refused:
    with nothing_written(server):
        refused = await refusal(server.channel, path, data)
    assert refused is not None
    assert (refused.reason, refused.code) == (reason, code), refused.message
    assert refused.message
    return refused


def with_token(path: str, game_id: str, token: str, **values: Any) -> bytes:
    """A request about a game, by whoever has the token."""
    return request(path, game_id=game_id, **dict.fromkeys(TOKENS, token), **values)


@pytest.mark.parametrize("path", METHODS)
async def test_bytes_that_are_no_message(server: Running, path: str) -> None:
    await refused_by(server, path, b"\xff\xff\xff", "INVALID_FIELD", CODE.INVALID_ARGUMENT)


@pytest.mark.parametrize("path", [path for path in METHODS if takes(path, "game_id")])
@pytest.mark.parametrize("game_id", ["", "nonesuch", LONG, "é\0"], ids=["none", "unknown", "long", "odd"])
async def test_a_game_that_is_unknown(server: Running, path: str, game_id: str) -> None:
    refused = await refused_by(server, path, request(path, game_id=game_id), "GAME_NOT_FOUND", CODE.NOT_FOUND)
    assert refused.metadata["game_id"] == game_id[:64]


@pytest.mark.parametrize("path", WITH_TOKEN)
async def test_a_token_that_is_not_this_games(server: Running, path: str) -> None:
    """Nonsense, another game's, and one that was given back."""
    game_id = (await server.create()).game.game_id
    other = await server.seated()
    given_back = (await server.take(game_id)).seat_token
    await leave(server, game_id, given_back)
    for token in ("nonsense", LONG, "\0", other.tokens[0], other.host_token, given_back):
        data = with_token(path, game_id, token, decision_id=1)
        refused = await refused_by(server, path, data, "TOKEN_INVALID", CODE.UNAUTHENTICATED)
        assert refused.metadata == {"game_id": game_id}


OF_SEATS: Final = ("LeaveSeat", "TakeBackSeat", "Submit", "AskUndo", "AnswerUndo")
OF_HOSTS: Final = ("StartGame", "AbortGame")


@pytest.mark.parametrize("path", [path for path in METHODS if path.rpartition("/")[2] in OF_SEATS + OF_HOSTS])
async def test_a_good_token_of_another_role(server: Running, path: str) -> None:
    game = await server.seated()
    token = game.host_token if path.rpartition("/")[2] in OF_SEATS else game.tokens[0]
    data = with_token(path, game.game_id, token, decision_id=1, action_index=0)
    refused = await refused_by(server, path, data, "NOT_YOUR_ROLE", CODE.PERMISSION_DENIED)
    assert refused.metadata == {"game_id": game.game_id}


ABSURD: Final[Mapping[str, tuple[Any, str]]] = {
    "decision_id": (2**64 - 1, "DECISION_UNKNOWN"),
    "from_revision": (2**64 - 1, "REVISION_IN_FUTURE"),
    "revision": (2**64 - 1, "REVISION_IN_FUTURE"),
    "page_size": (2**32 - 1, "INVALID_FIELD"),
    "view_delivery": (99, "INVALID_FIELD"),
    "content": (99, "INVALID_FIELD"),
    "seat": (2**32 - 1, "INVALID_FIELD"),
}
"""By field: a number that is none of it, and the refusal's reason."""


@pytest.mark.parametrize(
    ("path", "field"), [(path, field) for path in METHODS for field in ABSURD if takes(path, field)]
)
async def test_absurd_numbers_and_unknown_enums(server: Running, path: str, field: str) -> None:
    game = await server.seated(settings=UNDO)
    if "RecordService" in path:
        await server.play_out(game)
    value, reason = ABSURD[field]
    data = with_token(path, game.game_id, game.tokens[0], **{field: value})
    with nothing_written(server):
        refused = await refusal(server.channel, path, data)
    assert refused is not None
    assert refused.reason in (reason, "SEAT_UNAVAILABLE", "UNDO_NOT_POSSIBLE")


@pytest.mark.parametrize("path", METHODS)
async def test_a_message_that_is_too_large(tmp_path: Path, path: str) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_request_bytes=1000)) as server:
        with nothing_written(server), pytest.raises(KeyError):  # gRPC itself refuses it, without our details
            await refusal(server.channel, path, bytes(1001))
        assert (await server.create(title="of fewer bytes")).game.game_id


async def test_a_server_that_closes(server: Running) -> None:
    server.server.hub.close()
    for path in METHODS:
        await refused_by(server, path, request(path), "SHUTTING_DOWN", CODE.UNAVAILABLE)


async def test_a_store_that_is_gone(server: Running) -> None:
    """Whatever is not in memory cannot be read, and nothing can be written."""
    game = await server.seated()
    server.server.hub.drop_games_idle_since(float("inf"))
    await server.server.store.close()
    for path in METHODS:
        if takes(path, "game_id"):
            refused = await refusal(server.channel, path, with_token(path, game.game_id, game.tokens[0]))
            assert refused is not None
            assert (refused.reason, refused.code) == ("STORE_UNAVAILABLE", CODE.UNAVAILABLE)
