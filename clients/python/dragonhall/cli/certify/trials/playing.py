"""Games from their beginning to their end, many of them at a time, and one that is not known."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from random import Random
from typing import Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.interference import Interference, unknown_game
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.cli.certify.verdicts import Broken
from dragonhall.rules import GAMES
from dragonhall.v1 import game_pb2

_AT_ONCE: Final = 6
_TEMPTED: Final = 0.6
"""Seconds for which a bot sees a seat that it is to leave alone."""


async def _whole_game(bench: Bench, game: str) -> None:
    async with bench.seated(game, seats=GAMES[game].min_seats) as table:
        for partner in table.partners:
            partner.random = Random(game)
        await table.until(lambda: table.is_over, "it did not answer what it was asked", contract.TICKET)
        refused = [answer for answer in table.bot.answers if answer.outcome and not answer.is_stored]
        if refused:
            first = refused[0]
            raise Broken(f"its answer to decision {first.decision_id} was refused: {first.outcome}", contract.LEGAL)


async def _many_games(bench: Bench) -> None:
    """All games begin, and none ends before the bot has answered in all of them."""
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(await bench.table()) for _ in range(_AT_ONCE)]
        patience = bench.patience()
        while not all(table.bot.seats for table in tables):
            seated = sum(bool(table.bot.seats) for table in tables)
            failing = f"{_AT_ONCE} games wait for it at the same time, and it sat down in {seated} of them"
            await bench.moved(patience, failing, contract.MANY)
        for number, table in enumerate(tables):
            failing = f"it plays {_AT_ONCE} games at the same time, and answered in {number} of them"
            await table.until_answered(1, failing, contract.MANY)


class _Renamed(Interference):
    """The lobby shows games that wait as games of another kind."""

    def listed(self, game: game_pb2.Game) -> game_pb2.Game:
        return unknown_game(game) if game.status == game_pb2.GAME_STATUS_WAITING else game


async def _unknown_game(bench: Bench) -> None:
    """A game of rules that the bot does not know; and real games that it does not say it plays."""
    foreign = [game for game in GAMES if game not in bench.plan.games]
    async with AsyncExitStack() as stack:
        bench.witness.interference = _Renamed()
        table = await stack.enter_async_context(await bench.table())
        await asyncio.sleep(_TEMPTED)
        if table.bot.asked_for:
            raise Broken("it took a seat in a game that it cannot know", contract.UNKNOWN_GAME)
        bench.witness.interference = Interference()
        others = [await stack.enter_async_context(await bench.table(game)) for game in foreign]
        await bench.plays_on("the lobby showed a game that it does not know", contract.UNKNOWN_GAME)
        for game, other in zip(foreign, others, strict=True):
            if other.bot.asked_for:
                raise Broken(f"it took a seat in a game of {game}, which it is not said to play", contract.WATCH)


TRIALS: Final = (
    *(
        Trial(f"game-{name}", f"a whole game: {rules.title}", contract.LEGAL, partial(_whole_game, game=name), name)
        for name, rules in GAMES.items()
    ),
    Trial("many-games", "many games at once", contract.MANY, _many_games),
    Trial("unknown-game", "a seat in a game that it does not know", contract.UNKNOWN_GAME, _unknown_game),
)
