"""How the greedy policy for Dragon's Interest weighs what it knows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Temper:
    """The cautious character, unless told otherwise. Found by having variants play each other and random bots."""

    # What it pays attention to: without one of these it plays as if it had never thought of it.
    counts_tokens: bool = True
    """Keeps a ledger of what others hold; else they may hold anything up to all that they hold together."""
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

    prudence: float = 0.9
    """The least chance for the game to go on after a round with which the cost of debts is reckoned."""

    # What things are worth, in points of the final scoring.
    gold: float = 0.04
    """A first gold that is left when all debts are paid."""
    gold_enough: float = 20.0
    """After so many, one more is worth the third part."""
    knights: float = 0.2
    """A first knight, while there are rounds to use it in."""
    knights_enough: float = 8.0
    """After so many, one more is worth the third part."""
    use: float = 1.0
    """Rounds in which tokens can be put to full use."""
    tie: float = 0.4
    """More knights than another seat has: they break ties."""

    # What others are expected to do.
    doubt: float = 0.3
    """How likely another seat answers an offer at random."""
    heat: float = 0.05
    """How large a difference in its chance to win another seat may overlook."""
    folly: float = 0.3
    """How likely another seat spends the gold that it will owe in this round."""
    later_folly: float = 0.12
    """The chance that another seat is ruined by its folly in a later round."""
    trust: float = 0.8
    """By so much all of them have grown wiser with every round that they have survived."""
    confidence: float = 2.0
    """Points by which the seat expects to outplay each of the others in a round to come: it is in no hurry."""
