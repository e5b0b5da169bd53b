"""Playing a match: a schedule of games on a server of its own, or on one that is running."""

from __future__ import annotations

import contextlib
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from dragonhall.arena import GamePlan, Pairing, PlayedGame, Schedule, Watcher, play_games
from dragonhall.cli.access import LOCAL, given
from dragonhall.cli.children import Children
from dragonhall.cli.hall import HallPlan, open_hall, start_bots
from dragonhall.client import Patience
from dragonhall.v1 import record_pb2

FIRST_PATIENCE: Final = Patience(give_up_after=timedelta(seconds=5))
"""Until the server has answered once."""
PATIENCE: Final = Patience(give_up_after=timedelta(minutes=2))
"""Afterwards: long enough for a restart."""
MAX_GAMES: Final = 100_000
"""Of one match, whose results are all kept until its end: hours of play, and some 600 MB."""
MAX_AT_ONCE: Final = 1_000
"""Games of a match at a time: each is watched over a stream of its own."""


@dataclass(frozen=True)
class Match:
    """What to play."""

    line_up: tuple[str, ...]
    plan: GamePlan
    seed: bytes | None
    """Of the one game, or of all deals; ``None``: the server draws one, or one is drawn here for several games."""
    games: int = 1
    """Rounded up to whole deals; at most `MAX_GAMES` before that."""
    at_once: int = 8
    """At most `MAX_AT_ONCE`."""


@dataclass(frozen=True)
class Place:
    """Where to play it."""

    connect: str | None
    """HOST:PORT of a running server; ``None``: one of its own, with a process for each bot."""
    bots: Mapping[str, str]
    """Bots to start, a process each: name -> how it plays. All others of the line-up have to be there."""
    components: Sequence[Path] = ()
    """For a server of its own."""
    thinking: Sequence[str] = ()
    """Further arguments for bots that need long to think."""
    ponder: bool = False
    """Those bots that search with a budget of time think also while others are asked."""


@dataclass(frozen=True)
class Finished:
    """One game of the match and, if wanted, its record."""

    played: PlayedGame
    record: record_pb2.GameRecord | None


@dataclass(frozen=True)
class Prepared:
    """The games of a match, before they are played."""

    pairings: Iterator[Pairing]
    """Each is made when it is its turn: read once."""
    games: int
    deals: int
    seed: bytes | None
    """From which all follows; ``None`` if the server draws it."""

    @classmethod
    def of(cls, match: Match) -> Prepared:
        """One game has the match's seed itself; several have seeds derived from it, mirrored deal by deal."""
        if match.games == 1:
            return cls(iter([Pairing(0, 0, 0, match.line_up, match.seed or b"")]), 1, 1, match.seed)
        seed = match.seed if match.seed is not None else secrets.token_bytes(32)
        deals = -(-match.games // Schedule(match.line_up, 1, seed).games_per_deal)
        schedule = Schedule(match.line_up, deals, seed)
        return cls(schedule, schedule.total, deals, seed)


async def play_match(
    match: Match,
    prepared: Prepared,
    place: Place,
    watcher: Watcher,
    ended: Callable[[Finished], None],
    with_records: bool,
) -> None:
    """Plays it all; ``ended`` is told of each game in the order of their ends.

    Raises `ChildFailed`, `GameAborted` and what the client raises. Whatever happens, no process is left behind.
    """
    bot_seed = prepared.seed.hex() if prepared.seed is not None else None
    access = given() if place.connect is not None else LOCAL
    async with _at(place, bot_seed) as (target, children), access.client(target, PATIENCE) as client:

        async def play() -> None:
            games = play_games(client, prepared.pairings, match.plan, at_once=match.at_once, watcher=watcher)
            async with aclosing(games):
                async for played in games:
                    record = await client.record(played.game.game_id) if with_records else None
                    ended(Finished(played, record))

        await children.alive_during(play())


@asynccontextmanager
async def _at(place: Place, bot_seed: str | None) -> AsyncIterator[tuple[str, Children]]:
    with tempfile.TemporaryDirectory(prefix="dragonhall-match-", ignore_cleanup_errors=True) as folder:
        plan = HallPlan(
            Path(folder),
            place.bots,
            bot_seed,
            place.components,
            end_on_fault=True,
            thinking=place.thinking,
            ponder=place.ponder,
        )
        if place.connect is None:
            async with open_hall(plan) as hall:
                yield hall.target, hall.children
            return
        async with contextlib.AsyncExitStack() as stack:
            access = given()
            async with access.client(place.connect, FIRST_PATIENCE) as first:
                await first.list_rules()
            children = await stack.enter_async_context(Children())
            await start_bots(children, plan, place.connect, access)
            yield place.connect, children
