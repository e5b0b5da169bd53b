"""Results as data for scripts and as tables for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from dragonhall.arena import Interval, PlayedGame, Standing
from dragonhall.cli.console import table
from dragonhall.v1.games_pb2 import SeatResult
from dragonhall.wire.records import to_data


def game_data(played: PlayedGame) -> dict[str, Any]:
    """One game, with who sat where and how each seat ended."""
    return {
        "gameId": played.game.game_id,
        "number": played.pairing.number,
        "deal": played.pairing.deal,
        "rotation": played.pairing.rotation,
        "seed": played.pairing.seed.hex() or None,
        "seedCommitment": played.game.seed_commitment.hex(),
        "seats": [
            {
                "seat": result.seat,
                "bot": played.pairing.seats[result.seat],
                "score": result.score,
                "rank": result.rank,
                "eliminated": result.eliminated,
                "breakdown": _breakdown(result),
            }
            for result in played.results
        ],
    }


def standing_data(standing: Standing) -> dict[str, Any]:
    """One line of the standings."""
    interval = standing.interval
    return {
        "bot": standing.bot,
        "games": standing.games,
        "seats": standing.seats,
        "wins": round(standing.wins, 6),
        "share": round(standing.share, 6),
        "interval95": [round(interval.low, 6), round(interval.high, 6)] if interval else None,
        "fairShare": round(standing.fair_share, 6),
        "meanRank": round(standing.mean_rank, 6),
        "meanScore": round(standing.mean_score, 6),
    }


def game_table(played: PlayedGame) -> Table:
    """One game, the winner first."""
    shown = table("rank", "bot", "seat", "score", "", "how", numbers=("rank", "seat", "score"), wraps=("how",))
    for result in sorted(played.results, key=lambda result: (result.rank, result.seat)):
        shown.add_row(
            str(result.rank),
            played.pairing.seats[result.seat],
            str(result.seat),
            str(result.score),
            "eliminated" if result.eliminated else "",
            f"[dim]{_how(_breakdown(result))}[/dim]",
        )
    return shown


def _breakdown(result: SeatResult) -> dict[str, Any]:
    """The game's own breakdown as protobuf JSON, without the game's name around it."""
    breakdown: dict[str, Any] = next(iter(to_data(result.breakdown).values()), {})
    return breakdown


def _how(breakdown: dict[str, Any]) -> str:
    """Its numbers in words, as ``coins 13, one ring 7``; of a list of names how many there are, as ``types 3``."""
    numbers = {name: number for name, value in breakdown.items() if (number := _number(value)) is not None}
    return ", ".join(f"{_words(name)} {number}" for name, number in numbers.items())


def _number(value: Any) -> int | None:
    if isinstance(value, list) and isinstance(value[0], str):
        return len(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _words(camel_case: str) -> str:
    return re.sub("([A-Z])", r" \1", camel_case).lower()


def standings_table(standings: Sequence[Standing]) -> Table:
    """All bots, the best first."""
    columns = ("games", "wins", "share", "fair share", "mean rank", "mean score")
    shown = table(
        "bot", "games", "wins", "share", "95 % interval", "fair share", "mean rank", "mean score", numbers=columns
    )
    for standing in standings:
        shown.add_row(
            standing.bot,
            str(standing.games),
            f"{standing.wins:g}" if standing.wins == int(standing.wins) else f"{standing.wins:.2f}",
            f"{standing.share:.1%}",
            _interval(standing.interval),
            f"{standing.fair_share:.1%}",
            f"{standing.mean_rank:.2f}",
            f"{standing.mean_score:.1f}",
        )
    return shown


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.1%} – {interval.high:.1%}" if interval else "needs two deals"
