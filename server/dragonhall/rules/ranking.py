"""Who came where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def ranks(standings: Sequence[Any]) -> list[int]:
    """The rank of each seat: 1 + the number of seats that did better. Greater is better; equals share a rank.

    ``standings``: one comparable value a seat, such as a tuple of the score and what breaks ties.

    >>> ranks([12, 30, 12])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in standings) for own in standings]
