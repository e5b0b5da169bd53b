"""Games that a server has and cannot go on with: who may know of them is told why, and of private ones nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from dragonhall.rules import GAMES
from dragonhall.server.tokens import token_hash
from dragonhall.server.unreadable import UnreadableGame, token_hashes
from dragonhall.storage.v1 import log_pb2
from dragonhall.v1 import errors_pb2, game_pb2, play_service_pb2
from tests.service.harness import Running
from tests.service.lobbying import PRIVATE, find, get, refusal_of, settings, take_back
from tests.service.test_private_games import attempts

REQUEST = "a-request-id-of-the-tests"


@contextmanager
def newer_rules(server: Running) -> Iterator[None]:
    """As if this was a newer server of the same store, with other rules of Dragons."""
    rules = GAMES["dragons"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "dragons", replace(rules, rules_version=rules.rules_version + 1))
        server.server.hub.drop_games_idle_since(float("inf"))
        yield


async def test_a_public_game_is_shown_to_everyone_but_not_gone_on_with(server: Running) -> None:
    game = await server.seated(3)
    with newer_rules(server):
        assert (await server.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING
        for what, attempt in attempts(server, "").items():
            if what != "get":
                refusal = await refusal_of(attempt(game.game_id))
                assert (refusal.reason, "it belongs to rules version 1" in refusal.message) == (
                    "GAME_NOT_RUNNING",
                    True,
                )
    await server.play_out(game)


async def test_a_private_game_is_shown_and_explained_to_whoever_has_a_token(server: Running) -> None:
    created = await server.create(3, settings=PRIVATE)
    game = await server.fill(created)
    with newer_rules(server):
        for token in (game.host_token, created.spectator_token, *game.tokens):
            assert (await get(server, game.game_id, token)).status == game_pb2.GAME_STATUS_RUNNING
            for what, attempt in attempts(server, token).items():
                if what != "get" and not what.startswith("take a"):
                    refusal = await refusal_of(attempt(game.game_id))
                    assert refusal.reason == "GAME_NOT_RUNNING", what
                    assert "it belongs to rules version 1 of dragons, this server has version 2" in refusal.message
                    assert refusal.metadata == {"game_id": game.game_id}


async def test_to_everyone_else_a_private_game_is_still_as_one_that_does_not_exist(server: Running) -> None:
    game = await server.seated(3, settings=PRIVATE)
    other = await server.seated(3)
    with newer_rules(server):
        for token in ("", "nonsense", "x" * 200, other.tokens[0], other.host_token):
            for what, attempt in attempts(server, token).items():
                unknown, refusal = await refusal_of(attempt("0" * 20)), await refusal_of(attempt(game.game_id))
                assert refusal.reason == "GAME_NOT_FOUND", what
                assert (refusal.code, refusal.message) == (unknown.code, unknown.message), what
                assert refusal.metadata == {"game_id": game.game_id}


@pytest.mark.parametrize("is_player", [True, False])
async def test_a_play_stream_tells_a_private_games_players_alone(server: Running, is_player: bool) -> None:
    game = await server.seated(3, settings=PRIVATE)
    with newer_rules(server):
        call: Any = server.play.Play()
        attach = play_service_pb2.AttachSeat(game_id=game.game_id, seat_token=game.tokens[0] if is_player else "other")
        command = play_service_pb2.PlayCommand(channel=1, command_id=1, attach=attach)
        await call.write(play_service_pb2.PlayRequest(commands=[command]))
        error = (await call.read()).messages[0].error
        call.cancel()
    expected = errors_pb2.ERROR_REASON_GAME_NOT_RUNNING if is_player else errors_pb2.ERROR_REASON_GAME_NOT_FOUND
    assert error.reason == expected


async def test_whoever_repeats_the_request_that_made_it_is_told(server: Running) -> None:
    """A request id proves as much as a token."""
    created = await server.create(3, settings=PRIVATE, request_id=REQUEST)
    game_id = created.game.game_id
    await server.take(game_id, request_id=REQUEST + "-seat")
    with newer_rules(server):
        for attempt in (
            server.create(3, settings=PRIVATE, request_id=REQUEST),
            server.take(game_id, request_id=REQUEST + "-seat"),
        ):
            assert (await refusal_of(attempt)).reason == "GAME_NOT_RUNNING"


async def test_a_token_that_proves_nothing_any_more_does_not_open_it(server: Running) -> None:
    with_substitute = settings(
        absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy", visibility=game_pb2.VISIBILITY_PRIVATE
    )
    created = await server.create(3, settings=with_substitute)
    game_id = created.game.game_id
    given_back = await server.take(game_id, seat=2)
    await attempts(server, given_back.seat_token)["leave"](game_id)
    game = await server.fill(created)
    await attempts(server, game.tokens[0])["leave"](game_id)
    dismissed = (await server.take(game_id, bot_name="greedy")).seat_token
    await take_back(server, game_id, game.tokens[0])
    await attempts(server, game.tokens[1])["leave"](game_id)
    substitute = (await server.take(game_id, bot_name="greedy")).seat_token
    with newer_rules(server):
        for token in (given_back.seat_token, dismissed):
            assert (await refusal_of(get(server, game_id, token))).reason == "GAME_NOT_FOUND"
        for token in (*game.tokens, substitute):
            assert (await get(server, game_id, token)).game_id == game_id


async def test_quick_matches_of_the_newer_rules_are_made_beside_it(server: Running) -> None:
    older = (await find(server)).game.game_id
    with newer_rules(server):
        assert (await find(server)).game.game_id != older


def test_of_a_damaged_log_what_can_be_read_still_tells_whose_it_is() -> None:
    taken = log_pb2.LogEntry(seat_taken=log_pb2.SeatTaken(seat=1, token_hash=token_hash("a seat's")))
    game = UnreadableGame("it is damaged", token_hashes([b"\xff", taken.SerializeToString(), b"\xff"]))
    assert [game.is_for(token) for token in ("a seat's", "another", "")] == [True, False, False]
