"""How fast the rules play: ``python tests/bench/bench_rules.py``.

Random play of every game, interpreted and compiled, beside random play of OpenSpiel's hearts (C++, through its Python
package, by its fastest route: ``evaluate_bots`` with uniform random bots). All take turns in one run, so that noise
meets all alike; quote ratios, not absolute numbers. Needs the packages of ``dragonhall[dev]`` and a C compiler; for
OpenSpiel ``dragonhall[bench]``, in this environment or in another, whose Python ``--open-spiel-python`` names.

An action is one answer of one seat to one decision, chosen evenly among the legal ones. Two kinds of play:

* *playouts*: each from a copy of a table that has been set up, as a search plays them;
* *games*: each dealt anew, by a belief of which all that is hidden is unknown, as a search plays them that samples
  worlds. OpenSpiel deals card by card, as chance nodes; these do not count as actions.

Both end with the scores. Exit status: 1 if the compiled rules are anywhere slower than hearts, or either is missing.

``--profile GAME`` shows instead where the time of interpreted playouts goes, function by function: the source that is
compiled is the same.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

WORKER = Path(__file__).resolve()
REPOSITORY = WORKER.parents[2]
sys.path.insert(0, str(REPOSITORY))
ROUNDS = 3


# ---- In a process of its own per way of playing: what is measured.


def rates(seconds: float, play: Callable[[], float]) -> float:
    """Actions per second of ``play``, which plays once and returns the number of actions."""
    actions, begin = 0.0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        for _ in range(10):
            actions += play()
    return actions / spent


VARIANTS: dict[str, list[tuple[int, dict[str, object]]]] = {
    "dragons": [(3, {}), (4, {}), (4, {"hidden_card": True}), (6, {})],
    "dragons_interest": [(3, {}), (4, {}), (5, {})],
    "dragonisles": [(2, {}), (3, {}), (5, {})],
}
"""By game: numbers of seats and options that are measured."""


def rules(seconds: float) -> Iterator[tuple[str, float]]:
    """Rates of every game by name, on the `dragonhall.rules` that this process imports."""
    from librt.random import Random

    from dragonhall.rules import GAMES
    from dragonhall.rules.chance import RandomChance
    from dragonhall.rules.game import Knowledge
    from dragonhall.rules.journal import Journal

    for name, variants in VARIANTS.items():
        game = GAMES[name]
        components = game.default_components()
        for seats, values in variants:
            options, rng, journal = game.make_options(values), Random(1), Journal()
            start: Any = game.new(components, options, seats, RandomChance(rng), journal)
            events = [entry.event for entry in journal.entries if entry.is_for(None)]
            belief = game.belief(Knowledge(components, options, None, start.view(None), events))
            label = ", ".join([f"{seats} seats", *values])
            yield f"playouts, {name}, {label}", rates(seconds, partial(playout, start, rng))
            yield f"games, {name}, {label}", rates(seconds, partial(whole_game, belief, rng))


def playout(start: Any, rng: Any) -> int:
    return play_to_the_scores(start.copy(), rng)


def whole_game(belief: Any, rng: Any) -> int:
    return play_to_the_scores(belief.sample(rng), rng)


def play_to_the_scores(state: Any, rng: Any) -> int:
    actions: int = state.play_out(rng)
    state.evaluate()
    return actions


def profile(name: str, playouts: int = 300) -> None:
    """Prints where the time of interpreted playouts goes."""
    sys.path.insert(0, str(REPOSITORY / "server"))
    from librt.random import Random

    from dragonhall.rules import GAMES
    from dragonhall.rules.chance import RandomChance

    game, rng, profiler = GAMES[name], Random(1), cProfile.Profile()
    seats, values = VARIANTS[name][1]
    components, options = game.default_components(), game.make_options(values)
    set_up: Any = game.new(components, options, seats, RandomChance(rng), None)
    profiler.enable()
    for _ in range(playouts):
        play_to_the_scores(set_up.copy(), rng)
    profiler.disable()
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(25)


def hearts(seconds: float) -> Iterator[tuple[str, float]]:
    """Rates of OpenSpiel's hearts by name."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(dealt.legal_actions()[0])
    seeds = iter(range(2**31))
    per_playout = mean_decisions(dealt)
    per_game = mean_decisions(game.new_initial_state())

    def playout() -> float:
        pyspiel.evaluate_bots(dealt.clone(), bots, next(seeds))
        return per_playout

    def whole_game() -> float:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return per_game

    yield "playouts", rates(seconds, playout)
    yield "games", rates(seconds, whole_game)


def mean_decisions(start: Any, games: int = 200) -> float:
    """How many decisions the players make from ``start`` on; some games of hearts begin with passing cards on."""
    rng, decisions = random.Random(1), 0
    for _ in range(games):
        state = start.clone()
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(rng.choice(state.legal_actions()))
    return decisions / games


# ---- The table.


def run(seconds: float, open_spiel_python: str) -> int:
    """Measures everything in turns and prints the table. Returns the exit status."""
    from tests.bench.builds import import_roots, measured, medians

    rounds: dict[str, list[dict[str, float]]] = {"interpreted": [], "compiled": [], "OpenSpiel": []}
    with tempfile.TemporaryDirectory(prefix="dragonhall-bench-") as scratch:
        folders = import_roots(Path(scratch))
        for _ in range(ROUNDS):
            for way, root in folders.items():
                rounds[way].append(
                    measured(WORKER, sys.executable, ["--worker", "rules", "--seconds", str(seconds)], root)
                )
            rounds["OpenSpiel"].append(
                measured(WORKER, open_spiel_python, ["--worker", "hearts", "--seconds", str(seconds)])
            )
    return report(*(medians(found) for found in rounds.values()))


def report(interpreted: dict[str, float], compiled: dict[str, float], spiel: dict[str, float]) -> int:
    """Prints the table, in millions of actions per second."""
    print(f"{'million actions/s':44}{'interpreted':>12}{'compiled':>12}{'ratio':>8}{'hearts':>10}{'to hearts':>11}")
    slower = 0
    for name, rate in compiled.items():
        baseline = spiel[name.split(",")[0]]
        slower += rate < baseline
        print(
            f"{name:44}{interpreted[name] / 1e6:12.2f}{rate / 1e6:12.2f}{rate / interpreted[name]:8.1f}"
            f"{baseline / 1e6:10.2f}{rate / baseline:11.1f}"
        )
    return 1 if slower else 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.5, help="per measurement and round (default: %(default)s)")
    parser.add_argument("--open-spiel-python", default=sys.executable, help="a Python that has open-spiel")
    parser.add_argument("--worker", choices=["rules", "hearts"], help=argparse.SUPPRESS)
    parser.add_argument("--profile", metavar="GAME", choices=list(VARIANTS), help="where a game's time goes")
    arguments = parser.parse_args()
    if arguments.profile:
        profile(arguments.profile)
        return 0
    if arguments.worker:
        worker = rules if arguments.worker == "rules" else hearts
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
