"""How strong a bot is: ``python -m tests.bench.strength dragons --seats mcts@2000,greedy,greedy,greedy --games 200``.

Mirrored games in this process, without a server: each deal is played from every seat. Printed is the first bot's share
of the wins (a shared win counts in parts) and its mean rank, with 95 % intervals over deals, beside an even share.

``mcts@2000[exploration=0.4,widening=0.5,without=priors+weights]`` changes a search's tuning, or leaves out what the
game's problem can do without; ``tree=kept`` goes on from what earlier decisions found: for ablations. A match of
simulation budgets does not depend on how busy the machine is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

from dragonhall.arena.intervals import Interval, mean_interval
from dragonhall.arena.schedule import Pairing, Schedule
from dragonhall.bots.kinds import BOT_KINDS
from dragonhall.bots.mcts import levels
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.mcts.search import Tuning
from dragonhall.bots.mcts.think import Method
from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.game import legal_actions
from dragonhall.rules.table import Table

BASE_SEED = bytes(32)
_KIND = re.compile(r"(?P<kind>[^\[]+)(\[(?P<changes>.*)\])?")


def policy_of(game: str, text: str) -> PolicyFactory:
    """What makes the policies of a kind of bot, which may be followed by changes in brackets."""
    found = _KIND.fullmatch(text)
    assert found is not None, text
    budget = levels.budget_of(found["kind"])
    if budget is None:
        return BOT_KINDS[game][found["kind"]]
    changes = dict(change.split("=") for change in filter(None, _split(found["changes"])))
    keeps_tree = changes.pop("tree", "new") == "kept"
    return partial(MctsPolicy, _changed(METHODS[game], changes), budget, levels.ADVISORS[game], keeps_tree=keeps_tree)


def _split(changes: str | None) -> list[str]:
    return (changes or "").split(",")


def _changed(method: Method, changes: dict[str, str]) -> Method:
    without = changes.pop("without", "")
    types = {field.name: type(getattr(Tuning(), field.name)) for field in fields(Tuning)}
    tuning = replace(method.tuning, **{name: types[name](value) for name, value in changes.items()})
    problem = partial(method.problem, without=frozenset(without.split("+"))) if without else method.problem
    return Method(problem, tuning)


@dataclass(frozen=True)
class Played:
    """One game, as the bot saw it that is measured."""

    deal: int
    share: float
    """Of the win."""
    rank: int
    decisions: int
    seconds: float
    """All that it thought."""


def play(game_name: str, values: dict[str, object], seat_bots: tuple[str, ...], measured: str, job: Pairing) -> Played:
    """Plays one game of a schedule. Each bot's luck depends on the deal and the seat alone."""
    game = GAMES[game_name]
    components, options = game.default_components(), game.make_options(values)
    table = Table(game, components, options, len(job.seats), SeededChance(job.seed))
    rngs = [Random(f"{job.seed.hex()}/{seat}") for seat in range(len(job.seats))]
    policies = [
        policy_of(game_name, kind)(Chair(options, components, len(job.seats), seat), rngs[seat])
        for seat, kind in enumerate(job.seats)
    ]
    me = job.seats.index(measured)
    seen: list[list[Any]] = [[] for _ in job.seats]
    decisions, seconds = 0, 0.0
    step = table.start()
    while True:
        for seat, events in enumerate(seen):
            events += [entry.event for entry in step.entries if entry.is_for(seat)]
        if table.is_over():
            break
        ticket = next(iter(table.tickets.values()))
        seat = ticket.seat
        begin = time.perf_counter()
        actions = legal_actions(game, table.state, seat)
        choice = policies[seat].choose(table.state.view(seat), seen[seat], ticket.decision, actions)
        if seat == me:
            decisions += len(actions) > 1
            seconds += time.perf_counter() - begin
        step = table.answer(seat, ticket.decision_id, game.code(table.state, seat, actions[choice]))
    outcome = table.outcome()
    winners = outcome.winners()
    return Played(job.deal, (me in winners) / len(winners), outcome.results[me].rank, decisions, seconds)


def results(arguments: argparse.Namespace) -> Iterator[Played]:
    """Every game of the match, in any order."""
    seats = tuple(_seats(arguments.seats))
    values = dict(_option(text) for text in arguments.option)
    schedule = Schedule(seats, arguments.games, BASE_SEED[:-1] + bytes([arguments.base]))
    jobs = list(islice(schedule, arguments.games - arguments.games % schedule.games_per_deal))
    one = partial(play, arguments.game, values, seats, seats[0])
    if arguments.processes == 1:
        yield from map(one, jobs)
        return
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        yield from pool.imap_unordered(one, jobs)


def _seats(text: str) -> list[str]:
    """The line-up; commas within brackets are the bots' own."""
    return re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text)


def _option(text: str) -> tuple[str, object]:
    name, _, value = text.partition("=")
    return name, {"": True, "true": True, "false": False}.get(value, value)


def _by_deal(played: list[Played], of: Any) -> list[float]:
    deals: dict[int, list[float]] = {}
    for game in played:
        deals.setdefault(game.deal, []).append(float(of(game)))
    return [fmean(numbers) for numbers in deals.values()]


def _shown(interval: Interval | None) -> str:
    return "" if interval is None else f" ({100 * interval.low:.0f} to {100 * interval.high:.0f} %)"


def report(played: list[Played], arguments: argparse.Namespace) -> None:
    """One line."""
    seats = len(_seats(arguments.seats))
    shares = _by_deal(played, lambda game: game.share)
    decisions = sum(game.decisions for game in played)
    print(
        f"{arguments.game} {arguments.seats}: {len(played)} games on {len(shares)} deals,"
        f" share {100 * fmean(shares):.1f} %{_shown(mean_interval(shares))}, even {100 / seats:.0f} %,"
        f" mean rank {fmean(game.rank for game in played):.2f},"
        f" {decisions / len(played):.0f} decisions a game, {sum(g.seconds for g in played) / decisions:.3f} s each",
        flush=True,
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(BOT_KINDS))
    parser.add_argument("--seats", required=True, help="kinds of bot, separated by commas; the first is measured")
    parser.add_argument("--games", type=int, default=40, help="rounded down to whole deals (default: %(default)s)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME[=VALUE]", help="of the game")
    parser.add_argument("--base", type=int, default=0, help="0 to 255: which deals (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--every", type=int, default=0, metavar="N", help="also report after every N games")
    arguments = parser.parse_args()
    played: list[Played] = []
    for game in results(arguments):
        played.append(game)
        if arguments.every and len(played) % arguments.every == 0:
            report(played, arguments)
    report(played, arguments)


if __name__ == "__main__":
    main()
