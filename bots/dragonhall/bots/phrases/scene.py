"""What a question is about, and small words that all games need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scene:
    """A seat is asked something: what it sees, and what it is asked. All are the game's own dataclasses."""

    game: str
    """Its name in `GAMES`."""
    components: Any
    view: Any
    """The seat's own, as it was asked."""
    decision: Any


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things.

    >>> counted(1, "seat"), counted(0, "seat"), counted(2, "die", "dice")
    ('1 seat', '0 seats', '2 dice')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def listed(words: Sequence[str]) -> str:
    """Several things.

    >>> listed(["cow"]), listed(["cow", "crown", "sword"])
    ('cow', 'cow, crown and sword')
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def numbered(things: Sequence[object], place: int, name: str) -> str:
    """The name of the thing at a place, with the place (from 0) if it alone does not tell it from the others.

    >>> numbered(["Oni", "Kasha", "Oni"], 1, "Kasha"), numbered(["Oni", "Kasha", "Oni"], 2, "Oni")
    ('Kasha', 'Oni (place 2)')
    """
    return name if list(things).count(things[place]) == 1 else f"{name} (place {place})"
