"""A DragonIsles table, for its foreign reader: what is done at many points of a game, each with its events.

Written from the comments of dragonisles.proto alone. What may ask a seat is a generator, which yields what is asked
and is sent the answer. Whatever a seat takes must be there, and every outcome of chance must be used in its turn:
where a record says otherwise, an assertion fails.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable
from typing import Any, Final

from tests.records.foreign_isles_facts import ADVENTURERS
from tests.records.foreign_isles_parts import (
    GAME,
    POTIONS,
    TYPES,
    Challenge,
    Deck,
    Player,
    canonical,
    coin_value,
    copies,
    potion_pile,
)
from tests.records.foreign_parts import JSON, Table, message

QUEST_PLACES: Final = 4
TAVERN_PLACES: Final = 2

Question = dict[int, JSON]
Course = Generator[Question, JSON, None]
"""Of play that may ask, and goes on with the answer."""
Answer = Generator[Question, JSON, tuple[str, JSON]]
"""Comes to the kind and the fields of the action that was chosen."""


class IslesTable(Table):
    """All is done by the active seat, and nobody else is ever asked."""

    active: int

    def __init__(self, record: JSON) -> None:
        super().__init__(GAME, len(record["seats"]))
        self.options, self.components = record["options"][GAME], record["componentSet"][GAME]
        self.kinds, self.items = self.components["encounters"], self.components["treasures"]
        self.players = [Player() for _ in range(self.seats)]
        self.adventurers = Deck("adventurers", list(ADVENTURERS))
        self.encounters = Deck("encounters", copies(self.kinds))
        self.treasures = Deck("treasures", copies(self.items))
        self.quest_board: list[int | None] = [None] * QUEST_PLACES
        self.tavern: list[str | None] = [None] * TAVERN_PLACES
        self.pile = potion_pile(self.components)
        self.coins_left = coin_value(self.components)
        self.trophies: dict[str, int] = {}
        """The holder of each encounter trophy."""
        self.variety: set[int] = set()
        self.challenged: Challenge | None = None
        self.lots: list[tuple[str, Any, Any]] = []
        """Chance used so far: its name, what stood before a shuffle or what a number is below, and the outcome."""
        self.chance = record["steps"][0].get("chance", []).copy()
        self.course = self.play()
        self.question: Question = next(self.course)
        assert not self.chance

    @abstractmethod
    def play(self) -> Course:
        """A whole game."""

    # -- asking, answering and chance ---------------------------------------------------------------------------------

    def asked(self) -> Question:
        return self.question

    def follow(self, step: JSON) -> None:
        self.chance = step.get("chance", []).copy()
        super().follow(step)
        assert not self.chance

    def act(self, actions: Question) -> None:
        [action] = actions.values()
        try:
            self.question = self.course.send(action)
        except StopIteration:
            self.question = {}

    def ask(self, **decision: JSON) -> Answer:
        action = yield {self.active: decision}
        [(kind, fields)] = action.items()
        return kind, fields

    def outcome(self, name: str, before: Any, *field: str) -> Any:
        """Of the next chance, which must be of this name."""
        written = self.chance.pop(0)
        assert written["name"] == f"dragonisles/{name}"
        for part in field:
            written = written[part]
        self.lots.append((f"dragonisles/{name}", before, written))
        return written

    def lot(self, name: str, below: int) -> int:
        number: int = self.outcome(name, below, "number")
        assert number < below
        return number

    def shuffled(self, name: str, items: list[Any]) -> list[Any]:
        order: list[Any] = self.outcome(name, items, f"dragonisles{name.capitalize()}", name)
        assert sorted(order) == sorted(items)
        return order.copy()

    def shuffle(self, deck: Deck) -> None:
        deck.cards = self.shuffled(deck.name, deck.cards)

    def renew(self, deck: Deck) -> None:
        if deck.discards and not deck.cards:
            deck.cards, deck.discards = deck.discards, []
            self.shuffle(deck)
            self.tell("deckShuffled", deck=f"DECK_{deck.name.upper()}", deckSize=len(deck.cards))

    # -- seats and what they are told ---------------------------------------------------------------------------------

    @property
    def player(self) -> Player:
        return self.players[self.active]

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.active]

    def tell_own(self, kind: str, present: JSON | None = None, **fields: Any) -> None:
        """What the active seat did. Fields that are present are told also where they are 0."""
        self.tell(kind, seat=self.active, **fields)
        self.events[-1]["event"][GAME][kind].update(present or {})

    def tell_secret(self, kind: str, secret: JSON, **fields: Any) -> None:
        """An event of which the active seat alone knows the secret fields."""
        public = {"seat": self.active, **fields}
        self.tell_apart(kind, [self.active], message(**public, **secret), message(**public))

    def tell_nothing_left(self, earning: str) -> None:
        self.tell_own("nothingLeft", earning=f"EARNING_{earning}")

    # -- Quest Board --------------------------------------------------------------------------------------------------

    def fill_board(self) -> None:
        for place, lying in enumerate(self.quest_board):
            if lying is None:
                self.reveal(place)
        if self.four_alike():
            self.clear_board("FOUR_ALIKE")

    def reveal(self, place: int) -> None:
        self.renew(self.encounters)
        if self.encounters.cards:
            encounter = self.quest_board[place] = self.encounters.cards.pop(0)
            self.tell("encounterRevealed", place=place, encounter=encounter, deckSize=len(self.encounters.cards))

    def four_alike(self) -> bool:
        """And not all that is left."""
        if None in self.quest_board:
            return False
        shown = self.categories(self.quest_board)
        elsewhere = self.categories([*self.encounters.cards, *self.encounters.discards])
        return len(shown) == 1 and not elsewhere <= shown

    def categories(self, encounters: Iterable[int | None]) -> set[str]:
        return {self.kinds[encounter]["category"] for encounter in encounters if encounter is not None}

    def clear_board(self, cause: str) -> None:
        cleared = [encounter for encounter in self.quest_board if encounter is not None]
        self.quest_board = [None] * QUEST_PLACES
        self.encounters.discards += cleared
        self.tell("questBoardCleared", cause=f"CLEAR_CAUSE_{cause}", encounters=cleared)
        self.fill_board()

    # -- adventurer cards ---------------------------------------------------------------------------------------------

    def fill_tavern(self) -> None:
        for place, lying in enumerate(self.tavern):
            if lying is None and self.adventurers.left:
                self.renew(self.adventurers)
                card = self.tavern[place] = self.adventurers.cards.pop(0)
                self.tell("tavernRefilled", place=place, card=card, deckSize=len(self.adventurers.cards))
                self.renew(self.adventurers)

    def draw_card(self) -> None:
        self.renew(self.adventurers)
        if not self.adventurers.cards:
            self.tell_nothing_left("ADVENTURER")
            return
        card = self.adventurers.cards.pop(0)
        self.player.hand.append(card)
        self.tell_secret("cardDrawn", {"card": card}, deckSize=len(self.adventurers.cards))
        self.renew(self.adventurers)

    def take_out(self, cards: list[str]) -> None:
        for card in cards:
            self.player.hand.remove(card)

    def discard(self, cards: list[str], cause: str) -> None:
        """Cards that are not in hand any more."""
        self.adventurers.discards += canonical(cards)
        self.tell_own("cardsDiscarded", cards=canonical(cards), cause=f"DISCARD_CAUSE_{cause}")
        self.fill_tavern()

    def keep_hand_limit(self) -> Course:
        excess = len(self.player.hand) - self.player.track("HAND_LIMIT")
        if excess > 0:
            _, fields = yield from self.ask(discard={"count": excess})
            assert len(fields["cards"]) == excess
            self.take_out(fields["cards"])
            self.discard(fields["cards"], "HAND_LIMIT")

    # -- trophies -----------------------------------------------------------------------------------------------------

    def add_symbols(self, of_type: str, symbols: int) -> None:
        own, holder = self.player.symbols, self.trophies.get(of_type)
        own[of_type] += symbols
        if holder != self.active and all(own[of_type] > self.players[other].symbols[of_type] for other in self.others):
            self.trophies[of_type] = self.active
            self.tell_own("encounterTrophyTaken", {} if holder is None else {"fromSeat": holder}, type=of_type)
        if self.active not in self.variety and all(own[each] for each in TYPES):
            self.variety.add(self.active)
            self.tell_own("varietyTrophyTaken")

    # -- earning ------------------------------------------------------------------------------------------------------

    def earn(self, what: str) -> Course:
        """A Bonus or a Reward."""
        match what.rpartition("_")[2]:
            case "COIN":
                yield from self.earn_coin({})
            case "POTION":
                yield from self.earn_potion()
            case "TREASURE":
                yield from self.earn_treasure()

    def earn_coin(self, by: JSON) -> Course:
        if self.coins_left:
            self.coins_left -= 1
            self.tell_own("coinEarned", by)
        elif any(self.players[other].coins for other in self.others):
            _, fields = yield from self.ask(takeCoin={})
            giver = fields.get("seat", 0)
            assert giver in self.others
            assert self.players[giver].coins
            self.players[giver].coins -= 1
            self.tell_own("coinTaken", fromSeat=giver)
        else:
            self.tell_nothing_left("COIN")
            return
        self.player.coins += 1

    def earn_potion(self) -> Course:
        if self.pile.total():
            place = self.lot("potions", self.pile.total())
            potion = [potion for potion in POTIONS for _ in range(self.pile[potion])][place]
            self.pile[potion] -= 1
            self.tell_own("potionEarned", potion=potion)
        elif any(self.players[other].potions.total() for other in self.others):
            _, fields = yield from self.ask(takePotion={})
            giver, potion = fields.get("seat", 0), fields["potion"]
            assert giver in self.others
            assert self.players[giver].potions[potion]
            self.players[giver].potions[potion] -= 1
            self.tell_own("potionTaken", fromSeat=giver, potion=potion)
        else:
            self.tell_nothing_left("POTION")
            return
        self.player.potions[potion] += 1

    def earn_treasure(self) -> Course:
        offer = sorted(self.draw_two_treasures())
        if not offer:
            self.tell_nothing_left("TREASURE")
            return
        size = len(self.treasures.cards)
        self.tell_secret("treasuresOffered", {"treasures": offer}, count=len(offer), deckSize=size)
        _, fields = yield from self.ask(treasure={"offer": offer, "count": len(offer)})
        treasure = fields.get("treasure", 0)
        rest = _without(treasure, offer)
        self.player.treasures.append(treasure)
        self.treasures.discards += rest
        self.tell_own("treasureKept", treasure=treasure, discarded=rest)
        if "scroll" in self.items[treasure]:
            self.add_symbols(self.items[treasure]["scroll"], 1)
        if self.player.plays("TRADER"):
            yield from self.trade()

    def draw_two_treasures(self) -> list[int]:
        drawn = []
        for _ in range(2):
            self.renew(self.treasures)
            if self.treasures.cards:
                drawn.append(self.treasures.cards.pop(0))
        return drawn

    def trade(self) -> Course:
        """The Trader's cards for a treasure."""
        drawn = []
        for _ in range(3):
            self.renew(self.adventurers)
            if self.adventurers.cards:
                drawn.append(self.adventurers.cards.pop(0))
                self.renew(self.adventurers)
        if not drawn:
            self.tell_nothing_left("ADVENTURER")
            return
        offer, size = canonical(drawn), len(self.adventurers.cards)
        self.tell_secret("adventurersOffered", {"cards": offer}, count=len(offer), deckSize=size)
        _, fields = yield from self.ask(adventurer={"offer": offer, "count": len(offer)})
        rest = _without(fields["card"], offer)
        self.player.hand.append(fields["card"])
        self.tell_secret("adventurerKept", {"card": fields["card"]})
        if rest:
            self.discard(rest, "TRADER")


def _without(kept: Any, offer: list[Any]) -> list[Any]:
    rest = offer.copy()
    rest.remove(kept)
    return rest
