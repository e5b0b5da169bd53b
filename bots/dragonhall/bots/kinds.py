"""The kinds of bot there are, by game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from dragonhall.bots.greedy.dragonisles import GreedyDragonIsles
from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.bots.greedy.dragons_interest import GreedyDragonsInterest
from dragonhall.bots.mcts.budget import InvalidBudget
from dragonhall.bots.mcts.levels import LEVELS, budget_of, mcts_policies
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.own import InvalidPolicy, is_place, load_policy, made_by
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.random_policy import RandomPolicy
from dragonhall.bots.sdk import Bot
from dragonhall.rules import GAMES

BOT_KINDS: Final[dict[str, dict[str, PolicyFactory]]] = {
    "dragons": {"random": RandomPolicy, "greedy": GreedyDragons},
    "dragons_interest": {"random": RandomPolicy, "greedy": GreedyDragonsInterest},
    "dragonisles": {"random": RandomPolicy, "greedy": GreedyDragonIsles},
}
"""Game name -> kind -> what makes a policy of that kind: of those that need no more than some milliseconds."""

BUDGETS: Final = "mcts@2000 (simulations a decision) or mcts@0.5s (seconds)"
"""The kinds that no list can hold."""


class UnknownKind(Exception):
    """A kind of bot that no game has."""


def quick_kinds() -> list[str]:
    """Every kind that some game has whose policies need little time, in alphabetical order."""
    return sorted({kind for kinds in BOT_KINDS.values() for kind in kinds})


def all_kinds() -> list[str]:
    """Every kind that has a name, in alphabetical order. Beside them there are `BUDGETS`."""
    return sorted({kind for game in GAMES for kind in kinds_of(game)})


def kinds_of(game: str) -> list[str]:
    """Those that play a game, in alphabetical order."""
    return sorted([*BOT_KINDS.get(game, ()), *(LEVELS if game in METHODS else ())])


def check_kind(kind: str) -> None:
    """Raises `UnknownKind` unless some game has bots of this kind."""
    if kind not in all_kinds() and not _is_budget(kind):
        raise UnknownKind(
            f"there is no kind of bot called {kind!r}; there are: {', '.join(all_kinds())}; {BUDGETS};"
            " a bot of your own is FILE.py:CLASS or package.module:CLASS"
        )


def _is_budget(kind: str) -> bool:
    try:
        return budget_of(kind) is not None
    except InvalidBudget as error:
        raise UnknownKind(f"there is no kind of bot called {kind!r}: {error}") from error


def policies_of(kind: str | PolicyFactory | type[Bot]) -> Mapping[str, PolicyFactory]:
    """Game name -> what makes the policies with which a bot of this kind plays it.

    ``kind``: one of `all_kinds`, where a bot of one's own is written (see `load_policy`), or its class, or what makes
    its policies: that is asked for a policy in every game. Raises `UnknownKind` and `InvalidPolicy`.
    """
    if isinstance(kind, str) and not is_place(kind):
        check_kind(kind)
        budget = budget_of(kind)
        if budget is not None:
            return mcts_policies(budget)
        return {game: kinds[kind] for game, kinds in BOT_KINDS.items() if kind in kinds}
    own = load_policy(kind) if isinstance(kind, str) else made_by(kind)
    games = getattr(own, "games", None) or tuple(GAMES)
    unknown = [game for game in games if game not in GAMES]
    if unknown:
        raise InvalidPolicy(f"{kind_name(kind)} plays {unknown[0]!r}, it says; there are: {', '.join(GAMES)}")
    return dict.fromkeys(games, own)


def kind_name(kind: str | PolicyFactory | type[Bot]) -> str:
    """What a bot of this kind is said to be."""
    return kind if isinstance(kind, str) else getattr(kind, "__qualname__", repr(kind))


def usual_name(kind: str) -> str:
    """The name for which seats are reserved if a bot of this kind is given none: ``mcts@2000`` would be no name."""
    return kind.replace("@", "-")


def thinks_long(factory: PolicyFactory) -> bool:
    """Whether its policies need more than some milliseconds for a choice, as they say by an attribute of this name."""
    return bool(getattr(innermost(factory), "thinks_long", False))


def needs_long(kind: str | PolicyFactory | type[Bot]) -> bool:
    """Whether `thinks_long` holds in some game. Raises `UnknownKind` and `InvalidPolicy`."""
    return any(map(thinks_long, policies_of(kind).values()))


def innermost(factory: Any) -> Any:
    """What makes the policies in the end: a class, or a function."""
    while isinstance(factory, partial):
        factory = factory.func
    return factory
