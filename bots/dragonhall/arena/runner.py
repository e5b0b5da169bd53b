"""Having a schedule's games played on a server, by whatever bots wait there for the reserved seats."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from dragonhall.arena.schedule import Pairing
from dragonhall.client import Client, ClientError, DragonhallError, bot_seat
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2, play_service_pb2

WAIT_FOR_BOTS: Final = timedelta(seconds=5)
"""How long a game may wait for its seats to be taken before the watcher is told, and again each time."""
WAIT_FOR_ANSWERS: Final = timedelta(seconds=30)
"""The same for an answer: bots may think."""
_ABORT_LIMIT: Final = timedelta(seconds=5)
_ANSWER_LIMIT: Final = timedelta(seconds=5)
"""How long a server may take to say how it is."""


class GameAborted(Exception):
    """A game of the schedule was ended from outside before it was finished."""


class BotsMissing(Exception):
    """A game was given up here because it waited too long for bots that did not come, or did not answer."""


class NotServing(Exception):
    """A game was given up here because nothing can happen in it for the server's sake, as when its disk is full."""


@dataclass(frozen=True)
class GamePlan:
    """What all games of a schedule have in common."""

    options: games_pb2.GameOptions
    component_set_id: str = ""
    """Empty: the game's default."""
    title: str = ""
    use_seeds: bool = True
    """Play the pairings' seeds; without, the server draws one for each game."""
    give_up_after: timedelta | None = None
    """How long a game may wait for a bot that does not come or answer; ``None``: for ever."""
    settings: game_pb2.GameSettings | None = None
    """How the games are held; ``None``: without limits."""


@dataclass(frozen=True)
class PlayedGame:
    """A game of the schedule, played to its end."""

    pairing: Pairing
    game: game_pb2.Game
    """As it was when it had ended."""

    @property
    def results(self) -> Sequence[games_pb2.SeatResult]:
        """One a seat, in seat order."""
        return self.game.outcome.results


class Watcher:
    """Is told how the games go; does nothing with it unless overridden."""

    def observed(self, pairing: Pairing, observation: play_service_pb2.ObserveResponse) -> None:
        """A spectator of the game was told something."""

    def waiting(self, pairing: Pairing, missing: Sequence[str]) -> None:
        """Nothing has happened for some time because these bots have not come, or do not answer."""

    def troubled(self, pairing: Pairing, trouble: str) -> None:
        """Nothing has happened for some time because of the server: in words, why."""

    def left(self, pairing: Pairing, game_id: str, trouble: str) -> None:
        """The game was given up and could not be aborted: in words, why. The server still has it."""


async def play_games(
    client: Client, pairings: Iterable[Pairing], plan: GamePlan, *, at_once: int = 8, watcher: Watcher | None = None
) -> AsyncGenerator[PlayedGame, None]:
    """Has the games played, up to ``at_once`` at a time; yields each when it has ended, in the order of their ends.

    Survives restarts of the server as long as the client's patience lasts. If this ends early (an error, or the
    consumer closes it), the games still running are aborted, as far as the server can. Raises `GameAborted`,
    `BotsMissing`, `NotServing` and what the client raises.
    """
    waiting = iter(pairings)
    running: set[asyncio.Task[PlayedGame]] = set()
    try:
        while True:
            for pairing in _some(waiting, at_once - len(running)):
                running.add(asyncio.create_task(_play(client, pairing, plan, watcher or Watcher())))
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                played = task.result()  # if it raises, the other tasks are still looked after below
                running.discard(task)
                yield played
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


def _some(pairings: Iterator[Pairing], count: int) -> Iterator[Pairing]:
    """The next ``count`` pairings, or what is left; takes no more from the schedule than it hands on."""
    for _ in range(count):
        with contextlib.suppress(StopIteration):
            yield next(pairings)


async def _play(client: Client, pairing: Pairing, plan: GamePlan, watcher: Watcher) -> PlayedGame:
    created = await client.create_game(
        plan.options,
        [bot_seat(bot) for bot in pairing.seats],
        title=plan.title,
        component_set_id=plan.component_set_id,
        seed=pairing.seed if plan.use_seeds else b"",
        settings=plan.settings,
    )
    game_id, ended = created.game.game_id, False
    try:
        await _watch(client, game_id, _Attention(client, pairing, watcher), plan.give_up_after)
        ended = True
    finally:
        if not ended:
            await _to_its_end(_give_up(client, pairing, created, watcher))
    game = await client.get_game(game_id)
    if game.status != game_pb2.GAME_STATUS_FINISHED:
        raise GameAborted(f"game {game_id} was aborted before it was finished")
    return PlayedGame(pairing, game)


