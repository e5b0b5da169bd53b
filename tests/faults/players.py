"""Clumsy players: they disconnect, stall, answer twice, otherwise, too late and out of order, leave and come back.

`UnaryPlayer` plays one seat with Observe and Submit, `PlayPlayer` many seats of many games on one Play stream. Both go
on whatever happens to the server, until their games are over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, Final, TypeVar

import grpc

from dragonhall.v1 import errors_pb2, game_service_pb2, play_service_pb2
from dragonhall.v1.play_service_pb2 import AttachSeat, PlayAnswer, PlayCommand, PlayMessage, PlayRequest
from tests.faults.seats import Asked, Seat
from tests.faults.stubborn import AGAIN
from tests.service.harness import Client, refused

T = TypeVar("T")

PAUSES: Final = (0.05, 0.3)
"""Seconds, from and to, until something is tried again."""

STALL: Final = (0.05, 0.6)
AWAY: Final = (0.1, 0.8)

MISTAKE: Final = Asked(decision_id=1 << 40, actions=1, index=0, seconds=None)
"""Was never asked."""

NOTHING_TO_DO: Final = frozenset(
    {"UNDO_NOT_POSSIBLE", "SEAT_AWAY", "SEAT_UNAVAILABLE", "GAME_NOT_RUNNING", "TOKEN_INVALID"}
)
"""How what is done beside answering may be refused: the game has gone on meanwhile."""


async def patiently(rng: Random, attempt: Callable[[], Awaitable[T]]) -> T:
    """Tries again while the server cannot be reached."""
    while True:
        try:
            return await attempt()
        except grpc.aio.AioRpcError as error:
            if not is_cut(error):
                raise
            await asyncio.sleep(rng.uniform(*PAUSES))


def is_cut(error: grpc.aio.AioRpcError) -> bool:
    """Whether the connection was lost. In a task that is to end: raises `asyncio.CancelledError`, as gRPC may not."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
    return error.code() in AGAIN or "Internal error from Core" in (error.details() or "")  # a write while it was cut


