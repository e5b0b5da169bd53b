"""The journal: what `apply` tells, and whom.

The server passes a journal in and streams what it holds; a search passes ``None`` and pays nothing.
An audience is a bit mask: bit *s* is seat *s*, one more bit stands for every spectator. A spectator is
told what every seat is told, so only `EVERYONE` and `tell_others` reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EVERYONE: Final = -1
"""Audience of an event that all seats and all spectators see."""

SPECTATOR_BIT: Final = 1 << 30


def viewer_bit(viewer: int | None) -> int:
    """The audience bit of seat ``viewer``, or of the spectators for ``None``."""
    return SPECTATOR_BIT if viewer is None else 1 << viewer


@dataclass(frozen=True)
class Entry:
    """One event and its audience (a bit mask, see the module's docstring)."""

    event: object
    audience: int

    def is_for(self, viewer: int | None) -> bool:
        """Whether seat ``viewer`` (``None``: a spectator) is told of the event."""
        return self.audience & viewer_bit(viewer) != 0


class Journal:
    """Collects the events of one step, in the order in which they happened."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def tell(self, event: object) -> None:
        """Everyone sees ``event``."""
        self.entries.append(Entry(event, EVERYONE))

    def tell_only(self, seat: int, event: object) -> None:
        """Only ``seat`` sees ``event``."""
        self.entries.append(Entry(event, 1 << seat))

    def tell_others(self, seat: int, event: object) -> None:
        """Everyone but ``seat`` sees ``event``: the other seats and the spectators."""
        self.entries.append(Entry(event, EVERYONE & ~(1 << seat)))

    def tell_apart(self, knowing: int, known: object, hidden: object) -> None:
        """The seats of the mask ``knowing`` see ``known``; everyone else sees ``hidden``, the same with less in it."""
        self.entries.append(Entry(known, knowing))
        self.entries.append(Entry(hidden, EVERYONE & ~knowing))
