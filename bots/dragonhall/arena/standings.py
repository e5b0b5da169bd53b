"""What a set of mirrored games says about the bots in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol

from dragonhall.arena.intervals import Interval, mean_interval
from dragonhall.arena.schedule import Pairing


class Result(Protocol):
    """How one seat ended: `dragonhall.rules.game.SeatResult`, or the message of that name."""

    @property
    def seat(self) -> int: ...
    @property
    def score(self) -> int: ...
    @property
    def rank(self) -> int: ...


class Played(Protocol):
    """One game that was played to its end."""

    @property
    def pairing(self) -> Pairing: ...
    @property
    def results(self) -> Sequence[Result]: ...


@dataclass(frozen=True)
class Standing:
    """One bot over all its games. A bot with several seats in a game counts with all of them."""

    bot: str
    games: int
    seats: int
    """Seats taken in all those games."""
    wins: float
    """Games won; a win that is shared counts as a part."""
    share: float
    """``wins / games``."""
    interval: Interval | None
    """Of ``share``, 95 %, over deals; ``None`` if there was one deal only."""
    fair_share: float
    """What ``share`` would be if all bots were alike: its part of the seats."""
    mean_rank: float
    mean_score: float


def standings(games: Iterable[Played]) -> list[Standing]:
    """One standing a bot, the largest share over its fair share first; names decide ties."""
    played = list(games)
    bots = sorted({bot for game in played for bot in game.pairing.seats})
    found = [_standing(bot, [game for game in played if bot in game.pairing.seats]) for bot in bots]
    return sorted(found, key=lambda standing: (-standing.share / standing.fair_share, standing.bot))


def _standing(bot: str, games: Sequence[Played]) -> Standing:
    results = [result for game in games for result in game.results if game.pairing.seats[result.seat] == bot]
    wins = [_wins(bot, game) for game in games]
    by_deal: defaultdict[int, list[float]] = defaultdict(list)
    for game, won in zip(games, wins, strict=True):
        by_deal[game.pairing.deal].append(won)
    return Standing(
        bot=bot,
        games=len(games),
        seats=len(results),
        wins=sum(wins),
        share=fmean(wins),
        interval=mean_interval([fmean(deal) for deal in by_deal.values()]),
        fair_share=fmean(game.pairing.seats.count(bot) / len(game.pairing.seats) for game in games),
        mean_rank=fmean(result.rank for result in results),
        mean_score=fmean(result.score for result in results),
    )


def _wins(bot: str, game: Played) -> float:
    """The bot's part of the win, 0 to 1."""
    winners = [result.seat for result in game.results if result.rank == 1]
    return sum(game.pairing.seats[seat] == bot for seat in winners) / len(winners)