class Tasks:
    """What a player does beside reading. A failure is the player's."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begins it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)

    def check(self) -> None:
        """Raises what failed."""
        for task in [task for task in self._tasks if task.done()]:
            self._tasks.discard(task)
            task.result()

    async def end(self) -> None:
        """Waits for all of it."""
        while self._tasks:
            await asyncio.wait(self._tasks)
            self.check()


@dataclass
class Sidelines:
    """What is done around a game, by unary calls, whatever else the player uses."""

    client: Client
    seat: Seat

    async def _try(self, call: Callable[..., Awaitable[Any]], request: object) -> None:
        try:
            await patiently(self.seat.rng, lambda: call(request))
        except grpc.aio.AioRpcError as error:
            refusal = refused(error)
            if refusal.reason not in NOTHING_TO_DO:
                raise
            self.seat.counts[f"{refusal.reason} {refusal.metadata.get('why', '')}".strip()] += 1

    async def leave_and_come_back(self) -> None:
        """A seat may be lost by this, if its game is so."""
        names = {"game_id": self.seat.game_id, "seat_token": self.seat.token}
        await self._try(self.client.games.LeaveSeat, game_service_pb2.LeaveSeatRequest(**names))
        await asyncio.sleep(self.seat.rng.uniform(*AWAY))
        await self._try(self.client.games.TakeBackSeat, game_service_pb2.TakeBackSeatRequest(**names))

    async def ask_undo(self, decision_id: int) -> None:
        """Wants its newest answer back."""
        request = play_service_pb2.AskUndoRequest(
            game_id=self.seat.game_id, seat_token=self.seat.token, decision_id=decision_id
        )
        await self._try(self.client.play.AskUndo, request)

    async def answer_undo(self, decision_id: int) -> None:
        """Agrees, or does not."""
        request = play_service_pb2.AnswerUndoRequest(
            game_id=self.seat.game_id,
            seat_token=self.seat.token,
            decision_id=decision_id,
            agree=not self.seat.does("refuse"),
        )
        await self._try(self.client.play.AnswerUndo, request)

    def after_message(self, tasks: Tasks) -> None:
        """What a message may lead to."""
        if self.seat.consent_asked:
            tasks.start(self.answer_undo(self.seat.consent_asked))
            self.seat.consent_asked = 0

    async def after_answer(self, asked: Asked) -> None:
        """What an answer may lead to."""
        if self.seat.is_substitute:
            return
        if asked.decision_id in self.seat.accepted and self.seat.does("undo"):
            await self.ask_undo(asked.decision_id)
        if self.seat.does("leave"):
            await self.leave_and_come_back()


async def submit(client: Client, seat: Seat, asked: Asked, index: int) -> None:
    """One answer by a unary call, as often as it takes until it has its result."""
    request = play_service_pb2.SubmitRequest(
        game_id=seat.game_id, seat_token=seat.token, decision_id=asked.decision_id, action_index=index
    )
    try:
        result = await patiently(seat.rng, lambda: client.play.Submit(request))
    except grpc.aio.AioRpcError as error:
        refusal = refused(error)
        if not (seat.is_substitute and refusal.reason == "TOKEN_INVALID"):  # the seat was taken back
            seat.refuse(asked, index, refusal.reason, refusal.metadata)
    else:
        seat.take(asked, index, result)


class UnaryPlayer:
    """Plays one seat, or watches, with Observe and Submit."""

    def __init__(self, client: Client, seat: Seat) -> None:
        self._client = client
        self._seat = seat
        self._sidelines = Sidelines(client, seat)
        self._tasks = Tasks()
        self._under_way: set[int] = set()

    async def play(self) -> None:
        """To the game's end."""
        seat = self._seat
        while not seat.is_over:
            await self._one_stream()
            self._tasks.check()
            await asyncio.sleep(seat.rng.uniform(*PAUSES))
        await self._tasks.end()

    async def _one_stream(self) -> None:
        seat = self._seat
        seat.counts["streams"] += 1
        request = play_service_pb2.ObserveRequest(
            game_id=seat.game_id, seat_token=seat.token, from_revision=seat.next_revision
        )
        call: Any = self._client.play.Observe(request)
        try:
            await self._read(call)
        except grpc.aio.AioRpcError as error:
            if not is_cut(error):
                if not (seat.is_substitute and refused(error).reason == "TOKEN_INVALID"):
                    raise
                seat.is_over = True  # the seat was taken back
        finally:
            call.cancel()

    async def _read(self, call: Any) -> None:
        seat = self._seat
        while (message := await call.read()) is not grpc.aio.EOF:
            asked = seat.hear(message)
            self._sidelines.after_message(self._tasks)
            if asked is not None and asked.decision_id not in self._under_way:
                self._under_way.add(asked.decision_id)
                self._tasks.start(self._answer(asked))
            if seat.does("stall"):
                await asyncio.sleep(seat.rng.uniform(*STALL))
            if seat.does("disconnect"):
                return
        seat.is_over = True  # it ends by itself when nothing more comes

    async def _answer(self, asked: Asked) -> None:
        seat = self._seat
        await asyncio.sleep(seat.seconds_to_think(asked))
        copies = 2 if seat.does("repeat") else 1
        await asyncio.gather(*(self._submit(asked, asked.index) for _ in range(copies)))
        if asked.decision_id in seat.accepted:
            if copies > 1:
                await self._repeat_an_old_one()
            if asked.actions > 1 and seat.does("contradict"):
                await self._submit(asked, asked.other_index)
        if seat.does("mistake"):
            await self._submit(MISTAKE, 0)
        self._under_way.discard(asked.decision_id)
        await self._sidelines.after_answer(asked)

    async def _repeat_an_old_one(self) -> None:
        old = self._seat.rng.choice(list(self._seat.accepted.values()))
        await self._submit(Asked(old.decision_id, 1, old.index, None), old.index)

    async def _submit(self, asked: Asked, index: int) -> None:
        await submit(self._client, self._seat, asked, index)


@dataclass(frozen=True)
class Sent:
    """An answer whose result has not come."""

    channel: int
    seat: Seat
    asked: Asked
    index: int


