"""What a seat, or a spectator, knew at a revision."""

from __future__ import annotations

import asyncio

from dragonhall.server.game import LiveGame
from dragonhall.server.log import LogEntry
from dragonhall.server.operations.roles import check_may_watch, role_of
from dragonhall.server.refusal import Reason, Refusal, invalid_field, revision_in_future
from dragonhall.server.services.reader import spectators_source
from dragonhall.server.services.render import Renderer
from dragonhall.server.trail import Trail
from dragonhall.v1 import play_service_pb2, record_service_pb2


async def perspective(
    game: LiveGame, request: record_service_pb2.GetPerspectiveRequest
) -> record_service_pb2.GetPerspectiveResponse:
    """A snapshot with history, as a stream would have begun with it at that revision. Raises `Refusal`."""
    seat = checked_seat(game, request)
    if not game.head.status.is_over:
        _check_may_know(game, seat, request.token)
    source = game if seat is not None else spectators_source(game)
    newest = source.head.revision
    if request.revision > newest:
        raise revision_in_future("revision", newest, most=newest)
    revision = request.revision or newest
    log = game.log()[:revision]
    snapshot = await asyncio.to_thread(_snapshot, game.trail(), log, game.playthrough.created.game, seat)
    return record_service_pb2.GetPerspectiveResponse(revision=revision, snapshot=snapshot)


def checked_seat(
    game: LiveGame, request: record_service_pb2.GetPerspectiveRequest | record_service_pb2.ReplayGameRequest
) -> int | None:
    """Whose view is asked for; ``None``: a spectator's. Raises `Refusal`, also for who may not know of the game."""
    check_may_watch(game.playthrough, request.token)
    if not request.HasField("seat"):
        return None
    seats = len(game.playthrough.seats)
    if request.seat >= seats:
        raise invalid_field("seat", f"the game has seats 0 to {seats - 1}")
    return request.seat


def _check_may_know(game: LiveGame, seat: int | None, token: str) -> None:
    """Raises `Refusal` unless ``token`` is for this view of a game that goes on."""
    if seat is None and not token:
        return
    role = role_of(game.playthrough, token)
    if seat is not None and role.seat != seat:
        raise Refusal(
            Reason.NOT_YOUR_ROLE, f"this is {role.whose} token; while the game goes on, seat {seat}'s is needed"
        )


def _snapshot(trail: Trail, log: list[LogEntry], game: str, seat: int | None) -> play_service_pb2.Snapshot:
    trail.read(log)
    renderer = Renderer(game, now_us=lambda: log[-1].time_us)
    message = renderer.snapshot(trail.head, seat, history=trail.history())
    return play_service_pb2.ObserveResponse.FromString(message).snapshot
