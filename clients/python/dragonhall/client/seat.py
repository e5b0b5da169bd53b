"""A seat that was taken: watch the game from it, and answer what it is asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta

from dragonhall.client.connection import Connection
from dragonhall.client.errors import DragonhallError
from dragonhall.client.observing import observe
from dragonhall.client.prompts import Prompts
from dragonhall.client.settings import duration
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2, play_service_pb2, record_service_pb2

ON_SNAPSHOT = play_service_pb2.VIEW_DELIVERY_ON_SNAPSHOT
SNAPSHOT_AND_UPDATES = play_service_pb2.STREAM_CONTENT_SNAPSHOT_AND_UPDATES


class Seat:
    """One seat of one game, with the token that proves it. Made by `Client.take_seat`, `find_game` and `seat`."""

    def __init__(self, connection: Connection, game_id: str, number: int, token: str) -> None:
        self._connection = connection
        self.game_id = game_id
        self.number = number
        """0-based, clockwise."""
        self.token = token
        """A secret. Whoever has it plays this seat; keep it to come back with `Client.seat`."""
        self.prompts = Prompts()
        """What it was asked over any of its streams, to measure for how long its player thinks."""

    def __repr__(self) -> str:
        return f"<seat {self.number} of game {self.game_id}>"

    # -- playing ------------------------------------------------------------------------------------------------------

    async def observe(
        self,
        *,
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        include_history: bool = False,
        content: play_service_pb2.StreamContent.ValueType = SNAPSHOT_AND_UPDATES,
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """The game as this seat sees it: a snapshot, then every revision's update, until the game has ended or the seat
        was given back, or taken back from a substitute.

        Reconnects by itself and then continues after the last revision it has brought; none is missing, none comes
        twice. A reader that fell far behind gets one more snapshot (``caught_up``) in place of updates. An answer that
        was taken back is an update like any other, with the event ``undone`` and the whole view.

        ``from_revision`` > 0 (last seen + 1) starts with that revision's update instead of a snapshot. If that revision
        is still to come and the seat is asked, it starts with a heartbeat that has the open decision, and so it does
        with STREAM_CONTENT_UPDATES; all other heartbeats are kept back. STREAM_CONTENT_SNAPSHOT ends after a snapshot.

        Raises `DragonhallError` (GAME_NOT_FOUND, TOKEN_INVALID, REVISION_IN_FUTURE), and `ServerUnavailable` when the
        client's patience ends.
        """
        request = play_service_pb2.ObserveRequest(
            game_id=self.game_id,
            seat_token=self.token,
            from_revision=from_revision,
            view_delivery=view_delivery,
            include_history=include_history,
            content=content,
        )
        observations = observe(self._connection, self._connection.play.Observe, request, observation_of)
        try:
            async for observation in observations:
                self.prompts.note(observation)
                yield observation
        finally:
            await observations.aclose()

    async def submit(
        self,
        decision_id: int,
        *,
        action_index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """Answers a decision, by a legal action's index or by the action itself. Returns once the answer is stored.

        If the connection breaks, the same answer is sent again until the server has told what became of it; a ticket is
        answered once, so nothing is ever played twice. If the prompt came over one of this object's streams, the server
        is told how long ago that was, for the record (see ``TimeSpent``).

        Raises `ValueError` unless exactly one of the two is given; `TooLate` (TIME_RAN_OUT, DECISION_ANSWERED) if
        another answer stands, after which the seat plays on; `DragonhallError` (ILLEGAL_ACTION, DECISION_UNKNOWN,
        SEAT_AWAY, GAME_NOT_RUNNING, TOKEN_INVALID), and `ServerUnavailable` when the client's patience ends: the answer
        may then stand or not, and the same call again finds out.
        """
        answer = play_answer(decision_id, action_index, action, thought=self.prompts.thought(decision_id))
        return await self._submit(answer)

    async def validate(
        self,
        decision_id: int,
        *,
        action_index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """Whether `submit` would be accepted: checks everything and changes nothing. Raises what that would raise.

        The answer has the action as the prompt lists it, and revision 0; of a decision that was answered alike, the
        first result.
        """
        return await self._submit(play_answer(decision_id, action_index, action, validate_only=True))

    async def _submit(self, answer: play_service_pb2.PlayAnswer) -> play_service_pb2.SubmitResponse:
        request = submit_request(self.game_id, self.token, answer)
        return await self._connection.call(self._connection.play.Submit, request)

    # -- taking back --------------------------------------------------------------------------------------------------

    async def ask_undo(self, decision_id: int) -> play_service_pb2.AskUndoResponse:
        """Asks to take back this seat's answer to that decision, the newest one of the game.

        Whether that is granted comes on the stream: undo_agreed, undo_ended, or undone. If nobody has to agree, it is
        done at once.

        Raises `DragonhallError` (UNDO_NOT_POSSIBLE, see `DragonhallError.why`; SEAT_AWAY, GAME_NOT_RUNNING,
        TOKEN_INVALID) and `ServerUnavailable`.
        """
        request = play_service_pb2.AskUndoRequest(game_id=self.game_id, seat_token=self.token, decision_id=decision_id)
        return await self._connection.call(self._connection.play.AskUndo, request)

    async def answer_undo(self, decision_id: int, *, agree: bool) -> play_service_pb2.AnswerUndoResponse:
        """Agrees to another seat's request (``UndoAsked.decision_id``), or refuses it.

        Raises `DragonhallError` (UNDO_NOT_POSSIBLE if there is no such request any more, which may be so because an
        attempt of this call was carried out and its answer lost; the stream tells) and `ServerUnavailable`.
        """
        request = play_service_pb2.AnswerUndoRequest(
            game_id=self.game_id, seat_token=self.token, decision_id=decision_id, agree=agree
        )
        return await self._connection.call(self._connection.play.AnswerUndo, request)

    # -- coming and going ---------------------------------------------------------------------------------------------

    async def leave(self) -> game_pb2.Game:
        """Before the start: gives the seat back; this object is worth nothing afterwards. In a running game: resigns,
        with the consequences that ``GameSettings.absence`` says; `take_back` may undo that.

        Of a private game only the game_id is returned if the first answer was lost.

        Raises `DragonhallError` (TOKEN_INVALID, GAME_NOT_RUNNING) and `ServerUnavailable`.
        """
        request = game_service_pb2.LeaveSeatRequest(game_id=self.game_id, seat_token=self.token)

        async def left_before(error: DragonhallError) -> game_service_pb2.LeaveSeatResponse | None:
            if error.reason not in ("TOKEN_INVALID", "GAME_NOT_FOUND"):
                return None
            return game_service_pb2.LeaveSeatResponse(game=await self._public_game())

        return (await self._connection.change(self._connection.games.LeaveSeat, request, left_before)).game

    async def _public_game(self) -> game_pb2.Game:
        """The game as strangers see it: of a private one, its id."""
        request = game_service_pb2.GetGameRequest(game_id=self.game_id)
        try:
            return (await self._connection.call(self._connection.games.GetGame, request)).game
        except DragonhallError as error:
            if error.reason != "GAME_NOT_FOUND":
                raise
            return game_pb2.Game(game_id=self.game_id)

    async def take_back(self) -> game_pb2.Game:
        """Takes the seat of a running game back, from nobody or from a substitute; for whoever took it first.

        Raises `DragonhallError` (SEAT_UNAVAILABLE if it was forfeited, NOT_YOUR_ROLE for a substitute,
        GAME_NOT_RUNNING, TOKEN_INVALID) and `ServerUnavailable`.
        """
        request = game_service_pb2.TakeBackSeatRequest(game_id=self.game_id, seat_token=self.token)
        return (await self._connection.call(self._connection.games.TakeBackSeat, request)).game

    async def rematch(self, *, nonce: bytes = b"") -> Seat:
        """After the game: this player's seat in the same game once more, see ``GameService.Rematch``.

        ``nonce``: as in `Client.take_seat`. Raises `DragonhallError` (GAME_RUNNING, TOKEN_INVALID) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.RematchRequest(game_id=self.game_id, token=self.token, nonce=nonce)
        again = await self._connection.call(self._connection.games.Rematch, request)
        return Seat(self._connection, again.game.game_id, again.seat, again.seat_token)

    # -- looking back -------------------------------------------------------------------------------------------------

    async def perspective(self, revision: int = 0) -> record_service_pb2.GetPerspectiveResponse:
        """What this seat knew at a revision (0: the newest), with its history. While the game runs, for the seat alone.

        Raises `DragonhallError` (GAME_NOT_FOUND, REVISION_IN_FUTURE, TOKEN_INVALID) and `ServerUnavailable`.
        """
        request = record_service_pb2.GetPerspectiveRequest(
            game_id=self.game_id, seat=self.number, token=self.token, revision=revision
        )
        return await self._connection.call(self._connection.records.GetPerspective, request)


