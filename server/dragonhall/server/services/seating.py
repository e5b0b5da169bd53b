"""Taking seats, as players and bots ask for them."""

from __future__ import annotations

from dragonhall.server.hub import Hub
from dragonhall.server.operations.roles import holds_seat
from dragonhall.server.operations.seats import Newcomer, take_seat
from dragonhall.server.services import checks
from dragonhall.server.services.once import Done, Once, game_then, reused
from dragonhall.server.tokens import TokenMaker, token_hash
from dragonhall.v1 import game_service_pb2


async def take(hub: Hub, request: game_service_pb2.TakeSeatRequest) -> game_service_pb2.TakeSeatResponse:
    """A seat, and maybe the game's start."""
    once = Once.asked(hub, request, request.request_id)
    seat_token = TokenMaker(hub.store.secret, request.request_id).token("seat")

    async def sit_down() -> Done:
        newcomer = _newcomer(request, seat_token)
        game = await hub.game(request.game_id)
        seated = await game.carry_out(
            take_seat(newcomer, lambda seat, revision: once.answered_by(game.game_id, seat, revision))
        )
        return Done(game.game_id, seated.seat, seated.revision)

    done = await once.do(sit_down)
    await check_still_held(hub, done, seat_token)
    return game_service_pb2.TakeSeatResponse(
        game=await game_then(hub, done.game_id, done.revision), seat=done.seat, seat_token=seat_token
    )


async def check_still_held(hub: Hub, done: Done, seat_token: str) -> None:
    """Raises `Refusal` if the seat that a request once took was given back since: its token would be a dead one."""
    game = await hub.game(done.game_id)
    if not holds_seat(game.playthrough, done.seat, seat_token):
        raise reused(f"the seat {done.seat} that this request took is no longer its taker's; use a fresh request_id")


def _newcomer(request: game_service_pb2.TakeSeatRequest, seat_token: str) -> Newcomer:
    return Newcomer(
        seat=request.seat if request.HasField("seat") else None,
        player_name=checks.player_name(request.player_name),
        nonce=checks.nonce(request.nonce),
        invitation_code=checks.invitation_code(request.invitation_code),
        bot_name=request.bot_name and checks.bot_name("bot_name", request.bot_name),
        token_hash=token_hash(seat_token),
    )
