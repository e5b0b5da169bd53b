"""The kinds of bot there are, by game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dragonhall.bots.greedy.dragonisles import GreedyDragonIsles
from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.greedy.dragons_interest import GreedyDragonsInterest
from dragonhall.bots.own import is_place, load_policy, made_by
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.random_policy import RandomPolicy
from dragonhall.bots.sdk import Bot
from dragonhall.rules import GAMES

BOT_KINDS: Final[dict[str, dict[str, PolicyFactory]]] = {
    "dragons": {"random": RandomPolicy, "greedy": GreedyDragons},
    "dragons_interest": {"random": RandomPolicy, "greedy": GreedyDragonsInterest},
    "dragonisles": {"random": RandomPolicy, "greedy": GreedyDragonIsles},
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
        raise UnknownKind(
            f"there is no kind of bot called {kind!r}; there are: {', '.join(all_kinds())};"
            " a bot of your own is FILE.py:CLASS or package.module:CLASS"
        )


def policies_of(kind: str | PolicyFactory | type[Bot]) -> Mapping[str, PolicyFactory]:
    """Game name -> what makes the policies with which a bot of this kind plays it.

    ``kind``: one of `all_kinds`, where a bot of one's own is written (see `load_policy`), or its class, or what makes
    its policies: that is asked for a policy in every game. Raises `UnknownKind` and `InvalidPolicy`.
    """
    if isinstance(kind, str) and not is_place(kind):
        check_kind(kind)
        return {game: kinds[kind] for game, kinds in BOT_KINDS.items() if kind in kinds}
    own = load_policy(kind) if isinstance(kind, str) else made_by(kind)
    return dict.fromkeys(GAMES, own)


def kind_name(kind: str | PolicyFactory | type[Bot]) -> str:
    """What a bot of this kind is said to be."""
    return kind if isinstance(kind, str) else getattr(kind, "__qualname__", repr(kind))