class PlayPlayer:
    """Plays many seats on one Play stream after another: more are added as long as it runs."""

    def __init__(self, client: Client, rng: Random) -> None:
        self._client = client
        self._rng = rng
        self._seats: dict[int, Seat] = {}
        """By channel."""
        self._channels = count(1)
        self._tasks = Tasks()
        self._ids = count(1)
        self._sent: dict[int, Sent] = {}
        """By command id, in the order in which they were sent."""
        self._outbox: list[PlayCommand] = []
        self._more = asyncio.Event()
        self._heard = asyncio.Condition()

    async def play(self, seat: Seat) -> None:
        """One seat, to its game's end."""
        channel = next(self._channels)
        self._seats[channel] = seat
        self._outbox.append(self._attach(channel, seat))
        self._more.set()
        async with self._heard:
            await self._heard.wait_for(lambda: seat.is_over and not self._is_owed(seat))

    def _is_owed(self, seat: Seat) -> bool:
        return any(sent.seat is seat for sent in self._sent.values())

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._one_stream()
            self._tasks.check()
            await asyncio.sleep(self._rng.uniform(*PAUSES))

    async def _one_stream(self) -> None:
        call: Any = self._client.play.Play()
        await self._begin()
        writing = asyncio.create_task(self._write(call))
        try:
            await self._read(call)
        except grpc.aio.AioRpcError as error:
            if not is_cut(error):
                raise
        finally:
            writing.cancel()
            call.cancel()

    async def _begin(self) -> None:
        """Attaches all seats, and repeats what was not answered."""
        self._seats = {channel: seat for channel, seat in self._seats.items() if not seat.is_over}
        sent, self._sent = list(self._sent.values()), {}
        self._outbox = [self._attach(channel, seat) for channel, seat in self._seats.items()]
        for answer in sent:
            self._send(answer)
        self._more.set()
        async with self._heard:
            self._heard.notify_all()

    def _attach(self, channel: int, seat: Seat) -> PlayCommand:
        seat.counts["streams"] += 1
        attach = AttachSeat(game_id=seat.game_id, seat_token=seat.token, from_revision=seat.next_revision)
        return PlayCommand(channel=channel, attach=attach)

    async def _write(self, call: Any) -> None:
        """Whatever there is, in one message. That the stream is broken is told by reading."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._more.wait()
                self._more.clear()
                commands, self._outbox = self._outbox, []
                if commands:
                    await call.write(PlayRequest(commands=commands))

    async def _read(self, call: Any) -> None:
        while (response := await call.read()) is not grpc.aio.EOF:
            for message in response.messages:
                self._hear(message)
            async with self._heard:
                self._heard.notify_all()
            self._tasks.check()
            if self._seats:
                seat = self._rng.choice(list(self._seats.values()))
                if seat.does("stall"):
                    await asyncio.sleep(self._rng.uniform(*STALL))
                if seat.does("disconnect"):
                    return

    def _hear(self, message: PlayMessage) -> None:
        kind = message.WhichOneof("message")
        if kind == "observation":
            self._observe(message.channel, message.observation)
        elif kind == "closed":
            self._seats.pop(message.channel).is_over = True
        else:
            sent = self._sent.pop(message.command_id)
            self._result(sent, message)

    def _observe(self, channel: int, observation: play_service_pb2.ObserveResponse) -> None:
        seat = self._seats[channel]
        asked = seat.hear(observation)
        Sidelines(self._client, seat).after_message(self._tasks)
        if asked is not None:
            seat.settled.add(asked.decision_id)  # it is sent until its result comes, however often it is asked
            self._tasks.start(self._answer(channel, seat, asked))

    async def _answer(self, channel: int, seat: Seat, asked: Asked) -> None:
        await asyncio.sleep(seat.seconds_to_think(asked))
        self._send(Sent(channel, seat, asked, asked.index))
        if seat.does("repeat"):
            self._send(Sent(channel, seat, asked, asked.index))
        if asked.actions > 1 and seat.does("contradict"):
            self._send(Sent(channel, seat, asked, asked.other_index))
        if seat.does("mistake"):
            self._send(Sent(channel, seat, MISTAKE, 0))

    def _send(self, sent: Sent) -> None:
        if sent.seat.is_over:
            self._submit(sent)
            return
        number = next(self._ids)
        self._sent[number] = sent
        answer = PlayAnswer(decision_id=sent.asked.decision_id, action_index=sent.index)
        self._outbox.append(PlayCommand(channel=sent.channel, command_id=number, answer=answer))
        self._more.set()

    def _submit(self, sent: Sent) -> None:
        """For an answer whose channel is not open any more."""
        self._tasks.start(submit(self._client, sent.seat, sent.asked, sent.index))

    def _result(self, sent: Sent, message: PlayMessage) -> None:
        if message.HasField("result"):
            sent.seat.take(sent.asked, sent.index, message.result)
            self._tasks.start(Sidelines(self._client, sent.seat).after_answer(sent.asked))
            return
        error = message.error
        reason = errors_pb2.ErrorReason.Name(error.reason).removeprefix("ERROR_REASON_")
        if reason == "STORE_UNAVAILABLE":
            self._send(sent)
        elif reason == "INVALID_FIELD" and error.metadata["field"] == "channel":
            self._submit(sent)
        else:
            sent.seat.refuse(sent.asked, sent.index, reason, dict(error.metadata))
            if reason == "SEAT_AWAY":
                sent.seat.settled.discard(sent.asked.decision_id)
