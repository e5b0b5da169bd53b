"""What the bot did and was told, as seen beside the line: the evidence for every verdict."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dragonhall.cli.certify.interference import Interference
from dragonhall.cli.certify.proxy import Call
from dragonhall.client import asked
from dragonhall.v1 import errors_pb2, play_service_pb2

_STORED: Final = "stored"


@dataclass
class Answer:
    """One attempt of the bot to answer a decision."""

    game_id: str
    decision_id: int
    command: Any
    """The PlayAnswer or SubmitRequest, as the bot sent it."""
    time: float
    """By `time.monotonic`."""
    outcome: str = ""
    """What the server said: ``stored``, or the reason of its refusal; empty: nothing yet."""

    @property
    def is_stored(self) -> bool:
        """Whether the server has taken it."""
        return self.outcome == _STORED


@dataclass
class Conduct:
    """What the bot did in one game."""

    requests: int = 0
    """That named the game, the answers included."""
    seats: list[int] = field(default_factory=list)
    """That it was given, in order."""
    asked_for: int = 0
    """Times that it asked for a seat."""
    prompts: list[int] = field(default_factory=list)
    """Ids of the decisions that it was asked, in order, each once."""
    answers: list[Answer] = field(default_factory=list)
    undo_answers: list[bool] = field(default_factory=list)
    """Whether it agreed."""

    @property
    def stored(self) -> set[int]:
        """The decisions to which the server has its answer."""
        return {answer.decision_id for answer in self.answers if answer.is_stored}

    @property
    def outcomes(self) -> set[str]:
        """What became of its answers, as `Answer.outcome`."""
        return {answer.outcome for answer in self.answers}


class Witness:
    """The proxy's onlooker: keeps the evidence, and has the trial's `Interference` change what passes."""

    def __init__(self) -> None:
        self.interference = Interference()
        self.lobby_calls = 0
        """Times that the bot has asked for games."""
        self._games: dict[str, Conduct] = {}
        self._held: list[Callable[[], None]] = []
        self._changed = asyncio.Event()

    def __getitem__(self, game_id: str) -> Conduct:
        return self._games.setdefault(game_id, Conduct())

    @property
    def held(self) -> int:
        """Answers that are on their way for as long as the trial likes."""
        return len(self._held)

    def release(self) -> None:
        """What was held goes on to the server."""
        held, self._held = self._held, []
        for go_on in held:
            go_on()

    async def change(self) -> None:
        """Returns when something more has passed."""
        self._changed.clear()
        await self._changed.wait()

    def note(self) -> None:
        """Something has happened that others may wait for."""
        self._changed.set()

    # -- what the bot sends -------------------------------------------------------------------------------------------

    async def request(self, call: Call, message: Any) -> Any | None:
        self.note()
        if call.name in ("WatchGames", "ListGames"):
            self.lobby_calls += 1
        elif call.name == "Play":
            return self._play_request(call, message)
        elif getattr(message, "game_id", ""):
            return await self._request_of_game(call, message)
        return message

    async def _request_of_game(self, call: Call, message: Any) -> Any:
        conduct = self[message.game_id]
        conduct.requests += 1
        if call.name == "TakeSeat":
            conduct.asked_for += 1
        elif call.name == "AnswerUndo":
            conduct.undo_answers.append(message.agree)
        elif call.name == "Submit" and not message.validate_only:
            answer = self._answer(message.game_id, message)
            call.notes[None] = answer
            if not self.interference.answered(message.game_id, message):
                await self._hold()
        return message

    async def _hold(self) -> None:
        released = asyncio.get_running_loop().create_future()
        self._held.append(lambda: None if released.done() else released.set_result(None))
        await released

    def _play_request(self, call: Call, message: Any) -> Any | None:
        passed = play_service_pb2.PlayRequest()
        for command in message.commands:
            if self._command(call, command):
                passed.commands.add().CopyFrom(command)
            else:
                held = play_service_pb2.PlayRequest(commands=[command])
                self._held.append(lambda held=held: call.send_up(held) if call.is_open else None)  # type: ignore[misc]
        return passed if passed.commands else None

    def _command(self, call: Call, command: play_service_pb2.PlayCommand) -> bool:
        """Notes one command; returns whether it goes on now."""
        if command.HasField("attach"):
            call.notes[command.channel] = command.attach.game_id
            self[command.attach.game_id].requests += 1
        elif command.HasField("answer") and not command.answer.validate_only:
            game_id = call.notes.get(command.channel, "")
            self[game_id].requests += 1
            call.notes[command.channel, command.command_id] = self._answer(game_id, command.answer)
            return self.interference.answered(game_id, command.answer)
        return True

    def _answer(self, game_id: str, command: Any) -> Answer:
        sent = type(command)()
        sent.CopyFrom(command)
        answer = Answer(game_id, command.decision_id, sent, time.monotonic())
        self[game_id].answers.append(answer)
        return answer

    # -- what the bot is told -----------------------------------------------------------------------------------------

    async def response(self, call: Call, message: Any) -> Sequence[Any]:
        self.note()
        passed = list(self._responses(call, message))
        if not passed and call.name == "Submit":
            await asyncio.get_running_loop().create_future()  # an end without a result would tell the bot something
        for one in passed:
            self.interference.told(one)
        return passed

    def _responses(self, call: Call, message: Any) -> Iterator[Any]:
        if call.name == "Play":
            yield from self._play_response(call, message)
        elif call.name == "Observe":
            yield from self._observed(call.request.game_id, message)
        elif call.name == "Submit":
            if self._settle(call.notes.get(None), _STORED):
                yield message
        else:
            yield self._listed(call, message)

    def _listed(self, call: Call, message: Any) -> Any:
        if call.name == "TakeSeat":
            self[message.game.game_id].seats.append(message.seat)
        elif call.name == "WatchGames" and message.HasField("game"):
            message.game.CopyFrom(self.interference.listed(message.game))
        elif call.name == "ListGames":
            games = [self.interference.listed(game) for game in message.games]
            del message.games[:]
            message.games.extend(games)
        return message

    def _play_response(self, call: Call, response: Any) -> Iterator[Any]:
        passed = play_service_pb2.PlayResponse()
        for message in response.messages:
            if message.HasField("observation"):
                for observation in self._observed(call.notes.get(message.channel, ""), message.observation):
                    told = passed.messages.add(channel=message.channel, command_id=message.command_id)
                    told.observation.CopyFrom(observation)
            elif self._settle(call.notes.get((message.channel, message.command_id)), _outcome(message)):
                passed.messages.add().CopyFrom(message)
        if passed.messages:
            yield passed

    def _observed(self, game_id: str, observation: Any) -> Sequence[play_service_pb2.ObserveResponse]:
        decision = asked(observation)
        prompts = self[game_id].prompts
        if decision is not None and decision.decision_id not in prompts:
            prompts.append(decision.decision_id)
        return self.interference.observed(game_id, observation)

    def _settle(self, answer: Answer | None, outcome: str) -> bool:
        """Notes what became of an answer; returns whether the bot is told."""
        if answer is None or not outcome:
            return True
        answer.outcome = outcome
        return outcome != _STORED or self.interference.acknowledged(answer.game_id, answer.decision_id)

    def refused(self, call: Call, reason: str) -> None:
        self.note()
        if call.name == "Submit" and reason:
            self._settle(call.notes.get(None), reason)

    def ended(self, call: Call) -> None:
        self.note()


def _outcome(message: play_service_pb2.PlayMessage) -> str:
    if message.HasField("result"):
        return _STORED
    if message.HasField("error"):
        return errors_pb2.ErrorReason.Name(message.error.reason).removeprefix("ERROR_REASON_")
    return ""
