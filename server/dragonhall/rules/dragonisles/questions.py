"""What each stage asks, and the answers to it as typed actions: between the codes of `stage` and the values of `moves`.

One class for each stage that asks; `QUESTIONS` lists them. Each also says why an answer is refused, in words that tell
nothing that the seat may not know.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from dragonhall.rules.dragonisles import cards, challenging, choices, combinations, dealing, preparing, stage
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARD_OF,
    CARDS,
    CHARACTERS,
    POTIONS,
    QUEST_PLACES,
    Adventurer,
    Character,
    Track,
)
from dragonhall.rules.dragonisles.moves import (
    Action,
    Advance,
    AdvanceDecision,
    AdventurerDecision,
    BoostDecision,
    Challenge,
    CharacterDecision,
    ChooseCharacter,
    Decision,
    Decline,
    Discard,
    DiscardDecision,
    Draw,
    DrawDecision,
    KeepAdventurer,
    KeepTreasure,
    OnesDecision,
    Prepare,
    Reroll,
    RerollDecision,
    TakeCoin,
    TakeCoinDecision,
    TakePotion,
    TakePotionDecision,
    TreasureDecision,
    TurnDecision,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.setting import MONK, NONE, REROLLS_TRACK
from dragonhall.rules.dragonisles.telling import cards_in, offered_treasures, treasures_counted, treasures_named
from dragonhall.rules.errors import IllegalAction

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

NO_CODE: Final = -1
"""No answer to this question."""


class Question:
    """What a stage asks. Codes are those of its `stage.Stage`."""

    answers: tuple[type, ...]
    """The types of action that answer it."""
    wanted: str
    """What to do instead, when another type of action is given."""
    rule: str
    """Where the rules ask it."""

    def decision(self, state: State, own: bool) -> Decision:
        """As the seat sees it that is asked, or as everyone may know it."""
        raise NotImplementedError

    def action(self, state: State, code: int) -> Action:
        """The action of a legal code."""
        raise NotImplementedError

    def code(self, state: State, action: Any) -> int:
        """The code of an action of one of the types `answers`; if it is refused, `NO_CODE` or one that is not legal."""
        raise NotImplementedError

    def refusal(self, state: State, action: Any) -> IllegalAction:
        """Why such an action is not legal."""
        return IllegalAction(self.wanted, self.rule)


# ---- Cards named in an action


def _set_of(state: State, named: tuple[Adventurer, ...]) -> int:
    """The card set of cards in the hand of the seat whose turn it is; `NO_CODE` if some are not in hand."""
    hand = state.player().hand
    total = 0
    for card in named:
        number = CARD_OF.get(card, NONE)
        if number == NONE or not cards.holds(hand - total, 1 << number):
            return NO_CODE
        total += 1 << number
    return total


def _not_in_hand() -> IllegalAction:
    return IllegalAction("play and discard cards that are in your hand, each once", "Challenge")


# ---- Draw potions: of a turn, and of a PREPARE


def _potion_action(code: int) -> UsePotion:
    return UsePotion(POTIONS[code >> 1], code & 1 == 1)


def _potion_code(action: UsePotion, first: int, kinds: tuple[str, ...]) -> int:
    if action.potion not in kinds:
        return NO_CODE
    return first + 2 * kinds.index(action.potion) + (1 if action.draw else 0)


def _potion_refusal(state: State, action: UsePotion) -> IllegalAction:
    if action.draw and not state.plays(MONK):
        return IllegalAction("only the Monk also draws a card with a potion", "RL-18")
    if action.potion == "boost":
        return IllegalAction("a boost is used after the roll of a challenge", "RL-3")
    return IllegalAction("you have no such potion", "Potions")


class CharacterQuestion(Question):
    """With ``draft`` (RL-2)."""

    answers = (ChooseCharacter,)
    wanted = "choose a character"
    rule = "RL-2"

    def decision(self, state: State, own: bool) -> Decision:
        return CharacterDecision(tuple(_free_characters(state)))

    def action(self, state: State, code: int) -> Action:
        return ChooseCharacter(CHARACTERS[code])

    def code(self, state: State, action: ChooseCharacter) -> int:
        return CHARACTERS.index(action.character) if action.character in CHARACTERS else NO_CODE

    def refusal(self, state: State, action: ChooseCharacter) -> IllegalAction:
        return IllegalAction(f"choose a character that is free: {', '.join(_free_characters(state))}", "RL-2")


def _free_characters(state: State) -> list[Character]:
    free = dealing.free_characters(state)
    return [character for place, character in enumerate(CHARACTERS) if free >> place & 1]


@lru_cache(maxsize=16)
def _challenges(open_places: int, hand: int) -> tuple[Challenge, ...]:
    """All challenges by number (`preparing`): kept, since whoever lists them asks for one after another."""
    found: list[Challenge] = []
    for approach, name in enumerate(APPROACHES):
        ranks = range(combinations.count_combinations(approach, hand))
        played = [cards_in(combinations.combination_at(approach, hand, rank)) for rank in ranks]
        places = preparing.places_for(open_places, approach)
        found += [
            Challenge(place, name, cards) for place in range(QUEST_PLACES) if places >> place & 1 for cards in played
        ]
    return tuple(found)


class TurnQuestion(Question):
    """Prepare or challenge (How to Play)."""

    answers = (Prepare, Challenge, UsePotion)
    wanted = "prepare, challenge an encounter, or use a draw potion"
    rule = "How to Play"

    def decision(self, state: State, own: bool) -> Decision:
        return TurnDecision()

    def action(self, state: State, code: int) -> Action:
        if code == preparing.PREPARE_CODE:
            return Prepare()
        if code < preparing.FIRST_CHALLENGE:
            return _potion_action(code - preparing.FIRST_TURN_POTION)
        return _challenges(preparing.open_places(state), state.player().hand)[code - preparing.FIRST_CHALLENGE]

    def code(self, state: State, action: Prepare | Challenge | UsePotion) -> int:
        if isinstance(action, Prepare):
            return preparing.PREPARE_CODE
        if isinstance(action, UsePotion):
            return _potion_code(action, preparing.FIRST_TURN_POTION, POTIONS[:2])
        if self._obstacle(state, action) is not None:
            return NO_CODE
        approach = APPROACHES.index(action.approach)
        rank = combinations.rank_of_combination(approach, state.player().hand, _set_of(state, action.cards))
        return preparing.FIRST_CHALLENGE + preparing.number_of_challenge(state, approach, action.place, rank)

    def refusal(self, state: State, action: Prepare | Challenge | UsePotion) -> IllegalAction:
        if isinstance(action, UsePotion):
            return _potion_refusal(state, action)
        obstacle = self._obstacle(state, action) if isinstance(action, Challenge) else None
        return obstacle or IllegalAction(self.wanted, self.rule)

    def _obstacle(self, state: State, action: Challenge) -> IllegalAction | None:
        """Why a challenge is not legal; ``None`` if it is."""
        if action.approach not in APPROACHES:
            return IllegalAction(f"challenge by one of: {', '.join(APPROACHES)}", "Challenge")
        approach = APPROACHES.index(action.approach)
        open_places = preparing.places_for(preparing.open_places(state), approach)
        places = [place for place in range(len(state.quest_board)) if open_places >> place & 1]
        if action.place not in places:
            listed = ", ".join(str(place) for place in places) or "none"
            return IllegalAction(
                f"at place {action.place} is no encounter to {action.approach}; at these places is one: {listed}",
                "Challenge, Notes",
            )
        played = _set_of(state, action.cards)
        if played == NO_CODE:
            return _not_in_hand()
        if combinations.rank_of_combination(approach, state.player().hand, played) == NONE:
            return IllegalAction(*_NO_COMBINATION[action.approach])
        return None


_NO_COMBINATION: Final = {
    "sneak": ("play one or more cards of consecutive numbers, without a wrap from 12 to 1", "RL-7"),
    "steal": ("play one or more cards of one number in different colours", "Action Key"),
    "strike": ("play one or more cards of one colour", "Action Key"),
}


class DrawQuestion(Question):
    """A card of a PREPARE (Prepare)."""

    answers = (Draw, UsePotion)
    wanted = "draw a card from the Tavern or the deck, or use a draw potion"
    rule = "Prepare"

    def decision(self, state: State, own: bool) -> Decision:
        return DrawDecision(state.draws_left)

    def action(self, state: State, code: int) -> Action:
        if code >= preparing.FIRST_DRAW_POTION:
            return _potion_action(code - preparing.FIRST_DRAW_POTION)
        return Draw(None if code == preparing.FROM_DECK else code)

    def code(self, state: State, action: Draw | UsePotion) -> int:
        if isinstance(action, UsePotion):
            return _potion_code(action, preparing.FIRST_DRAW_POTION, POTIONS[:2])
        if action.tavern is None:
            return preparing.FROM_DECK
        return action.tavern if 0 <= action.tavern < preparing.FROM_DECK else NO_CODE

    def refusal(self, state: State, action: Draw | UsePotion) -> IllegalAction:
        if isinstance(action, UsePotion):
            return _potion_refusal(state, action)
        if action.tavern is None:
            return IllegalAction("neither the deck nor its discards have a card: draw from the Tavern", "RL-5")
        full = [str(place) for place, card in enumerate(state.tavern) if card != NONE]
        return IllegalAction(
            f"draw from the deck, or from a place of the Tavern with a card: {', '.join(full)}", "RL-5"
        )


class DiscardQuestion(Question):
    """Down to the hand limit (RL-4)."""

    answers = (Discard,)
    wanted = "discard down to your hand limit"
    rule = "RL-4"

    def decision(self, state: State, own: bool) -> Decision:
        return DiscardDecision(state.excess())

    def action(self, state: State, code: int) -> Action:
        return Discard(cards_in(choices.discard_at(state.player().hand, state.excess(), code)))

    def code(self, state: State, action: Discard) -> int:
        discarded = _set_of(state, action.cards)
        if discarded == NO_CODE or len(action.cards) != state.excess():
            return NO_CODE
        return choices.rank_of_discard(state.player().hand, discarded, state.excess())

    def refusal(self, state: State, action: Discard) -> IllegalAction:
        if len(action.cards) != state.excess():
            return IllegalAction(f"discard exactly {state.excess()}, to keep your hand limit", "RL-4")
        return _not_in_hand()


class OnesQuestion(Question):
    """Dice show 1 (RL-9)."""

    answers = (UseTreasures, Decline)
    wanted = "use treasures for a rolled 1, or decline"
    rule = "RL-9"

    def decision(self, state: State, own: bool) -> Decision:
        return OnesDecision(treasures_counted(state, state.unused))

    def action(self, state: State, code: int) -> Action:
        if code == challenging.DECLINE:
            return Decline()
        return UseTreasures(treasures_named(state, choices.sequence_at(state.unused, code)))

    def code(self, state: State, action: UseTreasures | Decline) -> int:
        if isinstance(action, Decline):
            return challenging.DECLINE
        helpers = list(state.setting.ones_treasures)
        usable = list(treasures_counted(state, state.unused))
        for treasure in action.treasures:
            if treasure not in usable:
                return NO_CODE
            usable.remove(treasure)
        if not action.treasures:
            return NO_CODE
        steps = [helpers.index(treasure) for treasure in action.treasures]
        return choices.rank_of_sequence(state.unused, choices.sequence_of(steps))

    def refusal(self, state: State, action: UseTreasures | Decline) -> IllegalAction:
        usable = treasures_counted(state, state.unused)
        named = ", ".join(str(treasure) for treasure in usable)
        return IllegalAction(f"name one or more of your treasures, each copy once a challenge: {named}", "RL-9")


class RerollQuestion(Question):
    """By the rerolls track, once a challenge (Challenge, Notes)."""

    answers = (Reroll, Decline)
    wanted = "reroll dice by your rerolls track, or decline"
    rule = "Challenge, Notes"

    def decision(self, state: State, own: bool) -> Decision:
        return RerollDecision(state.track(state.active, REROLLS_TRACK))

    def action(self, state: State, code: int) -> Action:
        return Reroll(tuple(choices.face_list(code))) if code else Decline()

    def code(self, state: State, action: Reroll | Decline) -> int:
        if isinstance(action, Decline):
            return challenging.DECLINE
        shown = choices.face_list(state.dice)
        for face in action.faces:
            if face not in shown:
                return NO_CODE
            shown.remove(face)
        return sum(1 << (4 * face) for face in action.faces) or NO_CODE

    def refusal(self, state: State, action: Reroll | Decline) -> IllegalAction:
        most = state.track(state.active, REROLLS_TRACK)
        return IllegalAction(f"name what 1 to {most} of your dice show, each once, or decline", "Challenge, Notes")


class BoostQuestion(Question):
    """After the roll (Potions)."""

    answers = (UsePotion, Decline)
    wanted = "use a boost, or decline"
    rule = "RL-3"

    def decision(self, state: State, own: bool) -> Decision:
        return BoostDecision(state.total(), state.target())

    def action(self, state: State, code: int) -> Action:
        return Decline() if code == challenging.DECLINE else UsePotion("boost", code == challenging.BOOST_AND_DRAW)

    def code(self, state: State, action: UsePotion | Decline) -> int:
        return challenging.DECLINE if isinstance(action, Decline) else _potion_code(action, 1, ("boost",))

    def refusal(self, state: State, action: UsePotion | Decline) -> IllegalAction:
        if isinstance(action, UsePotion) and action.potion == "boost":
            return _potion_refusal(state, action)
        return IllegalAction("once dice are rolled, only a boost may be used", "RL-3")


class TreasureQuestion(Question):
    """Of treasure cards drawn, one is kept (Treasures)."""

    answers = (KeepTreasure,)
    wanted = "keep one of the treasures on offer"
    rule = "Treasures"

    def decision(self, state: State, own: bool) -> Decision:
        offer = offered_treasures(state)
        return TreasureDecision(offer if own else None, len(offer))

    def action(self, state: State, code: int) -> Action:
        return KeepTreasure(offered_treasures(state)[code])

    def code(self, state: State, action: KeepTreasure) -> int:
        offer = offered_treasures(state)
        return offer.index(action.treasure) if action.treasure in offer else NO_CODE


class AdventurerQuestion(Question):
    """The Trader keeps one of the adventurer cards drawn (RL-14)."""

    answers = (KeepAdventurer,)
    wanted = "keep one of the adventurer cards on offer"
    rule = "RL-14"

    def decision(self, state: State, own: bool) -> Decision:
        offer = cards_in(state.adventurer_offer)
        return AdventurerDecision(offer if own else None, len(offer))

    def action(self, state: State, code: int) -> Action:
        return KeepAdventurer(CARDS[cards.card_at(state.adventurer_offer, code)])

    def code(self, state: State, action: KeepAdventurer) -> int:
        offer = cards_in(state.adventurer_offer)
        return offer.index(action.card) if action.card in offer else NO_CODE


class AdvanceQuestion(Question):
    """An experience cube moves up (Character Boards)."""

    answers = (Advance,)
    wanted = "advance an experience cube"
    rule = "Character Boards"

    def decision(self, state: State, own: bool) -> Decision:
        return AdvanceDecision(tuple(track.name for track in _open_tracks(state)))

    def action(self, state: State, code: int) -> Action:
        return Advance(_tracks(state)[code].name)

    def code(self, state: State, action: Advance) -> int:
        names = [track.name for track in _tracks(state)]
        return names.index(action.track) if action.track in names else NO_CODE

    def refusal(self, state: State, action: Advance) -> IllegalAction:
        names = ", ".join(track.name for track in _open_tracks(state))
        return IllegalAction(f"advance a track of your board whose cube is not at the top: {names}", "Character Boards")


def _tracks(state: State) -> tuple[Track, ...]:
    return state.setting.components.characters[state.player().character].tracks


def _open_tracks(state: State) -> list[Track]:
    return [track for place, track in enumerate(_tracks(state)) if state.is_legal(state.active, place)]


class TakePotionQuestion(Question):
    """The pile is empty (RL-10)."""

    answers = (TakePotion,)
    wanted = "take a potion that another seat has"
    rule = "RL-10"

    def decision(self, state: State, own: bool) -> Decision:
        return TakePotionDecision()

    def action(self, state: State, code: int) -> Action:
        return TakePotion(code // len(POTIONS), POTIONS[code % len(POTIONS)])

    def code(self, state: State, action: TakePotion) -> int:
        if not 0 <= action.seat < state.seats or action.potion not in POTIONS:
            return NO_CODE
        return action.seat * len(POTIONS) + POTIONS.index(action.potion)


class TakeCoinQuestion(Question):
    """No coin is left (RL-10)."""

    answers = (TakeCoin,)
    wanted = "take a coin from another seat that has one"
    rule = "RL-10"

    def decision(self, state: State, own: bool) -> Decision:
        return TakeCoinDecision()

    def action(self, state: State, code: int) -> Action:
        return TakeCoin(code)

    def code(self, state: State, action: TakeCoin) -> int:
        return action.seat if 0 <= action.seat < state.seats else NO_CODE


QUESTIONS: Final[dict[int, Question]] = {
    stage.CHOOSE_CHARACTER: CharacterQuestion(),
    stage.TURN: TurnQuestion(),
    stage.DRAW: DrawQuestion(),
    stage.HAND_LIMIT: DiscardQuestion(),
    stage.ONES: OnesQuestion(),
    stage.REROLL: RerollQuestion(),
    stage.BOOST: BoostQuestion(),
    stage.KEEP_TREASURE: TreasureQuestion(),
    stage.KEEP_ADVENTURER: AdventurerQuestion(),
    stage.ADVANCE: AdvanceQuestion(),
    stage.TAKE_POTION: TakePotionQuestion(),
    stage.TAKE_COIN: TakeCoinQuestion(),
}


# ---- What the boundary asks


def check_asked(state: State, seat: int) -> None:
    """Raises `IllegalAction` unless it is ``seat`` that is asked."""
    if state.is_over():
        raise IllegalAction("the game is over", "Ending the Game")
    if seat != state.active:
        raise IllegalAction(f"it is not seat {seat}'s turn but seat {state.active}'s", "How to Play")


def decision(state: State, reader: int | None) -> Decision:
    """What is asked now, as a reader may know it: the seat that is asked, or anyone else (``None``: a spectator)."""
    return QUESTIONS[state.asked].decision(state, reader == state.active)


def action_of(state: State, seat: int, code: int) -> Action:
    """The action of a code. Raises `IllegalAction` if it is not legal for ``seat`` now."""
    check_asked(state, seat)
    if not state.is_legal(seat, code):
        raise refusal_of_code(state)
    return QUESTIONS[state.asked].action(state, code)


def code_of(state: State, seat: int, action: Action) -> int:
    """The code of an action. Raises `IllegalAction` if it is not legal for ``seat`` now."""
    check_asked(state, seat)
    question = QUESTIONS[state.asked]
    if not isinstance(action, question.answers):
        raise IllegalAction(question.wanted, question.rule)
    code = question.code(state, action)
    if not state.is_legal(seat, code):
        raise question.refusal(state, action)
    return code


def refusal_of_code(state: State) -> IllegalAction:
    """Why a code is not legal."""
    question = QUESTIONS[state.asked]
    return IllegalAction(f"there is no such action here: {question.wanted}", question.rule)
