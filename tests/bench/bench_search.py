"""How fast the search thinks: ``python tests/bench/bench_search.py``.

Simulations a second of every game's search, interpreted and compiled, beside OpenSpiel's ISMCTS (C++) with one random
rollout a simulation, on the first decision of oh_hell and of hearts (without passing: after that it crashes); and
worlds a second that beliefs draw. All take turns in one run, so that noise meets all alike; quote ratios. Needs the
packages of ``dragonhall[dev]`` and a C compiler; for OpenSpiel ``dragonhall[bench]``, in this environment or in
another, whose Python ``--open-spiel-python`` names.

The decisions are of one game each between greedy bots: six, spread evenly over those with several legal actions.
A search begins anew with each decision. Its playouts are guided, and evaluated early: a simulation of one game is no
simulation of another.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

WORKER = Path(__file__).resolve()
REPOSITORY = WORKER.parents[2]
sys.path.insert(0, str(REPOSITORY))
ROUNDS = 3
DECISIONS = 6
VARIANTS: dict[str, list[tuple[int, dict[str, object]]]] = {
    "dragons": [(4, {}), (4, {"hidden_card": True})],
    "dragons_interest": [(4, {})],
    "dragonisles": [(2, {}), (3, {})],
}
"""By game: numbers of seats and options that are measured."""


# ---- In a process of its own per way of running: what is measured.


def questions(name: str, seats: int, values: dict[str, object]) -> Iterator[Any]:
    """What the seats knew that were asked in a game of greedy bots, wherever they had a choice."""
    from dragonhall.bots import BOT_KINDS, Chair
    from dragonhall.rules import GAMES
    from dragonhall.rules.chance import SeededChance
    from dragonhall.rules.game import Knowledge, legal_actions
    from dragonhall.rules.table import Table

    game = GAMES[name]
    components, options = game.default_components(), game.make_options(values)
    table = Table(game, components, options, seats, SeededChance(bytes(32)))
    policies = [BOT_KINDS[name]["greedy"](Chair(options, components, seats, s), Random(s)) for s in range(seats)]
    seen: list[list[Any]] = [[] for _ in range(seats)]
    step = table.start()
    while not table.is_over():
        for seat, events in enumerate(seen):
            events += [entry.event for entry in step.entries if entry.is_for(seat)]
        ticket = next(iter(table.tickets.values()))
        seat, state = ticket.seat, table.state
        actions, view = legal_actions(game, state, seat), state.view(seat)
        if len(actions) > 1:
            yield Knowledge(components, options, seat, view, list(seen[seat]))
        chosen = policies[seat].choose(view, seen[seat], ticket.decision, actions)
        step = table.answer(seat, ticket.decision_id, game.code(state, seat, actions[chosen]))


def searches(seconds: float) -> Iterator[tuple[str, float]]:
    """Simulations and worlds a second, by what was searched."""
    from librt.random import Random as Rng

    from dragonhall.bots.mcts.budget import Budget
    from dragonhall.bots.mcts.methods import METHODS
    from dragonhall.bots.mcts.think import Mind
    from dragonhall.rules import GAMES

    for name, variants in VARIANTS.items():
        for seats, values in variants:
            asked = list(questions(name, seats, values))
            asked = asked[:: max(1, len(asked) // DECISIONS)][:DECISIONS]
            label = ", ".join([f"{name}, {seats} seats", *values])
            each = seconds / len(asked)
            thoughts = [Mind(METHODS[name]).study(known).think(1, Budget(seconds=each)) for known in asked]
            yield f"simulations, {label}", sum(t.simulations for t in thoughts) / sum(t.seconds for t in thoughts)
            belief, rng, begin, drawn = GAMES[name].belief(asked[len(asked) // 2]), Rng(1), time.perf_counter(), 0
            while time.perf_counter() - begin < each:
                belief.sample(rng)
                drawn += 1
            yield f"worlds, {label}", drawn / each


def spiel(seconds: float) -> Iterator[tuple[str, float]]:
    """Simulations a second of OpenSpiel's ISMCTS."""
    import pyspiel

    for name, game in (("hearts", "hearts(pass_cards=False)"), ("oh_hell", "oh_hell")):
        state, rng = pyspiel.load_game(game).new_initial_state(), Random(1)
        while state.is_chance_node() or len(state.legal_actions()) == 1:
            state.apply_action(rng.choice(state.legal_actions()))
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.ISMCTSBot(1, evaluator, 2.0, 1000, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, True)
        begin, done = time.perf_counter(), 0
        while (spent := time.perf_counter() - begin) < seconds / 2:
            bot.step(state)
            done += 1000
        yield name, done / spent


# ---- The table.


def run(seconds: float, open_spiel_python: str) -> int:
    """Measures everything in turns and prints the table. Returns the exit status."""
    from tests.bench.builds import import_roots, measured, medians

    rounds: dict[str, list[dict[str, float]]] = {"interpreted": [], "compiled": [], "OpenSpiel": []}
    with tempfile.TemporaryDirectory(prefix="dragonhall-bench-") as scratch:
        roots = import_roots(Path(scratch))
        for _ in range(ROUNDS):
            for way, root in roots.items():
                arguments = ["--worker", "searches", "--seconds", str(seconds)]
                rounds[way].append(measured(WORKER, sys.executable, arguments, root))
            arguments = ["--worker", "spiel", "--seconds", str(seconds)]
            rounds["OpenSpiel"].append(measured(WORKER, open_spiel_python, arguments))
    return report(*(medians(found) for found in rounds.values()))


def report(interpreted: dict[str, float], compiled: dict[str, float], spiel_rates: dict[str, float]) -> int:
    """Prints the table, in thousands a second."""
    print(
        f"{'thousands a second':52}{'interpreted':>12}{'compiled':>10}{'ratio':>7}{'to hearts':>11}{'to oh_hell':>11}"
    )
    slower = 0
    for name, rate in compiled.items():
        ratios = ""
        if name.startswith("simulations"):
            ratios = f"{rate / spiel_rates['hearts']:11.1f}{rate / spiel_rates['oh_hell']:11.1f}"
            slower += rate < spiel_rates["hearts"]
        print(f"{name:52}{interpreted[name] / 1e3:12.2f}{rate / 1e3:10.1f}{rate / interpreted[name]:7.1f}{ratios}")
    for name, rate in spiel_rates.items():
        print(f"{'simulations, OpenSpiel ISMCTS (C++), ' + name:52}{'':12}{rate / 1e3:10.1f}")
    return 1 if slower else 0


def main() -> int:
    """The command line. Exit status: 1 if a search is slower than OpenSpiel's on hearts, or something is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="per measurement and round (default: %(default)s)")
    parser.add_argument("--open-spiel-python", default=sys.executable, help="a Python that has open-spiel")
    parser.add_argument("--worker", choices=["searches", "spiel"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        worker = searches if arguments.worker == "searches" else spiel
        print(json.dumps(dict(worker(arguments.seconds))))
        return 0
    from tests.bench.builds import CannotMeasure

    try:
        return run(arguments.seconds, arguments.open_spiel_python)
    except CannotMeasure as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
