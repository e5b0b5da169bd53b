"""One game on trial: the bot in one of its seats, and partners of ours in the others, who do what the trial wants."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from dragonhall.cli.certify.verdicts import Broken
from dragonhall.cli.certify.witness import Conduct
from dragonhall.client import AttachedSeat, ClientError, DragonhallError, asked
from dragonhall.v1 import play_service_pb2

if TYPE_CHECKING:
    from dragonhall.cli.certify.bench import Bench
    from dragonhall.cli.certify.contract import Clause

BOT: Final = 0
"""The bot's seat."""


class Partner:
    """Plays one seat, when it is told to.

    It does what comes first, which makes for long games: one that claims at random may end a game of Dragons before the
    bot has been asked anything. With ``random`` it plays at random.
    """

    def __init__(self, attached: AttachedSeat, changed: Callable[[], None]) -> None:
        """``changed`` is told whenever it was told something."""
        self.seat = attached.seat
        self.decision: play_service_pb2.Decision | None = None
        """What it is asked, unless it has answered."""
        self.waiting: frozenset[int] = frozenset()
        """The seats that are asked, as far as it knows."""
        self.revision = 0
        self.timed_out: list[int] = []
        """Decisions, of any seat, whose time ran out."""
        self.undo: play_service_pb2.UndoAsked | None = None
        """The newest request to take back that it was told of."""
        self.is_over = False
        self.plays = True
        self.random: Random | None = None
        self._attached = attached
        self._changed = changed
        self._answered = 0

    async def follow(self) -> None:
        """Takes note of all that it is told, to the game's end."""
        async for observation in self._attached:
            self.revision = observation.revision
            decision = asked(observation)
            self.decision = decision if decision is not None and decision.decision_id > self._answered else None
            told = observation.snapshot if observation.HasField("snapshot") else observation.update
            self.waiting = frozenset(waiting.seat for waiting in told.waiting)
            for event in observation.update.events:
                self._note(event)
            self._changed()
        self.is_over = True
        self._changed()

    def _note(self, event: play_service_pb2.Event) -> None:
        if event.HasField("time_ran_out"):
            self.timed_out.append(event.time_ran_out.decision_id)
        elif event.HasField("undo_asked"):
            self.undo = event.undo_asked

    async def answer(self) -> play_service_pb2.SubmitResponse | None:
        """Answers what it is asked; None if that came too late."""
        decision, self.decision = self.decision, None
        assert decision is not None
        self._answered = decision.decision_id
        try:
            return await self._attached.submit(decision.decision_id, action_index=self._choose(decision))
        except DragonhallError:  # the game is over, or the time was
            return None

    def _choose(self, decision: play_service_pb2.Decision) -> int:
        if self.random is None:
            return 0
        legal = self.random.choice(decision.legal_actions)
        return legal.index + self.random.randint(0, legal.amounts.max - legal.amounts.min)


class Table:
    """Made by `Bench.table`; an async context manager that ends the game."""

    def __init__(self, bench: Bench, game_id: str, host_token: str, partners: list[Partner]) -> None:
        self.game_id = game_id
        self.partners = partners
        self._bench = bench
        self._host_token = host_token
        self._follow = [asyncio.create_task(partner.follow()) for partner in partners]

    @property
    def bot(self) -> Conduct:
        """What the bot has done here."""
        return self._bench.witness[self.game_id]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return any(partner.is_over for partner in self.partners)

    @property
    def _is_played_out(self) -> bool:
        """Whether the game has ended, and the bot has answered whatever it was asked."""
        return self.is_over and self.bot.stored.issuperset(self.bot.prompts)

    async def __aenter__(self) -> Table:
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            await self.abort()
        finally:
            for task in self._follow:
                task.cancel()
            await asyncio.gather(*self._follow, return_exceptions=True)

    async def abort(self) -> None:
        """Its host ends the game, unless it is over."""
        with contextlib.suppress(ClientError):
            await self._bench.client.abort_game(self.game_id, self._host_token)

    async def until(self, condition: Callable[[], bool], failing: str, clause: Clause, *, play: bool = True) -> None:
        """Returns when ``condition`` holds, the partners playing on meanwhile, or with ``play`` False: waiting.

        Raises `Broken` with ``failing`` and ``clause`` when nothing has moved on for as long as the bot may take, or
        the game is over.
        """
        patience = self._bench.patience()
        while not condition():
            stored = len(self.bot.stored)
            if self.is_over:
                raise Broken(f"{failing} ({self._stand()})", clause)
            if play and await self._answer_one():
                patience = self._bench.patience()
                continue
            await self._bench.moved(patience, f"{failing} ({self._stand()})", clause)
            if len(self.bot.stored) > stored:
                patience = self._bench.patience()

    async def until_answered(self, count: int, failing: str, clause: Clause, *, play: bool = True) -> None:
        """Returns when the server has taken ``count`` more answers of the bot, or all that the game asked of it."""
        goal = len(self.bot.stored) + count
        await self.until(lambda: len(self.bot.stored) >= goal or self._is_played_out, failing, clause, play=play)

    def _stand(self) -> str:
        """Where the game is, for whoever has to find the fault."""
        newest = max(self.partners, key=lambda partner: partner.revision)
        asked = ", ".join(map(str, sorted(newest.waiting))) or "none"
        answered = f"asked {len(self.bot.prompts)} times, answered {len(self.bot.stored)}"
        return f"game {self.game_id} at revision {newest.revision}, asked seats: {asked}; the bot was {answered}"

    async def _answer_one(self) -> bool:
        asked = [partner for partner in self.partners if partner.decision is not None and partner.plays]
        if asked:
            await asked[0].answer()
        return bool(asked)
