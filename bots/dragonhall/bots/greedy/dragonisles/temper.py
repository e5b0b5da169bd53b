"""How the policy for DragonIsles weighs what it knows. Found by having variants play each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Temper:
    """Worths in victory points, times in own turns."""

    pace: float = 1.8
    """Turns from one success of a seat to its next, before this game has something to say."""
    turn: float = 2.6
    """What a turn is worth, while there are enough of them."""
    card: float = 1.0
    """A card from the deck."""
    cards_a_success: float = 2.2
    """Cards that a success takes, about."""
    spare: float = 0.6
    """A card in hand that belongs to no plan."""
    boost: float = 1.4
    """A boost in stock."""
    fresh_board: float = 0.3
    """What draw_one_and_clear is worth besides its card."""
    pip: float = 0.7
    """One more on the dice, a challenge."""
    advance: float = 2.2
    """The experience of a success; not all that the next advance brings, which a success later on would bring, too."""
    spite: float = 0.6
    """What the others lose on average counts this many times."""
    patience: float = 2.6
    """Turns within which most of what is in stock comes to use."""
    next_plan: float = 0.35
    """A second plan for the same hand counts this many times, a third one this many times less."""
    choice: float = 0.07
    """That the same cards have a plan for another approach, too, counts this part of that plan's worth."""
    staying: float = 0.65
    """How likely an encounter is still on the Quest Board after another seat's turn."""
    further_space: float = 0.35
    """The space after the next of a track counts this many times."""
    ending: float = 12.0
    """To end the game as its winner; as much is lost by ending it otherwise."""
    sure_margin: float = 3.0
    """With so many points more than the best other seat the winner is certain, whatever the last treasure is."""
