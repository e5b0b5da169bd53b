"""From what an author's code chose to a position among the legal actions, or to an error that says which are legal."""

from __future__ import annotations

from operator import index
from typing import Any, Final, SupportsIndex

from dragonhall.rules.actions import ActionList, raised

_LISTED: Final = 12
"""Entries of the legal actions that an error lists; there may be hundreds."""
_SHOWN: Final = 200
"""Characters of a choice that an error quotes."""


class BadChoice(Exception):
    """A choice that is none of the legal actions. The message says which are."""


def checked_position(choice: object, actions: ActionList) -> int:
    """The position that a policy chose. Raises `BadChoice` if it is none."""
    position = _position(choice, actions)
    if position is None:
        raise BadChoice(
            f"the policy chose {_quoted(choice)}; it has to choose a position from 0 to {len(actions) - 1}"
            f" ({legal_in_words(actions)})"
        )
    return position


def position_of(choice: object, actions: ActionList) -> int:
    """The position of what a bot chose: a position itself, or one of ``actions``. Raises `BadChoice` if it is neither.

    >>> from dragonhall.rules.dragons.moves import Claim, Draw
    >>> actions = ActionList([(Draw(), 1), (Claim(0), 1), (Claim(2), 1)])
    >>> position_of(Claim(2), actions), position_of(0, actions)
    (2, 0)
    """
    position = _position(choice, actions)
    if position is not None:
        return position
    try:
        return actions.index(choice)
    except (ValueError, AttributeError, TypeError):  # an action that is none, or has fields of the wrong types
        raise BadChoice(f"choose returned {_quoted(choice)}{_fault(choice)}; {legal_in_words(actions)}") from None


def legal_in_words(actions: ActionList) -> str:
    """The first legal actions with their positions.

    >>> from dragonhall.rules.dragons_interest.moves import Commit, Pass
    >>> legal_in_words(ActionList([(Pass(), 1), (Commit(3), 20)]))
    'legal: 0 Pass(), 1 Commit(amount=3) to 20 Commit(amount=22)'
    """
    words, position = [], 0
    for first, count in actions.entries[:_LISTED]:
        last = position + count - 1
        words.append(f"{position} {first!r}" + (f" to {last} {raised(first, count - 1)!r}" if count > 1 else ""))
        position += count
    more = f", and {len(actions) - position} more" if position < len(actions) else ""
    return f"legal: {', '.join(words)}{more}"


def _position(choice: object, actions: ActionList) -> int | None:
    """``choice`` as a position, if it is one. NumPy's integers are, too."""
    if isinstance(choice, bool) or not isinstance(choice, SupportsIndex):
        return None
    return index(choice) if 0 <= index(choice) < len(actions) else None


def _fault(choice: Any) -> str:
    if choice is None:
        return " (does it return on every path?)"
    if isinstance(choice, SupportsIndex):
        return ", which is no position in self.actions"
    if isinstance(choice, type):
        return ", which is a class: make an action of it"
    return ", which is not legal here"


def _quoted(choice: object) -> str:
    text = repr(choice)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
