"""How the greedy policy for Dragon's Interest weighs what it knows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Temper:
    """The cautious character, unless told otherwise. Found by having variants play each other and random bots."""

    # What it pays attention to: without one of these it plays as if it had never thought of it.
    counts_tokens: bool = True
    """Keeps a ledger of what others hold; else it takes everybody to hold anything up to all that there is."""
    minds_ruin: bool = True
    """Keeps the gold for the next payments; else gold is only money."""
    minds_debts: bool = True
    """Knows what a contract will cost over the whole game; else only what it brings now."""
    exchanges: bool = True
    """Activates buildings; else it passes in every phase 2."""

    # Caution.
    far: float = 0.85
    """A ruin that is one payment further off counts so many times less: something may be done about it."""
    income: tuple[int, ...] = (8, 7, 5, 4, 3, 2, 1, 0)
    """Gold that a seat is counted on to gain before the second payment from now, the third, ...; new debts included."""
    foresight: int = 5
    """Payments that are looked ahead at."""

    # What things are worth, in points of the final scoring.
    gold: float = 0.04
    """A first gold that is left when all debts are paid."""
    gold_enough: float = 20.0
    """After so many, one more is worth the third part."""
    knights: float = 0.2
    """A first knight, while there are rounds to use it in."""
    knights_enough: float = 8.0
    """After so many, one more is worth the third part."""
    use: float = 2.0
    """Rounds in which tokens can be put to full use."""
    tie: float = 0.4
    """More knights than another seat has: they break ties."""

    # What others are expected to do.
    doubt: float = 0.3
    """How likely another seat chooses at random."""
    heat: float = 0.05
    """How large a difference in its chance to win another seat may overlook."""
    surprise: float = 0.12
    """The chance that another seat is ruined in a round although it could have paid: it does something foolish."""
