"""Taking seats, as players and bots ask for them."""

from __future__ import annotations

from collections.abc import Callable

from dragonhall.server.game import Plan
from dragonhall.server.hub import Hub
from dragonhall.server.operations.roles import is_held_with
from dragonhall.server.operations.seats import Newcomer, Seated, take_seat, unless_private
from dragonhall.server.services import checks
from dragonhall.server.services.once import Done, Once, game_then, reused
from dragonhall.server.services.rpc import caller
from dragonhall.server.tokens import TokenMaker, token_hash
from dragonhall.v1 import game_pb2, game_service_pb2


async def take(hub: Hub, request: game_service_pb2.TakeSeatRequest) -> game_service_pb2.TakeSeatResponse:
    """A seat, and maybe the game's start."""
    once = Once.asked(hub, request, request.request_id)
    seat_token = TokenMaker(hub.store.secret, request.request_id).token("seat")

    async def take() -> Done:
        return await sit_down(hub, request.game_id, _newcomer(request, seat_token), once, unless_private)

    done = await once.do(take)
    game = await game_with_seat(hub, done, seat_token)
    return game_service_pb2.TakeSeatResponse(game=game, seat=done.seat, seat_token=seat_token)


async def sit_down(
    hub: Hub,
    game_id: str,
    newcomer: Newcomer,
    once: Once,
    with_care: Callable[[Plan[Seated]], Plan[Seated]] = lambda plan: plan,
) -> Done:
    """Gives ``newcomer`` a seat, as the answer to ``once``. Raises what the store or the seat's taking raises."""
    game = await hub.game(game_id)
    plan = take_seat(newcomer, lambda seat, revision: once.answered_by(game_id, seat, revision))
    seated = await game.carry_out(with_care(plan))
    return Done(game_id, seated.seat, seated.revision)


async def game_with_seat(hub: Hub, done: Done, seat_token: str) -> game_pb2.Game:
    """The game as it was when a request took a seat.

    Raises `Refusal` if the seat is no longer the taker's: the token that would be handed out again is a dead one.
    """
    game = await game_then(hub, done.game_id, done.revision)
    if not await is_still_held(hub, done, seat_token):
        raise reused("the seat that this request took was given back, or taken back, since; use a fresh request_id")
    return game


async def is_still_held(hub: Hub, done: Done, seat_token: str) -> bool:
    """Whether the seat that a request took is the taker's still."""
    game = await hub.game(done.game_id)
    return is_held_with(game.head.seats[done.seat], seat_token)


def _newcomer(request: game_service_pb2.TakeSeatRequest, seat_token: str) -> Newcomer:
    newcomer = Newcomer(
        seat=request.seat if request.HasField("seat") else None,
        player_name=checks.player_name(request.player_name),
        nonce=checks.nonce(request.nonce),
        invitation_code=checks.invitation_code(request.invitation_code),
        bot_name=request.bot_name and checks.bot_name("bot_name", request.bot_name),
        token_hash=token_hash(seat_token),
    )
    if newcomer.bot_name:
        caller().check_bot(newcomer.bot_name)
    return newcomer
