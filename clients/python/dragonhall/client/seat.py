"""A seat that was taken: watch the game from it, and answer what it is asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2

if TYPE_CHECKING:
    from dragonhall.client.client import Client

ON_SNAPSHOT = play_service_pb2.VIEW_DELIVERY_ON_SNAPSHOT


class Seat:
    """One seat of one game, with the token that proves it. Made by `Client.take_seat` and `Client.seat`."""

    def __init__(self, client: Client, game_id: str, number: int, token: str) -> None:
        self._client = client
        self.game_id = game_id
        self.number = number
        """0-based, clockwise."""
        self.token = token
        """A secret. Whoever has it plays this seat; keep it to come back with `Client.seat`."""

    def __repr__(self) -> str:
        return f"<seat {self.number} of game {self.game_id}>"

    def observe(
        self,
        *,
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        include_history: bool = False,
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """The game as this seat sees it: a snapshot, then every revision's update, until the game has ended or the seat
        was given back.

        Reconnects by itself and then continues after the last revision it has brought; none is missing, none comes
        twice. A reader that fell far behind gets one more snapshot (``caught_up``) in place of updates.

        ``from_revision`` > 0 (last seen + 1) starts with that revision's update instead of a snapshot. If that revision
        is still to come and the seat is asked, it starts with a heartbeat that has the open decision; all other
        heartbeats are kept back.

        Raises `DragonhallError` (GAME_NOT_FOUND, TOKEN_INVALID, REVISION_IN_FUTURE), and `ServerUnavailable` when the
        client's patience ends.
        """
        return self._client.observe(
            self.game_id,
            seat_token=self.token,
            from_revision=from_revision,
            view_delivery=view_delivery,
            include_history=include_history,
        )

    async def submit(
        self,
        decision_id: int,
        *,
        action_index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """Answers a decision, by a legal action's index or by the action itself. Returns once the answer is stored.

        If the connection breaks, the same answer is sent again until the server has told what became of it; a ticket is
        answered once, so nothing is ever played twice.

        Raises `ValueError` unless exactly one of the two is given, `DragonhallError` (ILLEGAL_ACTION, DECISION_UNKNOWN,
        DECISION_ANSWERED, GAME_NOT_RUNNING, TOKEN_INVALID), and `ServerUnavailable` when the client's patience ends:
        the answer may then stand or not, and the same call again finds out.
        """
        answer = play_answer(decision_id, action_index, action)
        request = submit_request(self.game_id, self.token, answer)
        return await self._client.submit(request)

    async def leave(self) -> game_pb2.Game:
        """Gives the seat back before the game has started; this object is worth nothing afterwards.

        Raises `DragonhallError` (GAME_RUNNING, TOKEN_INVALID) and `ServerUnavailable`.
        """
        return await self._client.leave_seat(self.game_id, self.token)


def play_answer(
    decision_id: int, action_index: int | None, action: games_pb2.GameAction | None
) -> play_service_pb2.PlayAnswer:
    """An answer to a decision. Raises `ValueError` unless exactly one of the two ways to tell it is used."""
    if action_index is not None and action is None:
        return play_service_pb2.PlayAnswer(decision_id=decision_id, action_index=action_index)
    if action is not None and action_index is None:
        return play_service_pb2.PlayAnswer(decision_id=decision_id, action=action)
    raise ValueError("give either action_index or action, not both and not neither")


def submit_request(game_id: str, token: str, answer: play_service_pb2.PlayAnswer) -> play_service_pb2.SubmitRequest:
    """The unary request that says the same as ``answer`` on a seat's channel."""
    request = play_service_pb2.SubmitRequest(game_id=game_id, seat_token=token, decision_id=answer.decision_id)
    if answer.HasField("action"):
        request.action.CopyFrom(answer.action)
    else:
        request.action_index = answer.action_index
    return request
