"""How the guide weighs what it sees. Found by having variants play each other by the ten thousand.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from typing import final


@final
class Temper:
    """Worths in victory points, times in own turns."""

    def __init__(self) -> None:
        self.card: float = 1.0
        """A card from the deck."""
        self.prepare: float = -0.13
        """A PREPARE, beside its cards."""
        self.overflow: float = 0.3
        """A card drawn beyond the hand limit, as part of a card."""
        self.waiting: float = 0.0
        """What the best challenge promises counts this much for a PREPARE that makes it more certain."""
        self.small: float = 0.0
        """A PREPARE, for each card that is missing in the hand."""
        self.crowd: float = 0.0
        """How much less a card is worth in a full hand."""
        self.wild: float = 0.7
        """A wild card more than any other card."""
        self.hurry: float = 0.17
        """How much more a success is worth than what it brings: the turn."""
        self.potion: float = 0.9
        self.coin: float = 0.6
        self.treasure: float = 3.43
        self.advance: float = 2.71
        """The experience of a success."""
        self.boost: float = 1.2
        """What is given away with a boost."""
        self.trophy: float = 0.7
        """The part of a trophy's prize that taking it is worth."""
        self.denied: float = 0.3
        """The same, of taking it from somebody else."""
        self.symbol: float = 0.17
        """The same, of a symbol for a trophy that is not taken with it."""
        self.last_type: float = 0.9
        """The part of the variety trophy's prize that the last missing type is worth."""
        self.each_type: float = 0.45
        """Each type more that is missing leaves so much of it."""
        self.pace: float = 1.8
        """Turns from one success of a seat to its next."""
        self.patience: float = 2.6
        """Turns within which most of what is in stock comes to use."""
        self.ending: float = 12.0
        """To end the game as its winner; as much is lost by ending it otherwise."""
        self.sure_margin: float = 3.0
        """With so many points more than the best other seat the winner is certain."""
        self.tavern: float = 55.0
        """How well a card of the Tavern has to fit to be taken, for each card in hand."""
        self.deck: float = 20.0
        """The same, without any card in hand."""
        self.colour: float = 108.83
        self.number: float = 120.0
        self.near: float = 22.0
        self.twice: float = 40.0
        """How cards fit together (`hands.Taste`)."""
        self.clear: float = 0.5
        """The Quest Board is cleared if no challenge is worth more."""
        self.pip: float = 2.41
        """One more on an approach's track."""
        self.sea: float = 3.17
        self.reroll: float = 1.5
        self.trophy_track: float = 1.72
        self.room: float = 0.3
        """Room for one more card in hand."""
        self.further: float = 0.35
        """The space after the next of a track counts this many times."""
        self.item: float = 2.0
        """A treasure that helps, early in the game."""
        self.pay: float = 1.72
        """One that pays coins."""
        self.scroll: float = 1.0
        """What a scroll brings counts this many times."""
        self.charm: float = 2.42
        """One that helps with a rolled 1."""
