"""Many seats of many games over one `Play` stream, which is opened again whenever it breaks."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Coroutine
from types import TracebackType
from typing import Final, Self

from grpc import aio

from dragonhall.client.attached import AttachedSeat
from dragonhall.client.connection import Connection
from dragonhall.client.errors import ClientError, ConnectionClosed, DragonhallError, from_message
from dragonhall.client.observing import raise_if_closed_here
from dragonhall.client.retry import NO_ANSWER, Backoff, Setback, cancellations, raise_if_cancelled_since, setback_of
from dragonhall.client.seat import ON_SNAPSHOT, SNAPSHOT_AND_UPDATES, Seat, submit_request
from dragonhall.v1 import play_service_pb2

_Call = aio.StreamStreamCall[play_service_pb2.PlayRequest, play_service_pb2.PlayResponse]

_BATCH: Final = 256
"""Commands in one message at most: some 20 KiB."""


class _Answer:
    """An answer that the server has not acknowledged yet."""

    def __init__(self, seat: AttachedSeat, command: play_service_pb2.PlayCommand, backoff: Backoff) -> None:
        self.seat = seat
        self.command = command
        self.backoff = backoff
        self.result: asyncio.Future[play_service_pb2.SubmitResponse] = asyncio.get_running_loop().create_future()
        # Whoever asked may be gone when it fails: that is no fault worth a warning.
        self.result.add_done_callback(lambda result: result.cancelled() or result.exception())

    def fail(self, error: ClientError) -> None:
        if not self.result.done():
            self.result.set_exception(error)

    def as_request(self) -> play_service_pb2.SubmitRequest:
        """The same answer for the unary `Submit`."""
        seat = self.seat.seat
        return submit_request(seat.game_id, seat.token, self.command.answer)


class _Silence:
    """Cancels a stream on which commands went out and nothing has come back for too long."""

    def __init__(self, call: _Call, first_limit: float, later_limit: float) -> None:
        self._call = call
        self._limit = first_limit
        self._later_limit = later_limit
        self._timer: asyncio.TimerHandle | None = None
        self.was_too_long = False

    def asked(self) -> None:
        """A command goes out."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._limit, self._expire)

    def heard(self, *, more_is_due: bool) -> None:
        """Something came back."""
        self.end()
        self._limit = self._later_limit
        if more_is_due:
            self.asked()

    def end(self) -> None:
        """Watches no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self.was_too_long = True
        self._call.cancel()


class PlayConnection:
    """Attach seats, iterate over what each is told, and submit; all of it over one stream. Made by `Client.play`.

    When the stream breaks it is opened again: every seat is attached from its last revision + 1, and every answer that
    was not acknowledged is sent again (a ticket is answered once, so that is safe). Whatever is ready at the same time
    goes out in one message. What a seat's reader has not taken yet waits in memory without a limit.

    ``async with client.play() as connection: …``. Leaving the block ends the stream; games go on.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._seats: dict[int, AttachedSeat] = {}
        self._answers: dict[int, _Answer] = {}
        self._apart: set[int] = set()
        """Of these, the numbers of those that the stream owes no result: they wait, or are asked about elsewhere."""
        self._outbox: list[play_service_pb2.PlayCommand] | None = None
        """Commands to write; ``None`` without a stream (a new one begins with everything that is unsettled)."""
        self._outbox_filled = asyncio.Event()
        self._streams = 0
        """How many streams there were."""
        self._side_tasks: set[asyncio.Task[None]] = set()
        self._over: ClientError | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the stream, all iterations (they raise `ConnectionClosed`) and all waiting for answers."""
        self._end(ConnectionClosed("the play connection was closed"))
        tasks = [task for task in (self._task, *self._side_tasks) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def attach(
        self,
        seat: Seat,
        *,
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        include_history: bool = False,
        content: play_service_pb2.StreamContent.ValueType = SNAPSHOT_AND_UPDATES,
    ) -> AttachedSeat:
        """Begins to play ``seat`` here. Iterate over the result, see `AttachedSeat`; parameters as `Seat.observe`.

        Raises `ConnectionClosed`, or the error that ended the connection.
        """
        self._raise_if_over()
        request = play_service_pb2.AttachSeat(
            game_id=seat.game_id,
            seat_token=seat.token,
            from_revision=from_revision,
            view_delivery=view_delivery,
            include_history=include_history,
            content=content,
        )
        attached = AttachedSeat(self, seat, next(self._numbers), request, self._backoff())
        self._seats[attached.channel] = attached
        self._send(attached.attach_command())
        return attached

    async def wait_ended(self) -> None:
        """Waits until the connection has ended, and raises why.

        `DragonhallError` if the server refuses the stream itself, `ServerUnavailable`, or `ConnectionClosed`.
        """
        self._raise_if_over()
        if self._task is not None:
            await asyncio.wait([self._task])
            self._task.result()
        self._raise_if_over()

    # -- what an attached seat asks for -------------------------------------------------------------------------------

    async def submit(self, seat: AttachedSeat, answer: play_service_pb2.PlayAnswer) -> play_service_pb2.SubmitResponse:
        """As `AttachedSeat.submit`."""
        self._raise_if_over()
        number = next(self._numbers)
        command = play_service_pb2.PlayCommand(command_id=number, channel=seat.channel, answer=answer)
        pending = self._answers[number] = _Answer(seat, command, self._backoff())
        if seat.channel in self._seats:
            self._send(command)
        else:
            self._ask_alone(pending)
        return await asyncio.shield(pending.result)

    def detach(self, seat: AttachedSeat) -> None:
        """As `AttachedSeat.detach`."""
        if self._seats.pop(seat.channel, None) is not None:
            self._send(play_service_pb2.PlayCommand(channel=seat.channel, detach=play_service_pb2.DetachSeat()))
            seat.end(None)

    # -- the stream ---------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        backoff = self._backoff()
        try:
            while True:
                await backoff.wait(await self._one_stream(backoff))
        except ClientError as error:
            self._end(error)
        except Exception as fault:  # a token's provider failed: whoever waits for something is told
            self._end(ConnectionClosed(f"the play connection failed: {fault!r}"))
            raise

    async def _one_stream(self, backoff: Backoff) -> Setback:
        """Carries one stream from its beginning to its end; returns why it ended."""
        call: _Call = self._connection.play.Play(metadata=await self._connection.metadata())
        silence = _Silence(call, backoff.first_word_limit(), self._connection.patience.attempt_limit.total_seconds())
        self._streams += 1
        self._outbox = []
        self._send_everything_unsettled()
        writer = asyncio.create_task(self._write(call, silence))
        try:
            await self._read(call, backoff, silence)
            return Setback("the stream ended")
        except aio.AioRpcError as failure:
            raise_if_cancelled_since(0)  # this task is cancelled once, to end
            return setback_of(failure)
        except asyncio.CancelledError:
            if silence.was_too_long and not cancellations():
                return NO_ANSWER
            raise_if_closed_here(call)
            raise
        finally:
            silence.end()
            self._outbox = None
            writer.cancel()
            call.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    def _send_everything_unsettled(self) -> None:
        for seat in self._seats.values():
            self._send(seat.attach_command())
        for number, pending in self._answers.items():
            if pending.seat.channel in self._seats:
                self._apart.discard(number)
                self._send(pending.command)
            else:
                self._ask_alone(pending)

    async def _write(self, call: _Call, silence: _Silence) -> None:
        # A stream that broke is reported by the reader.
        with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._outbox_filled.wait()
                self._outbox_filled.clear()
                while self._outbox:
                    batch, self._outbox[:_BATCH] = self._outbox[:_BATCH], []
                    silence.asked()
                    await call.write(play_service_pb2.PlayRequest(commands=batch))

    async def _read(self, call: _Call, backoff: Backoff, silence: _Silence) -> None:
        while isinstance(response := await call.read(), play_service_pb2.PlayResponse):
            backoff.reset()
            for message in response.messages:
                self._receive(message)
            silence.heard(more_is_due=len(self._answers) > len(self._apart))

    def _send(self, command: play_service_pb2.PlayCommand) -> None:
        if self._outbox is not None:
            self._outbox.append(command)
            self._outbox_filled.set()

    # -- what comes back ----------------------------------------------------------------------------------------------

    def _receive(self, message: play_service_pb2.PlayMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "result":
            self._settle(message.command_id, message.result)
        elif kind == "error":
            self._refused(message.channel, message.command_id, from_message(message.error))
        elif (seat := self._seats.get(message.channel)) is not None:
            if kind == "observation":
                self._observed(seat, message.observation)
            elif kind == "closed":
                self._end_seat(seat)

    def _settle(self, number: int, result: play_service_pb2.SubmitResponse) -> None:
        pending = self._answers.pop(number, None)
        self._apart.discard(number)
        if pending is not None and not pending.result.done():
            pending.result.set_result(result)

    def _observed(self, seat: AttachedSeat, observation: play_service_pb2.ObserveResponse) -> None:
        if seat.receive(observation):
            self._end_seat(seat)

    def _end_seat(self, seat: AttachedSeat) -> None:
        """Nothing is left to be told."""
        del self._seats[seat.channel]
        seat.end(None)

    def _refused(self, channel: int, number: int, error: DragonhallError) -> None:
        unsettled = self._answers.get(number) if number else self._seats.get(channel)
        if unsettled is None:
            return
        if error.retriable:
            self._later(Setback(error.message, error.retry_after), unsettled)
        elif isinstance(unsettled, _Answer) and error.field == "channel":  # closed meanwhile, with the game's end
            self._ask_alone(unsettled)
        elif isinstance(unsettled, AttachedSeat) and unsettled.is_ended_by(error):
            self._end_seat(unsettled)
        else:
            self._give_up(unsettled, error)

    def _give_up(self, unsettled: _Answer | AttachedSeat, error: ClientError) -> None:
        if isinstance(unsettled, AttachedSeat):
            self._seats.pop(unsettled.channel, None)
            unsettled.end(error)
        else:
            self._answers.pop(unsettled.command.command_id, None)
            self._apart.discard(unsettled.command.command_id)
            unsettled.fail(error)

    # -- trying again -------------------------------------------------------------------------------------------------

    def _later(self, setback: Setback, unsettled: _Answer | AttachedSeat) -> None:
        if isinstance(unsettled, _Answer):
            self._apart.add(unsettled.command.command_id)
        self._start(self._send_again(setback, unsettled))

    async def _send_again(self, setback: Setback, unsettled: _Answer | AttachedSeat) -> None:
        stream = self._streams
        try:
            await unsettled.backoff.wait(setback)
        except ClientError as error:
            self._give_up(unsettled, error)
        if stream != self._streams:
            return  # the new stream began with it
        if isinstance(unsettled, AttachedSeat):
            if unsettled.channel in self._seats:
                self._send(unsettled.attach_command())
        elif unsettled.command.command_id in self._answers:
            self._apart.discard(unsettled.command.command_id)
            self._send(unsettled.command)

    def _ask_alone(self, pending: _Answer) -> None:
        """Asks what became of an answer whose channel is gone: the game ended with it, or the seat was detached."""
        self._apart.add(pending.command.command_id)
        self._start(self._submit_alone(pending))

    async def _submit_alone(self, pending: _Answer) -> None:
        request = pending.as_request()
        try:
            result = await self._connection.call(self._connection.play.Submit, request)
        except ClientError as error:
            self._give_up(pending, error)
        else:
            self._settle(pending.command.command_id, result)

    def _backoff(self) -> Backoff:
        return Backoff(self._connection.target, self._connection.patience)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._side_tasks.add(task)
        task.add_done_callback(self._side_tasks.discard)

    # -- the end ------------------------------------------------------------------------------------------------------

    def _raise_if_over(self) -> None:
        if self._over is not None:
            raise self._over.with_traceback(None)
        if self._task is None:
            raise ConnectionClosed("the play connection is not open: use it in an async with block")

    def _end(self, error: ClientError) -> None:
        self._over = self._over or error
        for seat in list(self._seats.values()):
            self._give_up(seat, self._over)
        for answer in list(self._answers.values()):
            self._give_up(answer, self._over)
