"""Whether a bot's policies think on the event loop, or in how many worker processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext

from dragonhall.bots.kinds import thinks_long
from dragonhall.bots.mcts.levels import budget_of
from dragonhall.bots.operating.watcher import Watcher
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.thinking.here import Here
from dragonhall.bots.thinking.pool import Pool
from dragonhall.bots.thinking.recipes import Kind, packed, ponders, searches
from dragonhall.bots.thinking.thinker import Thinkers


class CannotThink(Exception):
    """Numbers of processes with which policies of a kind cannot think. The message says why."""


def thinkers_for(
    kind: Kind,
    policies: Mapping[str, PolicyFactory],
    processes: int | None,
    workers: int,
    watcher: Watcher,
    ponder: bool = False,
) -> AbstractAsyncContextManager[Thinkers]:
    """Where a bot of this kind thinks, with ``processes``, ``workers`` and ``ponder`` as `dragonhall.bots.run_bot` has
    them.

    Raises `CannotThink` and `NotPortable`.
    """
    wanted = processes if processes is not None else _usual_processes(policies, workers)
    _check(policies, wanted, workers)
    if ponder:
        _check_ponders(kind, policies, wanted)
    if wanted == 0:
        return nullcontext(Here(policies))
    for game in policies:
        packed(kind, game)  # before anybody is waited for
    return Pool(kind, wanted, workers, watcher, ponder)


def _usual_processes(policies: Mapping[str, PolicyFactory], workers: int) -> int:
    if not any(map(thinks_long, policies.values())):
        return 0
    return max(cores(), workers)


def _check(policies: Mapping[str, PolicyFactory], processes: int, workers: int) -> None:
    if processes < 0 or workers < 1:
        raise CannotThink(f"there cannot be {processes} processes, of which {workers} think about each decision")
    if workers > 1 and not all(map(searches, policies.values())):
        raise CannotThink("several workers can think about one decision only if it is searched for, as by mcts")
    if workers > max(1, processes):
        raise CannotThink(f"{workers} workers cannot think about one decision in {processes} processes")


def _check_ponders(kind: Kind, policies: Mapping[str, PolicyFactory], processes: int) -> None:
    if not all(map(ponders, policies.values())):
        raise CannotThink("only bots that search can think while others are asked, as mcts")
    budget = budget_of(kind) if isinstance(kind, str) else None
    if budget is not None and budget.seconds is None:
        raise CannotThink(
            "a bot with a budget of simulations is to play the same way each time: it does not think while others are"
            " asked; give it seconds, as mcts@0.5s"
        )
    if processes == 0:
        raise CannotThink("without worker processes a bot cannot think while others are asked")


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
