"""One seat on a Play connection."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from dragonhall.client.errors import ClientError, DragonhallError
from dragonhall.client.observing import Position
from dragonhall.client.retry import Backoff
from dragonhall.client.seat import Seat, play_answer
from dragonhall.v1 import games_pb2, play_service_pb2

if TYPE_CHECKING:
    from dragonhall.client.play import PlayConnection


class AttachedSeat:
    """What one seat is told, as an async iterator, and its way to answer. Made by `PlayConnection.attach`.

    The iteration brings what `Seat.observe` brings and keeps the same promises. It ends where that ends, and after
    `detach`; it raises the `DragonhallError` with which the server refused the seat (GAME_NOT_FOUND, TOKEN_INVALID,
    REVISION_IN_FUTURE), `ServerUnavailable` when the client's patience ends, or `ConnectionClosed`.
    """

    def __init__(
        self,
        connection: PlayConnection,
        seat: Seat,
        channel: int,
        request: play_service_pb2.AttachSeat,
        backoff: Backoff,
    ) -> None:
        self.seat = seat
        self.channel = channel
        """Its number on the stream."""
        self.backoff = backoff
        self._connection = connection
        self._request = request
        self._position = Position(request)
        self._received: deque[play_service_pb2.ObserveResponse] = deque()
        self._changed = asyncio.Event()
        self._ended = False
        self._error: ClientError | None = None

    def __aiter__(self) -> AttachedSeat:
        return self

    async def __anext__(self) -> play_service_pb2.ObserveResponse:
        while not self._received:
            if self._error is not None:
                raise self._error.with_traceback(None)  # several may wait for it
            if self._ended:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        return self._received.popleft()

    async def submit(
        self,
        decision_id: int,
        *,
        action_index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """As `Seat.submit`: returns once the answer is stored, and raises what that raises, and `ConnectionClosed`.

        A caller that is cancelled while it waits does not take the answer back.
        """
        thought = self.seat.prompts.thought(decision_id)
        return await self._connection.submit(self, play_answer(decision_id, action_index, action, thought=thought))

    async def validate(
        self,
        decision_id: int,
        *,
        action_index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """As `Seat.validate`: what `submit` would do, without doing it."""
        return await self._connection.submit(self, play_answer(decision_id, action_index, action, validate_only=True))

    def detach(self) -> None:
        """Ends the iteration. The game goes on and waits for this seat when it is asked; attach again to go on."""
        self._connection.detach(self)

    # -- for the connection -------------------------------------------------------------------------------------------

    def attach_command(self) -> play_service_pb2.PlayCommand:
        """Attaches the seat from where its reader is."""
        return play_service_pb2.PlayCommand(channel=self.channel, attach=self._request)

    def receive(self, observation: play_service_pb2.ObserveResponse) -> bool:
        """Hands an observation to the reader. Returns whether it is the last one."""
        self.backoff.reset()
        self.seat.prompts.note(observation)
        if self._position.move(observation):
            self._received.append(observation)
            self._changed.set()
        return self._position.is_last(observation)

    def is_ended_by(self, error: DragonhallError) -> bool:
        """As `Position.is_ended_by`."""
        return self._position.is_ended_by(error)

    def end(self, error: ClientError | None) -> None:
        """Ends the iteration once everything received was read; with ``error`` by raising it."""
        self._ended = True
        self._error = error
        self._changed.set()
