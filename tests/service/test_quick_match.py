"""Quick match: whoever asks for the same sits down together, once for each request."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.server import Limits
from dragonhall.server.store.base import Append
from dragonhall.v1 import game_pb2, game_service_pb2
from tests.service.harness import Running, Seated, dragonisles, dragons, running
from tests.service.lobbying import BY_HOST, PRIVATE, abort, find, leave, listed, refusal_of, rematch, settings
from tests.service.test_callers import WEB, bearer, knowing

REQUEST = "a-request-id-of-the-tests"
TIMED = settings(time_control=game_pb2.TimeControl(bank=game_pb2.TimeBank(initial=Duration(seconds=600))))


async def test_those_who_ask_for_the_same_are_seated_together_and_the_last_one_starts_the_game(server: Running) -> None:
    first = await find(server, "Ada", nonce=b"share")
    assert (first.seat, first.game.status, first.game.quick_match) == (0, game_pb2.GAME_STATUS_WAITING, True)
    assert (first.game.seats[0].player_name, first.game.seats[0].nonce) == ("Ada", b"share")
    second = await find(server, "Ben")
    third = await find(server, "Cleo")
    assert {first.game.game_id, second.game.game_id} == {third.game.game_id}
    assert (second.seat, third.seat, third.game.status) == (1, 2, game_pb2.GAME_STATUS_RUNNING)
    for seat, found in enumerate((first, second, third)):
        assert (await server.watch_first(found.game.game_id, found.seat_token, seat)).snapshot.seat == seat
    assert (await find(server)).game.game_id != first.game.game_id


OTHER_WISHES: dict[str, dict[str, Any]] = {
    "another game": {"options": dragonisles()},
    "other options": {"options": dragons(hidden_card=True)},
    "another first seat": {"options": dragons(first_seat=1)},
    "another number of players": {"seats": 4},
    "a time control": {"settings": TIMED},
    "undo": {"settings": settings(allow_undo=True)},
}


async def test_those_who_ask_for_something_else_wait_in_games_of_their_own(server: Running) -> None:
    plain = (await find(server)).game.game_id
    others = {what: (await find(server, **wish)).game.game_id for what, wish in OTHER_WISHES.items()}
    assert len({plain, *others.values()}) == 1 + len(OTHER_WISHES)
    for what, wish in OTHER_WISHES.items():
        assert (await find(server, **wish)).game.game_id == others[what], what
    spelled_out = settings(
        absence=game_pb2.ABSENCE_POLICY_DEFAULT_ACTION,
        start=game_pb2.START_POLICY_WHEN_FULL,
        visibility=game_pb2.VISIBILITY_PUBLIC,
    )
    assert (await find(server, settings=spelled_out)).game.game_id == plain


async def test_games_that_hosts_created_are_not_filled(server: Running) -> None:
    hosted = (await server.create(3)).game.game_id
    assert (await find(server)).game.game_id != hosted


async def test_of_many_who_come_at_once_never_two_wait_in_two_games(server: Running) -> None:
    found = await asyncio.gather(*(find(server, f"Player {i}") for i in range(20)))
    seats = [(one.game.game_id, one.seat) for one in found]
    assert len(set(seats)) == 20
    assert len({game_id for game_id, _ in seats}) == 7  # six full ones, and one with two players
    assert len(await listed(server, open_seat=True)) == 1


async def test_who_gives_up_while_a_game_is_made_is_not_left_alone_in_it(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose deadline passes while the disk is slow: the game is made all the same, and the next one finds it."""
    append, begun, go_on = server.server.store.append, asyncio.Event(), asyncio.Event()

    async def append_slowly(write: Append) -> None:
        begun.set()
        await go_on.wait()
        await append(write)

    monkeypatch.setattr(server.server.store, "append", append_slowly)
    impatient = asyncio.create_task(find(server, "Impatient"))
    await begun.wait()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    await asyncio.sleep(0.05)  # until the server knows
    patient = asyncio.create_task(find(server, "Patient"))
    await asyncio.sleep(0.05)
    go_on.set()
    found = await patient
    assert [seat.player_name for seat in found.game.seats] == ["Impatient", "Patient", ""]
    assert await listed(server) == [found.game.game_id]


async def test_a_seat_given_back_is_found_by_the_next_one(server: Running) -> None:
    first = await find(server, "Ada")
    await find(server, "Ben")
    await leave(server, first.game.game_id, first.seat_token)
    again = await find(server, "Cleo")
    assert (again.game.game_id, again.seat) == (first.game.game_id, 0)


async def test_a_repeated_request_is_answered_alike_in_a_new_game_and_in_one_that_waits(tmp_path: Path) -> None:
    ids = [f"{REQUEST}-{i}" for i in range(3)]
    async with running(tmp_path / "games.db") as server:
        found = [await find(server, request_id=i) for i in ids]
        assert len({one.game.game_id for one in found}) == 1
        assert [await find(server, request_id=i) for i in ids] == found
    async with running(tmp_path / "games.db") as server:
        assert [await find(server, request_id=i) for i in ids] == found
        assert len(await listed(server)) == 1
        assert (await refusal_of(find(server, seats=4, request_id=ids[0]))).reason == "REQUEST_ID_REUSED"


