"""A reader of Dragons records that shares no code with the product, written from the comments of the .proto files.

What it is for is said in `foreign_parts`. The table is kept in plain lists.
"""

from __future__ import annotations

from typing import Any, Final

from tests.records.foreign_parts import JSON, Table, message, ranks, replay

TOTAL_CARDS: Final = 104
ARMOUR: Final = ("SWORD", "HELMET", "SHIELD", "BREASTPLATE")
JEWELS: Final = ("CROWN", "SCEPTER", "BRACELET", "NECKLACE")


def rebuild(record: JSON) -> JSON:
    """Its ``steps`` and ``outcome``, as `replay` says."""
    return replay(record, _Table(len(record["seats"]), record["options"]["dragons"], record["steps"][0]["chance"]))


class _Table(Table):
    """The cards and who has what. A year's deck, piles and hands are lists of cards, each as its JSON."""

    def __init__(self, seats: int, options: JSON, chance: list[JSON]) -> None:
        super().__init__("dragons", seats)
        self.hidden_card = options.get("hiddenCard", False)
        self.years = (4 if seats <= 4 else 3) + options.get("extraYear", False)
        shuffle, *lots = chance
        assert shuffle["name"] == "dragons/treasure"
        assert [lot["name"] for lot in lots] == ([] if "firstSeat" in options else ["dragons/first_seat"])
        self.cards: list[JSON] = list(shuffle["dragonsCards"]["cards"])
        self.treasure: list[list[JSON]] = [[] for _ in range(seats)]
        self.year = 0
        self.drawn: JSON | None = None
        self.begin_year(options["firstSeat"] if "firstSeat" in options else lots[0].get("number", 0))

    def tell_copies(self, kind: str, secret: JSON, **fields: Any) -> None:
        """To the seat with what only it may know, then to the others without."""
        self.tell_apart(kind, [fields["seat"]], message(**fields, **secret), message(**fields))

    # -- a year -------------------------------------------------------------------------------------------------------

    def begin_year(self, first_seat: int) -> None:
        size = TOTAL_CARDS // self.years + (self.year < TOTAL_CARDS % self.years)
        self.deck, self.cards = self.cards[:size], self.cards[size:]
        self.year += 1
        self.piles = [[self.deck.pop(0)] for _ in range(self.seats)]
        self.claimed: dict[int, int] = {}  # seat -> pile
        self.held: dict[int, JSON] = {}
        self.active = first_seat
        first_cards = [pile[0] for pile in self.piles]
        self.tell("yearStarted", year=self.year, firstSeat=first_seat, firstCards=first_cards, deckSize=len(self.deck))
        for seat in self.clockwise_from(first_seat) if self.hidden_card else []:
            self.held[seat] = self.deck.pop(0)
            self.tell_copies("hiddenCardDealt", {"card": self.held[seat]}, seat=seat)

    def asked(self) -> dict[int, JSON]:
        return {self.active: {"placement": {"drawn": self.drawn}} if self.drawn else {"turn": {}}}

    def act(self, actions: dict[int, JSON]) -> None:
        [(kind, fields)] = actions[self.active].items()
        pile = fields.get("pile", 0)
        if kind == "draw":
            self.draw()
        elif kind == "claim":
            self.claim(pile)
        else:
            self.place(pile, fields.get("card"))

    def draw(self) -> None:
        self.drawn = self.deck.pop(0)
        fields = {"seat": self.active, "deckSize": len(self.deck)}
        if self.hidden_card:
            self.tell_copies("cardDrawn", {"card": self.drawn}, **fields)
        else:
            self.tell("cardDrawn", card=self.drawn, **fields)

    def place(self, pile: int, played: str | None) -> None:
        assert self.drawn is not None
        assert pile not in self.claimed.values()
        card, self.drawn = self.drawn, None
        if played == "HAND_CARD_HELD":
            card, self.held[self.active] = self.held[self.active], card
        self.piles[pile].append(card)
        if self.hidden_card:
            self.tell_copies("cardPlaced", {"played": played}, seat=self.active, pile=pile, card=card)
        else:
            self.tell("cardPlaced", seat=self.active, pile=pile, card=card)
        self.pass_turn()

    def claim(self, pile: int) -> None:
        assert self.drawn is None
        assert pile not in self.claimed.values()
        self.claimed[self.active] = pile
        self.tell("pileClaimed", seat=self.active, pile=pile)
        self.pass_turn()
        if len(self.claimed) == self.seats - 1:
            self.end_year()

    def pass_turn(self) -> None:
        self.active = next(s for s in self.clockwise_from(self.active + 1) if s not in self.claimed)

    def end_year(self) -> None:
        last = self.active
        [pile] = set(range(self.seats)) - set(self.claimed.values())
        self.claimed[last] = pile
        self.tell("lastPileTaken", seat=last, pile=pile, restOfDeck=self.deck)
        self.tell("yearEnded", year=self.year, hauls=[self.carry_home(seat, last) for seat in range(self.seats)])
        if self.year < self.years:
            self.begin_year((last + 1) % self.seats)

    def carry_home(self, seat: int, last: int) -> JSON:
        pile, rest, hidden = self.piles[self.claimed[seat]], self.deck if seat == last else [], self.held.get(seat)
        self.treasure[seat] += [*pile, *rest, *([hidden] if hidden else [])]
        return message(seat=seat, pile=self.claimed[seat], cards=pile, restOfDeck=rest, hiddenCard=hidden)

    def results(self) -> list[JSON]:
        return results(self.treasure)

    def standing(self) -> list[JSON]:
        claimed = [self.piles[self.claimed[seat]] if seat in self.claimed else [] for seat in range(self.seats)]
        held = [[self.held[seat]] if seat in self.held else [] for seat in range(self.seats)]
        return results([own + pile + hand for own, pile, hand in zip(self.treasure, claimed, held, strict=True)])


