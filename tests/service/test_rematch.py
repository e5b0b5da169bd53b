"""Rematch: the same game once more, one for all who ask, with the seats moved on by one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dragonhall.dragonisles.v1 import dragonisles_pb2
from dragonhall.v1 import game_pb2, game_service_pb2
from tests.service.harness import (
    OPEN,
    Running,
    Seated,
    dragonisles,
    dragons,
    invited,
    reserved,
    running,
)
from tests.service.lobbying import (
    BY_HOST,
    PRIVATE,
    abort,
    find,
    get,
    leave,
    listed,
    refusal_of,
    rematch,
    settings,
    start,
)

WAITING, RUNNING = game_pb2.GAME_STATUS_WAITING, game_pb2.GAME_STATUS_RUNNING


async def over(server: Running, **fields: Any) -> Seated:
    """A game whose host has ended it: the quickest way to the end of one."""
    game = await server.seated(3, **fields)
    await abort(server, game.game_id, game.host_token)
    return game


async def test_everyone_who_asks_gets_the_next_seat_of_one_new_game(server: Running) -> None:
    old = await server.seated(3, title="Evening", seed=bytes(32), settings=settings(allow_undo=True))
    await server.play_out(old)
    parts = [await rematch(server, old.game_id, old.tokens[seat], nonce=b"%d" % seat) for seat in (2, 0, 1)]
    assert [part.seat for part in parts] == [0, 1, 2]
    assert len({part.game.game_id for part in parts}) == 1
    assert [part.game.status for part in parts] == [WAITING, WAITING, RUNNING]
    game = parts[-1].game
    assert (game.rematch_of, game.title, game.settings.allow_undo) == (old.game_id, "Evening", True)
    assert [(seat.player_name, seat.nonce) for seat in game.seats] == [
        ("Player 2", b"2"),
        ("Player 0", b"0"),
        ("Player 1", b"1"),
    ]
    before = await server.game(old.game_id)
    assert game.options == before.options
    assert (game.seed_source, before.seed_source) == (game_pb2.SEED_SOURCE_SERVER, game_pb2.SEED_SOURCE_HOST)
    assert game.seed_commitment != before.seed_commitment
    assert not any(part.host_token or part.spectator_token for part in parts)
    await server.play_out(Seated(game.game_id, "", [part.seat_token for part in parts]))
    assert (await server.record(game.game_id)).game_id == game.game_id


async def test_a_seat_is_kept_for_its_player_until_the_player_asks(server: Running) -> None:
    old = await over(server)
    first = await rematch(server, old.game_id, old.tokens[0])
    game_id = first.game.game_id
    assert [seat.kind for seat in first.game.seats] == [game_pb2.SEAT_KIND_INVITED] * 3
    for attempt in (server.take(game_id), server.take(game_id, seat=2)):
        assert (await refusal_of(attempt)).reason in ("SEAT_UNAVAILABLE", "INVITATION_INVALID")
    assert await listed(server, open_seat=True) == []
    stranger = await server.seated(3)
    assert (await refusal_of(rematch(server, old.game_id, stranger.tokens[0]))).reason == "TOKEN_INVALID"


async def test_asking_again_is_answered_alike_also_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        old = await over(server)
        first = await rematch(server, old.game_id, old.tokens[1], nonce=b"first")
        assert await rematch(server, old.game_id, old.tokens[1], nonce=b"other") == first
        host = await rematch(server, old.game_id, old.host_token)
    async with running(tmp_path / "games.db") as server:
        assert await rematch(server, old.game_id, old.tokens[1]) == first
        assert await rematch(server, old.game_id, old.host_token) == host
        second = await rematch(server, old.game_id, old.tokens[2])
        assert (second.game.game_id, second.seat) == (first.game.game_id, 0)
        assert await rematch(server, old.game_id, old.tokens[1]) == first
        await server.watch_first(first.game.game_id, first.seat_token, 2)
        assert len(await listed(server)) == 2


async def test_of_all_who_ask_at_once_nobody_makes_a_second_game(server: Running) -> None:
    old = await over(server)
    tokens = [*old.tokens, old.host_token] * 4
    parts = await asyncio.gather(*(rematch(server, old.game_id, token) for token in tokens))
    assert len({part.game.game_id for part in parts}) == 1
    assert len(await listed(server)) == 2
    for token, part in zip(tokens, parts, strict=True):
        assert part.seat_token == parts[tokens.index(token)].seat_token
    game = await server.game(parts[0].game.game_id)
    assert (game.status, game.revision) == (RUNNING, 5)


async def test_a_host_who_does_not_play_is_the_host_of_the_new_game(server: Running) -> None:
    old = await over(server, settings=BY_HOST)
    part = await rematch(server, old.game_id, old.host_token)
    assert not part.HasField("seat")
    assert not part.seat_token
    game_id = part.game.game_id
    for token in old.tokens:
        assert (await rematch(server, old.game_id, token)).game.status == WAITING
    assert (await start(server, game_id, part.host_token)).status == RUNNING
    assert (await abort(server, game_id, part.host_token)).status == game_pb2.GAME_STATUS_ABORTED


async def test_players_who_ask_first_leave_the_host_its_right(server: Running) -> None:
    old = await over(server)
    game_id = (await rematch(server, old.game_id, old.tokens[0])).game.game_id
    host = await rematch(server, old.game_id, old.host_token)
    assert host.game.game_id == game_id
    assert (await abort(server, game_id, host.host_token)).status == game_pb2.GAME_STATUS_ABORTED


async def test_a_private_game_stays_private(server: Running) -> None:
    created = await server.create(3, settings=PRIVATE)
    old = await server.fill(created)
    await abort(server, old.game_id, old.host_token)
    part = await rematch(server, old.game_id, old.tokens[0])
    host = await rematch(server, old.game_id, old.host_token)
    game_id = part.game.game_id
    assert host.spectator_token == created.spectator_token
    assert await listed(server) == []
    assert (await refusal_of(server.game(game_id))).reason == "GAME_NOT_FOUND"
    assert (await refusal_of(get(server, game_id, old.tokens[1]))).reason == "GAME_NOT_FOUND"
    for token in (part.seat_token, host.host_token, host.spectator_token):
        assert (await get(server, game_id, token)).rematch_of == old.game_id


async def test_reserved_seats_move_on_with_their_bots(server: Running) -> None:
    created = await server.create([OPEN, reserved("greedy"), invited()])
    game_id = created.game.game_id
    person = await server.take(game_id)
    bot = await server.take(game_id, "Greedy", bot_name="greedy")
    guest = await server.take(game_id, invitation_code=created.invitations[0].code)
    await abort(server, game_id, created.host_token)
    part = await rematch(server, game_id, guest.seat_token)
    kinds = [(seat.kind, seat.bot_name) for seat in part.game.seats]
    assert kinds == [
        (game_pb2.SEAT_KIND_INVITED, ""),
        (game_pb2.SEAT_KIND_INVITED, ""),
        (game_pb2.SEAT_KIND_RESERVED, "greedy"),
    ]
    assert await listed(server, reserved_for="greedy") == [part.game.game_id]
    taken = await server.take(part.game.game_id, "Greedy", bot_name="greedy")
    assert taken.seat == 2
    assert (await refusal_of(rematch(server, game_id, bot.seat_token))).reason == "SEAT_UNAVAILABLE"
    assert (await rematch(server, game_id, person.seat_token)).game.status == RUNNING


async def test_a_bot_may_ask_for_its_seat_like_a_player(server: Running) -> None:
    created = await server.create([OPEN, reserved("greedy"), OPEN])
    tokens = [(await server.take(created.game.game_id, bot_name="greedy")).seat_token]
    tokens += [(await server.take(created.game.game_id)).seat_token for _ in range(2)]
    await abort(server, created.game.game_id, created.host_token)
    parts = [await rematch(server, created.game.game_id, token) for token in tokens]
    assert [part.seat for part in parts] == [2, 1, 0]
    assert parts[-1].game.status == RUNNING


async def test_what_nobody_had_taken_is_there_for_whoever_comes(server: Running) -> None:
    created = await server.create([OPEN, OPEN, invited()])
    token = (await server.take(created.game.game_id)).seat_token
    await abort(server, created.game.game_id, created.host_token)
    part = await rematch(server, created.game.game_id, token)
    assert part.seat == 1
    assert (await server.take(part.game.game_id)).seat == 2
    assert (await server.take(part.game.game_id, invitation_code=created.invitations[0].code)).seat == 0


async def test_options_that_name_seats_mean_the_seats(server: Running) -> None:
    characters = [dragonisles_pb2.CHARACTER_MONK, dragonisles_pb2.CHARACTER_PIRATE]
    for options in (dragons(first_seat=1), dragonisles(characters=characters)):
        old = await server.seated(3 if options.HasField("dragons") else 2, options=options)
        await abort(server, old.game_id, old.host_token)
        parts = [await rematch(server, old.game_id, token) for token in old.tokens]
        assert parts[-1].game.options == options
        assert parts[-1].game.status == RUNNING


async def test_a_rematch_has_a_rematch(server: Running) -> None:
    game_id, tokens, host_token = (game := await over(server)).game_id, game.tokens, game.host_token
    seats = [0, 1, 2]
    for _ in range(3):
        parts = [await rematch(server, game_id, token) for token in tokens]
        seats = [(seat + 1) % 3 for seat in seats]
        assert [part.seat for part in parts] == seats
        assert parts[-1].game.rematch_of == game_id
        game_id, tokens = parts[-1].game.game_id, [part.seat_token for part in parts]
        await abort(server, game_id, host_token)
    assert len(await listed(server)) == 4


async def test_a_quick_match_has_a_rematch_without_a_host(server: Running) -> None:
    found = [await find(server) for _ in range(3)]
    old = Seated(found[0].game.game_id, "", [one.seat_token for one in found])
    await server.play_out(old)
    parts = [await rematch(server, old.game_id, token) for token in old.tokens]
    game = parts[-1].game
    assert (game.status, game.quick_match) == (RUNNING, True)
    other = await find(server)
    assert other.game.game_id != game.game_id


async def test_a_rematch_that_waits_takes_no_quick_match(server: Running) -> None:
    found = [await find(server) for _ in range(3)]
    old = Seated(found[0].game.game_id, "", [one.seat_token for one in found])
    await server.play_out(old)
    waiting = await rematch(server, old.game_id, old.tokens[0])
    assert (await find(server)).game.game_id != waiting.game.game_id


async def test_a_seat_of_the_rematch_that_was_given_back_is_not_handed_out_with_a_dead_token(server: Running) -> None:
    old = await over(server)
    part = await rematch(server, old.game_id, old.tokens[0])
    game_id = part.game.game_id
    await leave(server, game_id, part.seat_token)
    refusal = await refusal_of(rematch(server, old.game_id, old.tokens[0]))
    assert (refusal.reason, refusal.metadata["seat"]) == ("SEAT_UNAVAILABLE", "1")
    assert (await server.take(game_id, seat=1, invitation_code=old.tokens[0])).seat == 1


async def test_a_rematch_comes_after_the_game_and_for_those_who_were_in_it(server: Running) -> None:
    waiting = await server.create(3)
    game = await server.seated(3)
    for game_id, token, status in (
        (waiting.game.game_id, waiting.host_token, "WAITING"),
        (game.game_id, game.tokens[0], "RUNNING"),
    ):
        refusal = await refusal_of(rematch(server, game_id, token))
        assert (refusal.reason, refusal.metadata["status"]) == ("GAME_RUNNING", status)
    created = await server.create(3, settings=PRIVATE)
    await abort(server, created.game.game_id, created.host_token)
    refusal = await refusal_of(rematch(server, created.game.game_id, created.spectator_token))
    assert refusal.reason == "NOT_YOUR_ROLE"
    assert (await refusal_of(rematch(server, game.game_id, ""))).reason == "TOKEN_INVALID"
    request = game_service_pb2.RematchRequest(game_id=game.game_id, token=game.tokens[0], nonce=bytes(65))
    assert (await refusal_of(server.games.Rematch(request))).fields == ["nonce"]


async def test_a_rematch_that_was_ended_is_told_as_it_is(server: Running) -> None:
    old = await over(server)
    first = await rematch(server, old.game_id, old.tokens[0])
    await abort(server, first.game.game_id, old.host_token)
    assert await rematch(server, old.game_id, old.tokens[0]) == first
    refusal = await refusal_of(rematch(server, old.game_id, old.tokens[1]))
    assert (refusal.reason, refusal.metadata["status"]) == ("SEAT_UNAVAILABLE", "ABORTED")
