"""What all trials share: a server, the line to it, the witness beside the line, the bot, and partners for its games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from dragonhall.cli.access import LOCAL
from dragonhall.cli.certify import contract
from dragonhall.cli.certify.contract import Clause
from dragonhall.cli.certify.house import House
from dragonhall.cli.certify.interference import Interference
from dragonhall.cli.certify.line import Line
from dragonhall.cli.certify.proxy import Proxy
from dragonhall.cli.certify.subject import Subject, command_line
from dragonhall.cli.certify.table import BOT, Partner, Table
from dragonhall.cli.certify.verdicts import Broken
from dragonhall.cli.certify.witness import Witness
from dragonhall.cli.children import START_LIMIT
from dragonhall.client import FOR_EVER, PlayConnection, bot_seat, open_seat
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2
from dragonhall.wire import CODECS

_SEATS: Final = 3
"""Of a game, unless the trial says otherwise: somebody has a say beside the bot and the one who acts."""
_HEAD_START: Final = 1.0
"""Seconds from the bot's first attempt to connect until there is a server."""
_EAGER: Final = replace(FOR_EVER, longest_delay=timedelta(milliseconds=200))
"""Partners are back as soon as the server is: bots have so long to do something, and so have they."""
_FIRST_ATTEMPT: Final = 10.0
"""Seconds that the first attempt is waited for; a bot may start slowly, or look first whether there is a server."""
_WATCHED: Final = 0.6
"""Seconds for which a bot is watched that has no reason to do anything."""
_MANY: Final = 20
"""Requests in that time that are too many."""
_PREFERRED: Final = ("dragons", "dragonisles", "dragons_interest")
"""Where any game will do: quick ones first."""


@dataclass(frozen=True)
class Plan:
    """What to try."""

    name: str
    """The bot's: what seats are reserved for."""
    command: str | None
    """Starts it; None: somebody else does."""
    games: Sequence[str]
    """That it plays."""
    timeout: float
    """Seconds that it has to do something that it is to do."""
    limit: float
    """Seconds for a decision in games with a clock."""
    port: int = 0
    """Where the bot finds the server; 0: any free one."""


