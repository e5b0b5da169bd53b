"""What more thinking is worth: ``python -m tests.bench.regret dragons --budgets 500,5000,50000 --reference 500000``.

Decisions of games that greedy bots play are searched with each budget, and with a much larger one, the *reference*,
which has luck of its own. The regret of a choice is what the reference gives for it, less than for its own choice: in
shares of a win. Matches need thousands of games to tell budgets apart that a few dozen decisions tell apart here; what
is wrong with what a search goes by (its guide, its estimates) is however wrong with the reference, too.

Printed: for each budget, for greedy's choice, and for what looks most promising before the search, the mean regret;
and what each step up is worth, decision by decision. Intervals are of 95 %, over games.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from dragonhall.arena.intervals import t_quantile
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.levels import ADVISORS
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.think import Mind
from dragonhall.bots.mcts.thoughts import Thoughts
from dragonhall.bots.policy import Chair
from dragonhall.rules import GAMES
from dragonhall.rules.actions import code_at
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.game import Knowledge, legal_actions
from dragonhall.rules.table import Table


@dataclass(frozen=True)
class Position:
    """A decision with more than one answer."""

    knowledge: Knowledge
    advised: int
    """Greedy's choice, by its place among the legal actions."""


def positions(game_name: str, seats: int, number: int, count: int) -> list[Position]:
    """So many decisions of one game, drawn at random; fewer if it has fewer."""
    game = GAMES[game_name]
    components, options = game.default_components(), game.make_options({})
    table = Table(game, components, options, seats, SeededChance(number.to_bytes(32, "big")))
    rng = Random(number)
    chairs = [Chair(options, components, seats, seat) for seat in range(seats)]
    policies = [ADVISORS[game_name](chair, Random(f"{number}/{chair.seat}")) for chair in chairs]
    seen: list[list[Any]] = [[] for _ in chairs]
    found: list[Position] = []
    step = table.start()
    while True:
        for seat, events in enumerate(seen):
            events += [entry.event for entry in step.entries if entry.is_for(seat)]
        if table.is_over():
            return rng.sample(found, min(count, len(found)))
        ticket = next(iter(table.tickets.values()))
        seat, view = ticket.seat, table.state.view(ticket.seat)
        actions = legal_actions(game, table.state, seat)
        choice = policies[seat].choose(view, seen[seat], ticket.decision, actions)
        if len(actions) > 1:
            found.append(Position(Knowledge(components, options, seat, view, tuple(seen[seat])), choice))
        step = table.answer(seat, ticket.decision_id, game.code(table.state, seat, actions[choice]))


def regrets(
    game: str, seats: int, budgets: Sequence[int], reference: int, count: int, number: int
) -> list[list[float]]:
    """Of one game's decisions: by budget, then greedy's, then that of the most promising action."""
    return [_regrets_of(game, position, budgets, reference) for position in positions(game, seats, number, count)]


def _regrets_of(game: str, position: Position, budgets: Sequence[int], reference: int) -> list[float]:
    measured = _thoughts(game, position, reference, seed=1)
    choices = [_thoughts(game, position, budget, seed=2).choice for budget in budgets]
    study = Mind(METHODS[game]).study(position.knowledge)
    promising = max(measured.lines, key=lambda line: line.prior).code
    best = _win(game, position, measured, measured.choice)
    codes = [*choices, code_at(study.runs, position.advised), promising]
    return [best - _win(game, position, measured, code) for code in codes]


def _thoughts(game: str, position: Position, simulations: int, seed: int) -> Thoughts:
    study = Mind(METHODS[game]).study(position.knowledge)
    return study.think(seed, Budget(simulations=simulations), also=[code_at(study.runs, position.advised)])


def _win(game: str, position: Position, found: Thoughts, code: int) -> float:
    """What an action is worth, in shares of the win."""
    line = found.line(code)
    assert line is not None, "all searches of a decision consider the same actions"
    seats = len(position.knowledge.view.seats)
    return METHODS[game].win_expectation(line.utility, line.expected_rank, seats)


def results(arguments: argparse.Namespace) -> Iterator[list[list[float]]]:
    """The regrets of each game's decisions."""
    one = partial(regrets, arguments.game, arguments.seats, arguments.budgets, arguments.reference, arguments.decisions)
    numbers = range(arguments.base, arguments.base + arguments.games)
    if arguments.processes == 1:
        yield from map(one, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        yield from pool.imap(one, numbers)


def _shown(by_game: Sequence[float]) -> str:
    mean = fmean(by_game)
    half = t_quantile(len(by_game) - 1) * stdev(by_game) / sqrt(len(by_game))
    return f"{100 * mean:6.2f} % ({100 * (mean - half):.2f} to {100 * (mean + half):.2f})"


def report(found: Sequence[list[list[float]]], arguments: argparse.Namespace) -> None:
    """A line for each way to choose, and one for each step up."""
    columns = [[fmean(decision[at] for decision in game) for game in found] for at in range(len(found[0][0]))]
    decisions = sum(len(game) for game in found)
    print(f"{arguments.game}, {arguments.seats} seats: {decisions} decisions of {len(found)} games, ", end="")
    print(f"regret by {arguments.reference} simulations")
    names = [*(f"mcts@{budget}" for budget in arguments.budgets), "greedy", "most promising"]
    for name, column in zip(names, columns, strict=True):
        print(f"{name:>16} {_shown(column)}")
    for (low, less), (high, more) in pairwise(zip(names[:-2], columns[:-2], strict=True)):
        gain = [a - b for a, b in zip(less, more, strict=True)]
        print(f"{low} to {high}: gain {_shown(gain)}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(METHODS))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=20, help="two at least (default: %(default)s)")
    parser.add_argument("--decisions", type=int, default=3, help="of each game (default: %(default)s)")
    parser.add_argument("--budgets", type=_numbers, default=[500, 5_000, 50_000], help="simulations, with commas")
    parser.add_argument("--reference", type=int, default=500_000, help="simulations (default: %(default)s)")
    parser.add_argument("--base", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    report(list(results(arguments)), arguments)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main()