def observation_of(message: object) -> play_service_pb2.ObserveResponse | None:
    """The message of an Observe stream; ``None`` for its end."""
    return message if isinstance(message, play_service_pb2.ObserveResponse) else None


def play_answer(
    decision_id: int,
    action_index: int | None,
    action: games_pb2.GameAction | None,
    *,
    validate_only: bool = False,
    thought: timedelta | None = None,
) -> play_service_pb2.PlayAnswer:
    """An answer to a decision. Raises `ValueError` unless exactly one of the two ways to tell it is used."""
    answer = play_service_pb2.PlayAnswer(decision_id=decision_id, action=action, validate_only=validate_only)
    if (action_index is None) == (action is None):
        raise ValueError("give either action_index or action, not both and not neither")
    if action_index is not None:
        answer.action_index = action_index
    if thought is not None:
        answer.thought.CopyFrom(duration(thought))
    return answer


def submit_request(game_id: str, token: str, answer: play_service_pb2.PlayAnswer) -> play_service_pb2.SubmitRequest:
    """The unary request that says the same as ``answer`` on a seat's channel."""
    request = play_service_pb2.SubmitRequest(
        game_id=game_id, seat_token=token, decision_id=answer.decision_id, validate_only=answer.validate_only
    )
    if answer.HasField("action"):
        request.action.CopyFrom(answer.action)
    else:
        request.action_index = answer.action_index
    if answer.HasField("thought"):
        request.thought.CopyFrom(answer.thought)
    return request