async def _watch(client: Client, game_id: str, attention: _Attention, limit: timedelta | None) -> None:
    """Follows a game to its end. Raises `BotsMissing` or `NotServing` if nothing happens in it for ``limit``."""
    reminder = asyncio.create_task(attention.remind())
    seconds, now = limit.total_seconds() if limit is not None else None, asyncio.get_running_loop().time
    silence = asyncio.timeout(seconds)
    try:
        async with silence:
            async for observation in client.observe(game_id):
                attention.see(observation)
                if seconds is not None:
                    silence.reschedule(now() + seconds)
    except TimeoutError:
        if not silence.expired():
            raise
        trouble = await _trouble(client)
        if trouble:
            raise NotServing(
                f"game {game_id} was given up: nothing happened in it for {seconds:g} s; {trouble}"
            ) from None
        names = " and ".join(repr(name) for name in attention.missing())
        raise BotsMissing(f"game {game_id} was given up: it waited for {names} for {seconds:g} s") from None
    finally:
        reminder.cancel()


class _Attention:
    """Notices a game in which nothing happens any more, and for whom it waits."""

    def __init__(self, client: Client, pairing: Pairing, watcher: Watcher) -> None:
        self._client = client
        self._pairing = pairing
        self._watcher = watcher
        self._free = set(range(len(pairing.seats)))
        self._asked: set[int] = set()
        self._clock = asyncio.get_running_loop().time
        self._silent_since = self._clock()

    def see(self, observation: play_service_pb2.ObserveResponse) -> None:
        """Something happened."""
        self._watcher.observed(self._pairing, observation)
        self._silent_since = self._clock()
        if observation.HasField("snapshot"):
            self._free = {seat.seat for seat in observation.snapshot.game.seats if not seat.taken}
            self._asked = {waiting.seat for waiting in observation.snapshot.waiting}
            return
        self._asked = {waiting.seat for waiting in observation.update.waiting}
        for event in observation.update.events:
            if event.HasField("seat_taken"):
                self._free.discard(event.seat_taken.seat.seat)
            elif event.HasField("seat_left"):
                self._free.add(event.seat_left.seat)

    async def remind(self) -> None:
        """Tells the watcher, for ever, whenever nothing has happened for some time."""
        while True:
            limit = (WAIT_FOR_BOTS if self._free else WAIT_FOR_ANSWERS).total_seconds()
            left = self._silent_since + limit - self._clock()
            if left > 0:
                await asyncio.sleep(left)
                continue
            trouble = await _trouble(self._client)
            if trouble:
                self._watcher.troubled(self._pairing, trouble)
            else:
                self._watcher.waiting(self._pairing, self.missing())
            self._silent_since = self._clock()

    def missing(self) -> list[str]:
        """The bots that it waits for: those that have not come or, if all have, those that are asked."""
        return sorted({self._pairing.seats[seat] for seat in self._free or self._asked})


async def _give_up(
    client: Client, pairing: Pairing, created: game_service_pb2.CreateGameResponse, watcher: Watcher
) -> None:
    """Ends a game, or tells that it is left."""
    trouble = await _abort(client, created.game.game_id, created.host_token)
    if trouble:
        watcher.left(pairing, created.game.game_id, trouble)


async def _to_its_end(work: Coroutine[None, None, None]) -> None:
    """Waits for ``work`` also if this task is cancelled meanwhile, as when another game has failed."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def _abort(client: Client, game_id: str, host_token: str) -> str:
    """So that no game is left behind that nobody watches: why it is all the same, in words; empty if it is not."""
    try:
        async with asyncio.timeout(_ABORT_LIMIT.total_seconds()):
            await client.abort_game(game_id, host_token)
    except DragonhallError as error:
        return "" if error.status is not None else str(error)  # it is over
    except (ClientError, TimeoutError):
        return await _trouble(client) or "the server took too long"
    return ""


async def _trouble(client: Client) -> str:
    """What is wrong with the server, in words; empty if nothing is."""
    try:
        async with asyncio.timeout(_ANSWER_LIMIT.total_seconds()):
            is_serving = await client.is_serving()
    except (ClientError, TimeoutError):
        return "the server does not answer"
    return "" if is_serving else "the server cannot write its store (is its disk full?), or is about to stop"
