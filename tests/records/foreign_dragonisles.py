"""A reader of records of DragonIsles that shares no code with the product, written from the rulebook and the comments
of the .proto files. What it is for is said in `foreign_parts`.

A game is one generator, which reads as the list of causes at Event in dragonisles.proto does; what it does at many
points is in `foreign_isles_table`.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Final

from tests.records.foreign_isles_parts import (
    BOOST,
    CLEAR,
    DRAW_TWO,
    GAME,
    MOST_DICE,
    Challenge,
    canonical,
)
from tests.records.foreign_isles_table import Course, IslesTable
from tests.records.foreign_parts import JSON, message, ranks, replay

DEALT: Final = 5
ENOUGH_ENCOUNTERS: Final = 8


def rebuild(record: JSON) -> JSON:
    """Its ``steps`` and ``outcome``, as `replay` says."""
    return replay(record, Isles(record))


class Isles(IslesTable):
    """A game from its start to its end."""

    turn = 0
    draws_left = 0

    # -- the start ----------------------------------------------------------------------------------------------------

    def play(self) -> Course:
        chosen = self.options.get("firstSeat")
        self.first_seat: int = self.lot("first_seat", self.seats) if chosen is None else chosen
        if self.options.get("draft"):
            yield from self.draft()
        else:
            self.cast()
        self.set_up()
        for self.turn in count(1):
            self.active = (self.first_seat + self.turn - 1) % self.seats
            self.tell_own("turnStarted", turn=self.turn)
            yield from self.take_turn()
            if len(self.player.encounters) == ENOUGH_ENCOUNTERS:
                return

    def boards(self) -> dict[str, list[JSON]]:
        return {board["character"]: board["tracks"] for board in self.components["characters"]}

    def cast(self) -> None:
        """Who plays whom."""
        characters = self.options.get("characters") or self.shuffled("characters", list(self.boards()))[: self.seats]
        self.tell("gameStarted", firstSeat=self.first_seat, characters=characters)
        for self.active, character in enumerate(characters):
            self.give_board(character)

    def draft(self) -> Course:
        self.tell("gameStarted", firstSeat=self.first_seat)
        free = list(self.boards())
        for seat in reversed(self.clockwise_from(self.first_seat)):
            self.active = seat
            _, fields = yield from self.ask(character={"characters": free.copy()})
            free.remove(fields["character"])
            self.give_board(fields["character"])
            self.tell_own("characterChosen", character=fields["character"])

    def give_board(self, character: str) -> None:
        self.player.character, self.player.tracks = character, self.boards()[character]

    def set_up(self) -> None:
        self.shuffle(self.encounters)
        self.fill_board()
        self.shuffle(self.adventurers)
        for seat in range(self.seats):
            self.active = seat
            self.player.hand, self.adventurers.cards = self.adventurers.cards[:DEALT], self.adventurers.cards[DEALT:]
            self.tell_secret("handDealt", {"cards": canonical(self.player.hand)}, count=DEALT)
        self.fill_tavern()
        self.shuffle(self.treasures)

    # -- a turn -------------------------------------------------------------------------------------------------------

    def take_turn(self) -> Course:
        kind, fields = yield from self.ask(turn={})
        while kind == "usePotion":
            yield from self.use_potion(fields)
            kind, fields = yield from self.ask(turn={})
        yield from self.prepare() if kind == "prepare" else self.challenge(fields)

    def prepare(self) -> Course:
        self.draws_left = 3 if self.player.plays("SORCERER") else 2
        self.tell_own("preparationStarted", draws=self.draws_left)
        while self.draws_left and (self.adventurers.left or any(self.tavern)):
            kind, fields = yield from self.ask(draw={"drawsLeft": self.draws_left})
            if kind == "usePotion":
                yield from self.use_potion(fields)
            else:
                self.draw(fields)
                self.draws_left -= 1
        if self.draws_left:
            self.tell_nothing_left("ADVENTURER")
            self.draws_left = 0
        yield from self.keep_hand_limit()

    def draw(self, fields: JSON) -> None:
        if "tavern" not in fields:
            self.draw_card()
            return
        place = fields["tavern"]
        card, self.tavern[place] = self.tavern[place], None
        assert card
        self.player.hand.append(card)
        self.tell_own("tavernCardTaken", place=place, card=card)
        self.fill_tavern()

    # -- potions ------------------------------------------------------------------------------------------------------

    def use_potion(self, fields: JSON) -> Course:
        """One that draws."""
        self.put_back(fields)
        self.draw_card()
        if fields["potion"] == DRAW_TWO:
            self.draw_card()
        else:
            assert fields["potion"] == CLEAR
            self.clear_board("POTION")
        self.draw_with_potion(fields)
        yield from self.keep_hand_limit()

    def put_back(self, fields: JSON) -> None:
        potion = fields["potion"]
        assert self.player.potions[potion]
        self.player.potions[potion] -= 1
        self.pile[potion] += 1
        self.tell_own("potionUsed", **fields)

    def draw_with_potion(self, fields: JSON) -> None:
        if fields.get("draw"):
            assert self.player.plays("MONK")
            self.draw_card()

    # -- a challenge --------------------------------------------------------------------------------------------------

    def challenge(self, fields: JSON) -> Course:
        challenge = self.challenged = self.declare(fields.get("place", 0), fields["approach"], fields["cards"])
        yield from self.ones(challenge, self.roll(challenge, "CHALLENGE", min(MOST_DICE, len(challenge.cards))))
        yield from self.reroll(challenge)
        yield from self.boost(challenge)
        total, target = challenge.total, challenge.target["target"]
        self.challenged = None
        self.tell_own("challengeEnded", total=total, target=target, succeeded=total >= target)
        if total >= target:
            yield from self.succeed(challenge)
        else:
            self.player.hand += challenge.cards
            yield from self.earn_potion()
        yield from self.keep_hand_limit()

    def declare(self, place: int, approach: str, cards: list[str]) -> Challenge:
        encounter = self.quest_board[place]
        assert encounter is not None
        kind, name = self.kinds[encounter], approach.removeprefix("APPROACH_")
        bonus = self.player.track(name)
        if kind["category"] == "CATEGORY_SEA":
            bonus += self.player.track("SEA")
        self.take_out(cards)
        self.tell_own("challengeStarted", place=place, encounter=encounter, approach=approach, cards=cards)
        return Challenge(place, encounter, approach, cards, kind[name.lower()], bonus)

    def roll(self, challenge: Challenge, cause: str, dice: int) -> list[int]:
        faces = self.components["diceFaces"]
        rolled = [faces[self.lot("dice", len(faces))] for _ in range(dice)]
        challenge.dice = sorted([*challenge.dice, *rolled])
        self.tell_own("diceRolled", cause=f"ROLL_CAUSE_{cause}", rolled=rolled, dice=challenge.dice)
        return rolled

    def roll_again(self, challenge: Challenge, cause: str, faces: list[int]) -> list[int]:
        again = Counter(faces)
        assert again <= Counter(challenge.dice)
        challenge.dice = list((Counter(challenge.dice) - again).elements())
        return self.roll(challenge, cause, len(faces))

    def ones(self, challenge: Challenge, rolled: list[int]) -> Course:
        while 1 in rolled and (usable := self.usable_on_ones(challenge)):
            kind, fields = yield from self.ask(ones={"treasures": usable})
            if kind == "decline":
                self.tell_own("choiceDeclined", choice="DECLINED_ONES")
                return
            assert Counter(fields["treasures"]) <= Counter(usable)
            self.tell_own("treasuresUsed", treasures=fields["treasures"])
            challenge.used.update(fields["treasures"])
            for treasure in fields["treasures"]:
                yield from self.benefit(challenge, treasure)
            rolled = self.roll_again(challenge, "ONES", [1] * challenge.dice.count(1))

    def usable_on_ones(self, challenge: Challenge) -> list[int]:
        owned = [treasure for treasure in self.player.treasures if self.helps_on("ROLLED_ONE", treasure)]
        return sorted((Counter(owned) - challenge.used).elements())

    def helps_on(self, trigger: str, treasure: int) -> bool:
        return bool(self.items[treasure].get("trigger") == f"TRIGGER_{trigger}")

    def benefit(self, challenge: Challenge, treasure: int) -> Course:
        match self.items[treasure]["benefit"]:
            case "BENEFIT_COIN":
                yield from self.earn_coin({"treasure": treasure})
            case "BENEFIT_DRAW_1":
                self.draw_card()
            case "BENEFIT_EXTRA_DIE":
                if len(challenge.dice) < MOST_DICE:
                    self.roll(challenge, "EXTRA_DIE", 1)

    def reroll(self, challenge: Challenge) -> Course:
        most = self.player.track("REROLLS")
        if not most:
            return
        kind, fields = yield from self.ask(reroll={"most": most})
        challenge.reroll_decided = True
        if kind == "decline":
            self.tell_own("choiceDeclined", choice="DECLINED_REROLL")
            return
        assert 0 < len(fields["faces"]) <= most
        yield from self.ones(challenge, self.roll_again(challenge, "REROLLS", fields["faces"]))

    def boost(self, challenge: Challenge) -> Course:
        while self.player.potions[BOOST]:
            asked = message(total=challenge.total, target=challenge.target["target"])
            kind, fields = yield from self.ask(boost=asked)
            if kind == "decline":
                self.tell_own("choiceDeclined", choice="DECLINED_BOOST")
                return
            self.put_back(fields)
            challenge.boosts += 1
            self.draw_with_potion(fields)

    # -- success ------------------------------------------------------------------------------------------------------

    def succeed(self, challenge: Challenge) -> Course:
        self.discard(challenge.cards, "PLAYED")
        self.take_encounter(challenge)
        yield from self.earn(challenge.target.get("bonus", ""))
        yield from self.advance()
        for treasure in self.player.treasures:
            if self.helps_on("SUCCESS", treasure) and self.fits(challenge, self.items[treasure].get("when")):
                yield from self.benefit(challenge, treasure)
        if self.player.plays("WARRIOR"):
            self.draw_card()

    def take_encounter(self, challenge: Challenge) -> None:
        place, encounter, kind = challenge.place, challenge.encounter, self.kinds[challenge.encounter]
        self.quest_board[place] = None
        self.player.encounters.append(encounter)
        self.tell_own("encounterWon", place=place, encounter=encounter)
        self.fill_board()
        self.add_symbols(kind["type"], kind["symbols"])

    def advance(self) -> Course:
        tracks = {track["name"]: track for track in self.player.open_tracks()}
        _, fields = yield from self.ask(advance={"tracks": list(tracks)})
        track = fields["track"]
        rewards = tracks[track]["rewards"]
        self.player.positions[track] += 1
        position = self.player.positions[track]
        self.tell_own("trackAdvanced", track=track, position=position)
        yield from self.earn(rewards[position - 1])

    def fits(self, challenge: Challenge, condition: JSON | None) -> bool:
        match condition:
            case {"approach": approach}:
                return bool(approach == challenge.approach)
            case {"handBelow": limit}:
                return bool(len(self.player.hand) < limit)
            case {"coloursAtLeast": least}:
                return bool(challenge.colours() >= least)
            case _:
                return True

    # -- the end ------------------------------------------------------------------------------------------------------

    def results(self) -> list[JSON]:
        lines = [self.breakdown(seat) for seat in range(self.seats)]
        scores = [sum(line.values()) for line in lines]
        coins = [player.coins for player in self.players]
        ranked = ranks(list(zip(scores, coins, strict=True)))
        return [
            message(seat=s, score=scores[s], rank=ranked[s], breakdown={GAME: message(**line, coinValue=coins[s])})
            for s, line in enumerate(lines)
        ]

    def breakdown(self, seat: int) -> dict[str, int]:
        """But for the last field: what a score is the sum of."""
        player = self.players[seat]
        trophies, variety = list(self.trophies.values()).count(seat), seat in self.variety
        return {
            "encounters": sum(self.kinds[encounter].get("victoryPoints", 0) for encounter in player.encounters),
            "scrolls": sum("scroll" in self.items[treasure] for treasure in player.treasures),
            "encounterTrophies": 3 * trophies,
            "varietyTrophy": 5 * variety,
            "trophyTrack": player.track("TROPHIES") * (trophies + variety),
            "coins": player.coins * (2 if player.plays("PIRATE") else 1),
        }
