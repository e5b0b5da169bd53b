"""The kinds of bot there are, by game."""

from __future__ import annotations

from typing import Final

from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.random_policy import RandomPolicy

BOT_KINDS: Final[dict[str, dict[str, PolicyFactory]]] = {
    "dragons": {"random": RandomPolicy, "greedy": GreedyDragons},
}
"""Game name -> kind -> what makes a policy of that kind."""


class UnknownKind(Exception):
    """A kind of bot that no game has."""


def all_kinds() -> list[str]:
    """Every kind that some game has, in alphabetical order."""
    return sorted({kind for kinds in BOT_KINDS.values() for kind in kinds})


def check_kind(kind: str) -> None:
    """Raises `UnknownKind` unless some game has bots of this kind."""
    if kind not in all_kinds():
        raise UnknownKind(f"there is no kind of bot called {kind!r}; there are: {', '.join(all_kinds())}")
