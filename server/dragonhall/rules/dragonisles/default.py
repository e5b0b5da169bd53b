"""What a seat of DragonIsles is taken to answer when it does not answer.

It prepares until its hand is full or a challenge is likelier to succeed than not, challenges what it can reach, keeps
the cards that fit together best, boosts where that turns a failure into a success, and declines all else. It looks at
its own hand and at what all can see, and plays a game to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from dragonhall.rules.dragonisles import cards, choices, preparing, stage
from dragonhall.rules.dragonisles.combinations import rank_of_combination
from dragonhall.rules.dragonisles.facts import COLOURS, MOST_DICE, NUMBERS, QUEST_PLACES, WILD
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.questions import check_asked
from dragonhall.rules.dragonisles.setting import BOOST, DRAW_ONE_AND_CLEAR, SEA, SEA_TRACK, SNEAK, STEAL, STRIKE
from dragonhall.rules.dragonisles.stages import STAGES
from dragonhall.rules.dragonisles.state import BOOST_VALUE
from dragonhall.rules.masks import bit

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State

_DECLINE: Final = 0
_BOOST_ALONE: Final = 1
_CLEAR: Final = preparing.FIRST_TURN_POTION + 2 * DRAW_ONE_AND_CLEAR


def default_action(state: State, seat: int) -> int:
    """The code. Raises `IllegalAction` if ``seat`` is not asked."""
    check_asked(state, seat)
    choose = _DEFAULTS.get(state.asked)
    return STAGES[state.asked].code_at(state, 0) if choose is None else choose(state)


class _Aim(NamedTuple):
    """A challenge that could be made. The greatest one is the best."""

    margin: int
    """By how much its total is expected to exceed the target, boosts included, times the number of a die's faces."""
    approach: int
    place: int
    played: int
    """The cards (a card set)."""
    is_possible: bool
    """Whether the highest dice would do."""


def _turn(state: State) -> int:
    aim = _aim(state)
    if aim is None:
        return preparing.PREPARE_CODE
    likely = aim.margin >= 0
    if likely or (state.excess() >= 0 and aim.is_possible):
        return _challenge(state, aim)
    return preparing.PREPARE_CODE if _is_within_reach(state) else _give_up_board(state, aim)


def _challenge(state: State, aim: _Aim) -> int:
    rank = rank_of_combination(aim.approach, state.player().hand, aim.played)
    number = preparing.number_of_challenge(state, aim.approach, aim.place, rank)
    return preparing.FIRST_CHALLENGE + number


def _give_up_board(state: State, aim: _Aim) -> int:
    """Nothing on the Quest Board can be reached with any hand: clears it, or fails to earn the potion for that."""
    return _CLEAR if count_in(state.player().potions, DRAW_ONE_AND_CLEAR) else _challenge(state, aim)


def _discard(state: State) -> int:
    """Keeps what its best challenge would play, and of the rest the last in canonical order."""
    hand, excess = state.player().hand, state.excess()
    aim = _aim(state)
    played = aim.played if aim is not None else 0
    useless = [*cards.card_list(hand - played), *cards.card_list(played)]
    discarded = sum(bit(card) for card in useless[:excess])
    return choices.rank_of_discard(hand, discarded, excess)


def _boost(state: State) -> int:
    missing = state.target() - state.total()
    return _BOOST_ALONE if 0 < missing <= _boosts(state) else _DECLINE


_DEFAULTS: Final[dict[int, Callable[[State], int]]] = {
    stage.TURN: _turn,
    stage.HAND_LIMIT: _discard,
    stage.BOOST: _boost,
}
"""By stage. Where there is none, it is the first legal answer: to decline, or the first of what is offered."""


# ---- Aims


def _aim(state: State) -> _Aim | None:
    """The best challenge for the hand; ``None`` if it is empty, or the Quest Board is."""
    hand = state.player().hand
    if not hand:
        return None
    return max((_aimed(state, approach, place, hand) for approach, place in _open(state)), default=None)


def _aimed(state: State, approach: int, place: int, hand: int) -> _Aim:
    played = _MOST_CARDS[approach](hand)
    dice, faces, missing = cards.size(played), state.setting.faces, _missing(state, approach, place)
    margin = dice * sum(faces) - len(faces) * missing
    return _Aim(margin, approach, place, played, dice * max(faces) >= missing)


def _is_within_reach(state: State) -> bool:
    """Whether anything on the Quest Board could be reached with as many dice as there are."""
    most = MOST_DICE * max(state.setting.faces)
    return any(_missing(state, approach, place) <= most for approach, place in _open(state))


def _open(state: State) -> list[tuple[int, int]]:
    """Approach and place of all that can be challenged."""
    places = preparing.open_places(state)
    return [
        (approach, place)
        for approach in (SNEAK, STEAL, STRIKE)
        for place in range(QUEST_PLACES)
        if preparing.places_for(places, approach) >> place & 1
    ]


def _missing(state: State, approach: int, place: int) -> int:
    """What the dice would have to bring: the target without the tracks' bonuses and all boosts."""
    encounter = state.quest_board[place]
    bonus = state.track(state.active, approach) + _boosts(state)
    if state.setting.category[encounter] == SEA:
        bonus += state.track(state.active, SEA_TRACK)
    return state.setting.target[3 * encounter + approach] - bonus


def _boosts(state: State) -> int:
    return BOOST_VALUE * count_in(state.player().potions, BOOST)


# ---- The most cards, up to a die each, that a hand can play by an approach


def _most_consecutive(hand: int) -> int:
    return max((_run_from(hand, number) for number in range(NUMBERS)), key=cards.size)


def _run_from(hand: int, first: int) -> int:
    """The longest run that begins with a card of this number (0 to 11), gaps filled by wild cards."""
    run, wilds = 0, cards.wilds(hand)
    for number in range(first, NUMBERS):
        held = cards.colours_of(hand, number)
        if held:
            run += cards.with_number(held & -held, number)
        elif wilds and run:
            run += bit(WILD)
            wilds -= 1
        else:
            break
        if cards.size(run) == MOST_DICE:
            break
    return _with_wilds(hand, run, MOST_DICE)


def _most_of_a_number(hand: int) -> int:
    sets = (cards.with_number(cards.colours_of(hand, number), number) for number in range(NUMBERS))
    return _with_wilds(hand, max(sets, key=cards.size), COLOURS)


def _most_of_a_colour(hand: int) -> int:
    sets = (cards.numbers_of(hand, colour) << (colour * NUMBERS) for colour in range(COLOURS))
    return _with_wilds(hand, _first(max(sets, key=cards.size), MOST_DICE), MOST_DICE)


def _first(held: int, most: int) -> int:
    return sum(bit(card) for card in cards.card_list(held)[:most])


def _with_wilds(hand: int, played: int, most: int) -> int:
    """The same with as many of the hand's wild cards as there is use for."""
    spare = cards.wilds(hand) - cards.wilds(played)
    return played + max(0, min(spare, most - cards.size(played))) * bit(WILD)


_MOST_CARDS: Final[dict[int, Callable[[int], int]]] = {
    SNEAK: _most_consecutive,
    STEAL: _most_of_a_number,
    STRIKE: _most_of_a_colour,
}