# -- the end ----------------------------------------------------------------------------------------------------------


def results(treasures: list[list[JSON]]) -> list[JSON]:
    """One result a seat from the cards that each has."""
    owned = [[card["kind"].removeprefix("CARD_KIND_") for card in treasure] for treasure in treasures]
    famines = _famines(owned)
    gems = {kind: _gem_points(kind, owned, famines) for kind in ("PINK_GEM", "BLUE_GEM")}
    lines = [
        {
            "coins": sum(card.get("coins", 0) for card in treasure),
            "oneRing": 7 if kinds.count("ONE_RING") == 1 else 0,
            "armour": 10 * min(kinds.count(kind) for kind in ARMOUR),
            "jewels": 10 * sum(kinds.count(kind) // 3 for kind in JEWELS),
            "pinkGems": gems["PINK_GEM"][seat],
            "blueGems": gems["BLUE_GEM"][seat],
            "polish": kinds.count("POLISH") ** 2,
        }
        for seat, (treasure, kinds) in enumerate(zip(treasures, owned, strict=True))
    ]
    standings = [(not famines[seat], sum(points.values())) for seat, points in enumerate(lines)]
    return [
        message(
            seat=seat,
            score=sum(points.values()),
            rank=rank,
            eliminated=bool(famines[seat]),
            breakdown={
                "dragons": message(
                    cows=owned[seat].count("COW"), sheep=owned[seat].count("SHEEP"), famines=famines[seat], **points
                )
            },
        )
        for seat, (points, rank) in enumerate(zip(lines, ranks(standings), strict=True))
    ]


def _famines(owned: list[list[str]]) -> list[list[str]]:
    """Why each seat is eliminated."""
    if len(owned) <= 4:
        causes = {"FAMINE_ANIMALS": [kinds.count("COW") + kinds.count("SHEEP") for kinds in owned]}
    else:
        causes = {
            f: [kinds.count(kind) for kinds in owned] for f, kind in (("FAMINE_COWS", "COW"), ("FAMINE_SHEEP", "SHEEP"))
        }
    alone = {famine: counts.index(min(counts)) for famine, counts in causes.items() if counts.count(min(counts)) == 1}
    return [[famine for famine, starved in alone.items() if starved == seat] for seat in range(len(owned))]


def _gem_points(kind: str, owned: list[list[str]], famines: list[list[str]]) -> list[int]:
    counts = [0 if famine else kinds.count(kind) for kinds, famine in zip(owned, famines, strict=True)]
    most = max(counts)
    return [12 // counts.count(most) if most and count == most else 0 for count in counts]
