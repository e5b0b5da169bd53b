"""Rematch: the same game once more, for the same players.

Whoever of them asks first makes the new game, everyone else finds it: that it is made, and that each seat of it is
taken, happens once in the store's life (`Once.ever`), whoever asks and however often.

The new game is made without knowing the others' tokens. So the seats of those who have not asked yet are invited seats,
and the code of each is its player's token of the old game; and the tokens of host and spectators stay as they were.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dragonhall.rules import GAMES
from dragonhall.rules.chance import new_seed
from dragonhall.server.game import LiveGame
from dragonhall.server.happenings import Seat
from dragonhall.server.hub import Hub
from dragonhall.server.log import Created, CreatedSeat, SeatKind, SeedSource
from dragonhall.server.operations.roles import is_private, taker_of_or_host
from dragonhall.server.operations.seats import Newcomer
from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services import checks
from dragonhall.server.services.creating import spectator_token
from dragonhall.server.services.once import Done, Once, game_then
from dragonhall.server.services.rpc import caller, opening_game
from dragonhall.server.services.seating import is_still_held, sit_down
from dragonhall.server.store.base import NO_SEAT
from dragonhall.server.tokens import derived, token_hash
from dragonhall.v1 import game_service_pb2

STEP: Final = 1
"""So many seats each player moves on, clockwise: another begins, also where an option names the seat that does."""


async def rematch(hub: Hub, request: game_service_pb2.RematchRequest) -> game_service_pb2.RematchResponse:
    """The caller's part in the game after the one that is over."""
    nonce = checks.nonce(request.nonce)
    old = await hub.game(request.game_id)
    seat = taker_of_or_host(old.playthrough, request.token)
    if not old.head.status.is_over:
        status = old.head.status.name
        raise Refusal(Reason.GAME_RUNNING, f"the game is {status.lower()}: a rematch comes after it", status=status)
    made = await _new_game(hub, old)
    if seat is None:
        return await _for_the_host(hub, made, old, request.token)
    return await _for_a_player(hub, made, old, seat, request.token, nonce)


async def _new_game(hub: Hub, old: LiveGame) -> Done:
    once = Once.ever(hub, f"rematch of {old.game_id}")

    async def create() -> Done:
        created = _created(old.game_id, old.playthrough)
        async with opening_game(hub.store):
            game = await hub.create(created, lambda game_id: once.answered_by(game_id, NO_SEAT, 1))
        return Done(game.game_id, NO_SEAT, 1)

    return await once.do(create)


def _created(game_id: str, old: Playthrough) -> Created:
    """As the old game was, with a seed of its own. Options stay as they are: where they name seats, it is the seats."""
    created = old.created
    return replace(
        created,
        rules_version=GAMES[created.game].rules_version,
        seats=tuple(_kept(old.seats[i - STEP]) for i in range(len(old.seats))),
        seed=new_seed(),
        seed_source=SeedSource.SERVER,
        owner=caller().name,
        rematch_of=game_id,
    )


def _kept(seat: Seat) -> CreatedSeat:
    """A seat for whoever had it; what nobody had taken is as it was for whoever comes."""
    if seat.taken is None or seat.created.kind is SeatKind.RESERVED:
        return seat.created
    return CreatedSeat(SeatKind.INVITED, invitation_hash=seat.taken.token_hash)


async def _for_the_host(hub: Hub, made: Done, old: LiveGame, host_token: str) -> game_service_pb2.RematchResponse:
    response = game_service_pb2.RematchResponse(
        game=await game_then(hub, made.game_id, made.revision), host_token=host_token
    )
    if is_private(old.playthrough):
        response.spectator_token = spectator_token(hub.store.secret, host_token)
    return response


async def _for_a_player(
    hub: Hub, made: Done, old: LiveGame, old_seat: int, old_token: str, nonce: bytes
) -> game_service_pb2.RematchResponse:
    seat_token = derived(hub.store.secret, "rematch", old_token)
    newcomer = _newcomer(old.playthrough, old_seat, old_token, nonce, token_hash(seat_token))
    once = Once.ever(hub, f"seat {newcomer.seat} of the rematch {made.game_id}")
    done = await once.do(lambda: sit_down(hub, made.game_id, newcomer, once))
    game = await game_then(hub, done.game_id, done.revision)
    if not await is_still_held(hub, done, seat_token):
        status = (await hub.game(done.game_id)).head.status.name
        message = "you gave the seat back; your token of the old game is its invitation code, if you want it again"
        raise Refusal(Reason.SEAT_UNAVAILABLE, message, seat=str(done.seat), status=status)
    return game_service_pb2.RematchResponse(game=game, seat=done.seat, seat_token=seat_token)


def _newcomer(old: Playthrough, old_seat: int, old_token: str, nonce: bytes, new_hash: bytes) -> Newcomer:
    seat = old.seats[old_seat]
    assert seat.taken is not None
    return Newcomer(
        seat=(old_seat + STEP) % len(old.seats),
        player_name=seat.taken.player_name,
        nonce=nonce,
        invitation_code=old_token,
        bot_name=seat.created.bot_name,
        token_hash=new_hash,
    )