class Bench:
    """Made by `open_bench`."""

    def __init__(
        self, plan: Plan, line: Line, house: House, witness: Witness, proxy: Proxy, subject: Subject | None
    ) -> None:
        self.plan = plan
        self.line = line
        self.house = house
        self.witness = witness
        self.client = LOCAL.client(house.target, _EAGER)
        self.subject = subject
        self._proxy = proxy
        self._playing: PlayConnection = self.client.play()
        self._lobby_calls = 0
        self._is_missing = False
        """It was waited for in vain."""

    async def __aenter__(self) -> Bench:
        await self._playing.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._playing.close()
        await self.client.close()

    @property
    def game(self) -> str:
        """One that the bot plays."""
        return next(game for game in _PREFERRED if game in self.plan.games)

    # -- the bot ------------------------------------------------------------------------------------------------------

    @property
    def has_come(self) -> bool:
        """Whether the bot, as it was started last, has looked for games."""
        return self.witness.lobby_calls > self._lobby_calls

    async def restart_bot(self) -> None:
        """Gives a bot that was started here a new beginning."""
        if self.subject is not None:
            await self.subject.stop()
            self._lobby_calls = self.witness.lobby_calls
            await self.subject.start()

    async def ready(self) -> str:
        """Returns once the bot is there, started again if it had ended; if it does not come: why not, else nothing."""
        if self.subject is not None and self.subject.returncode is not None:
            await self.restart_bot()
        patience = time.monotonic() + (0.0 if self._is_missing else max(START_LIMIT, self.plan.timeout))
        try:
            while not self.has_come:
                await self.moved(patience, f"no bot called {self.plan.name} came to {self.line.target}", contract.WATCH)
        except Broken as error:
            self._is_missing = True
            return error.reason
        return ""

    # -- the line and the server --------------------------------------------------------------------------------------

    def line_up(self) -> None:
        """From now on the bot reaches the server."""
        self.line.up(self._proxy.port)

    async def power_cut(self) -> None:
        """The server is killed, with all connections, and comes back."""
        await self.line.down()
        await self.house.kill()
        self.witness.interference = Interference()
        await self.house.start()
        await self.client.is_serving()
        self.line_up()

    # -- time ---------------------------------------------------------------------------------------------------------

    def patience(self) -> float:
        """When the bot will have had time enough, if it begins now."""
        return time.monotonic() + self.plan.timeout

    async def moved(self, patience: float, failing: str, clause: Clause) -> None:
        """Returns when something has happened. Raises `Broken` if the bot has ended, or patience has."""
        if self.subject is not None and self.subject.returncode is not None:
            raise Broken(self.subject.death(), clause)
        try:
            async with asyncio.timeout(patience - time.monotonic()):
                await self.witness.change()
        except TimeoutError:
            raise Broken(failing, clause) from None

    async def stays_calm(self, table: Table, failing: str, clause: Clause) -> None:
        """Watches for a moment. Raises `Broken` if the bot ends, or sends one request about the game after another."""
        before = table.bot.requests
        await asyncio.sleep(_WATCHED)
        if self.subject is not None and self.subject.returncode is not None:
            raise Broken(self.subject.death(), clause)
        sent = table.bot.requests - before
        if sent > _MANY:
            raise Broken(f"{failing}: {sent} requests within {_WATCHED:g} s", clause)

    # -- games --------------------------------------------------------------------------------------------------------

    async def table(
        self,
        game: str | None = None,
        *,
        settings: game_pb2.GameSettings | None = None,
        seats: int = _SEATS,
        with_bot: bool = True,
    ) -> Table:
        """A new game with the bot's seat reserved, the others taken by partners; without a bot they have all seats."""
        rules = GAMES[game or self.game]
        options = CODECS[rules.name].options_to_proto(rules.make_options({}))
        specs = [bot_seat(self.plan.name) if with_bot and seat == BOT else open_seat() for seat in range(seats)]
        created = await self.client.create_game(options, specs, settings=settings, title="dragonhall certify")
        game_id, partners = created.game.game_id, []
        for seat in range(BOT + 1 if with_bot else BOT, seats):
            taken = await self.client.take_seat(game_id, f"Partner {seat}", seat=seat)
            attached = self._playing.attach(taken)
            partners.append(Partner(attached, self.witness.note))
        return Table(self, game_id, created.host_token, partners)

    @asynccontextmanager
    async def seated(
        self, game: str | None = None, *, settings: game_pb2.GameSettings | None = None, seats: int = _SEATS
    ) -> AsyncIterator[Table]:
        """A new game in which the bot has sat down. Raises `Broken` if it does not."""
        async with await self.table(game, settings=settings, seats=seats) as table:
            failing = f"it did not take the seat that a game of {game or self.game} had reserved for {self.plan.name}"
            await table.until(lambda: bool(table.bot.seats), failing, contract.WATCH)
            yield table

    async def plays_on(self, failing: str, clause: Clause) -> None:
        """Returns when the bot has answered in a new game. Raises `Broken` with ``failing``."""
        async with await self.table() as table:
            await table.until(lambda: bool(table.bot.stored), f"{failing}: it does not play another one", clause)


@asynccontextmanager
async def open_bench(
    plan: Plan, house: House, log: Path, say: Callable[[str], None], *, bot_waits: bool = False
) -> AsyncIterator[Bench]:
    """Starts the bot, then the server unless it runs, and lets them meet; ends the bot.

    ``bot_waits``: not before the bot has looked for a server in vain. ``log``: for the bot's output. ``say`` is told
    what is awaited. Raises `ChildFailed` if the server does not start, and `OSError` if the bot's program cannot be, or
    the port is taken.
    """
    async with AsyncExitStack() as stack:
        witness, line, subject = Witness(), await stack.enter_async_context(Line(plan.port)), None
        if plan.command is not None:
            arguments = command_line(plan.command, line.target, plan.name)
            subject = Subject(arguments, line.target, plan.name, log, witness.note)
            await subject.start()
            stack.push_async_callback(subject.stop)
        else:
            say(f"start a bot called {plan.name} that connects to {line.target}")
        if not house.port:
            await house.start()
        proxy = await stack.enter_async_context(Proxy(house.target, witness))
        bench = await stack.enter_async_context(Bench(plan, line, house, witness, proxy, subject))
        if subject is not None and bot_waits:
            await _let_bot_wait(line, subject)
        bench.line_up()
        yield bench


async def _let_bot_wait(line: Line, subject: Subject) -> None:
    """Returns when the bot has looked for a server in vain for a while, or has ended, or is slow."""
    signs = [asyncio.create_task(line.tried.wait()), asyncio.create_task(subject.ended())]
    await asyncio.wait(signs, timeout=_FIRST_ATTEMPT, return_when=asyncio.FIRST_COMPLETED)
    for sign in signs:
        sign.cancel()
    await asyncio.gather(*signs, return_exceptions=True)
    await asyncio.sleep(_HEAD_START)