async def test_the_same_request_many_times_at_once_gets_one_seat(server: Running) -> None:
    await find(server)
    found = await asyncio.gather(*(find(server, request_id=REQUEST) for _ in range(8)))
    assert all(one == found[0] for one in found)
    assert [seat.taken for seat in (await server.game(found[0].game.game_id)).seats] == [True, True, False]


async def test_waiting_players_are_found_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        first = await find(server)
    async with running(tmp_path / "games.db") as server:
        assert (await find(server)).game.game_id == first.game.game_id


async def test_nobody_is_the_host_of_a_quick_match(server: Running) -> None:
    found = await find(server)
    for token in ("", "x", found.seat_token):
        refusal = await refusal_of(abort(server, found.game.game_id, token))
        assert refusal.reason == ("NOT_YOUR_ROLE" if token == found.seat_token else "TOKEN_INVALID")


async def test_who_may_not_create_games_is_seated_in_one_that_waits(tmp_path: Path) -> None:
    """And needs nobody's leave for a rematch: that is the players' right."""
    async with knowing(tmp_path) as server:
        refusal = await refusal_of(find(server))
        assert (refusal.reason, refusal.metadata) == ("NOT_ALLOWED", {"permission": "create"})
        request = game_service_pb2.FindGameRequest(options=dragons(), seats=3, player_name="Web")
        first = await server.games.FindGame(request, metadata=bearer(WEB))
        found = [first, await find(server), await find(server, request_id=REQUEST)]
        assert {one.game.game_id for one in found} == {first.game.game_id}
        assert (await refusal_of(find(server))).reason == "NOT_ALLOWED"
        assert await find(server, request_id=REQUEST) == found[2]
        await server.play_out(Seated(first.game.game_id, "", [one.seat_token for one in found]))
        assert (await rematch(server, first.game.game_id, found[2].seat_token)).seat == 0


async def test_a_quick_match_counts_for_whoever_came_first(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_games_per_caller=1)) as server:
        found = [await find(server, request_id=f"{REQUEST}-{i}") for i in range(3)]
        refusal = await refusal_of(find(server))
        assert (refusal.reason, refusal.metadata["quota"]) == ("QUOTA_EXCEEDED", "games")
        assert await find(server, request_id=f"{REQUEST}-0") == found[0]
        await server.play_out(Seated(found[0].game.game_id, "", [one.seat_token for one in found]))
        assert (await find(server)).seat == 0
        refusal = await refusal_of(rematch(server, found[0].game.game_id, found[0].seat_token))
        assert (refusal.reason, refusal.metadata["quota"]) == ("QUOTA_EXCEEDED", "games")


async def test_a_quick_match_that_everyone_left_is_over_and_counts_against_nobody(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_games_per_caller=1)) as server:
        first, second = await find(server), await find(server)
        game_id = first.game.game_id
        told = asyncio.create_task(server.watch_to_end(game_id))
        await server.watch_first(game_id)
        assert (await leave(server, game_id, first.seat_token)).status == game_pb2.GAME_STATUS_WAITING
        assert (await refusal_of(server.create(3))).reason == "QUOTA_EXCEEDED"
        ended = await leave(server, game_id, second.seat_token)
        assert (ended.status, ended.abort_cause) == (game_pb2.GAME_STATUS_ABORTED, game_pb2.ABORT_CAUSE_LEFT)
        assert await listed(server, open_seat=True) == []
        assert (await told).messages[-1].update.events[0].game_aborted.cause == game_pb2.ABORT_CAUSE_LEFT
        assert (await refusal_of(leave(server, game_id, second.seat_token))).reason == "TOKEN_INVALID"
        again = await find(server)
        assert again.game.game_id != game_id
        assert (await find(server)).game.game_id == again.game.game_id


async def test_what_others_may_still_come_back_to_does_not_end(server: Running) -> None:
    """A game with a host, and a rematch: its players have no other."""
    hosted = (await server.create(3)).game.game_id
    seat = await server.take(hosted)
    assert (await leave(server, hosted, seat.seat_token)).status == game_pb2.GAME_STATUS_WAITING
    found = [await find(server) for _ in range(3)]
    old = Seated(found[0].game.game_id, "", [one.seat_token for one in found])
    await server.play_out(old)
    part = await rematch(server, old.game_id, old.tokens[0])
    assert (await leave(server, part.game.game_id, part.seat_token)).status == game_pb2.GAME_STATUS_WAITING
    assert (await rematch(server, old.game_id, old.tokens[1])).game.game_id == part.game.game_id


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("options.game", {"options": None}),
        ("seats", {"seats": 0}),
        ("seats", {"seats": 2}),
        ("seats", {"seats": 2**32 - 1}),
        ("options.dragons.first_seat", {"options": dragons(first_seat=3)}),
        ("player_name", {"name": ""}),
        ("nonce", {"nonce": bytes(65)}),
        ("request_id", {"request_id": "short"}),
        ("settings.visibility", {"settings": PRIVATE}),
        ("settings.start", {"settings": BY_HOST}),
        ("settings.substitute_bot", {"settings": settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE)}),
    ],
)
async def test_a_bad_request_names_its_field(server: Running, field: str, fields: dict[str, Any]) -> None:
    refusal = await refusal_of(find(server, **fields))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", [field])
    assert await listed(server) == []
