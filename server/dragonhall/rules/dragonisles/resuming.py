"""What is still to come in a turn, from what everyone was told of it: for beliefs.

A view says what lies on the table and what is asked. `resume` adds what only the course of the turn tells: the agenda
(`stage`), and how far a series of benefits has come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from dragonhall.rules.dragonisles import choices, stage
from dragonhall.rules.dragonisles.events import (
    AdventurerKept,
    CardDrawn,
    CardsDiscarded,
    ChallengeEnded,
    ChallengeStarted,
    CoinEarned,
    CoinTaken,
    Event,
    NothingLeft,
    PreparationStarted,
    TrackAdvanced,
    TreasureKept,
    TreasuresUsed,
    TurnStarted,
)
from dragonhall.rules.dragonisles.facts import APPROACHES, CARD_OF, TRACKS
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.setting import COIN, ON_SUCCESS, SPACES
from dragonhall.rules.dragonisles.winning import fits

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


def resume(table: State, told: Sequence[Event], hand_size: int) -> None:
    """Sets on ``table``, which is as the newest view shows it, what only the course of the turn tells.

    ``hand_size``: cards in hand of the seat whose turn it is, unknown ones included.
    """
    turn = told[_after_last(told, TurnStarted) :]
    table.fresh_ones = table.asked == stage.ONES
    if table.asked not in (stage.HAND_LIMIT, stage.OVER):  # for these, nothing of a challenge is left to do
        _take_up_challenge(table, turn)
    if table.asked == stage.TAKE_COIN:
        _take_up_coins(table, turn, hand_size)
    else:
        table.push_all(stage.Sequence(*_AGENDAS[table.asked](table, turn)))


def _after_last(events: Sequence[Event], *kinds: type) -> int:
    """The place after the last event of these kinds; 0 if there is none."""
    return next((at + 1 for at in reversed(range(len(events))) if isinstance(events[at], kinds)), 0)


def _happened(turn: Sequence[Event], kind: type) -> bool:
    return _after_last(turn, kind) > 0


def _take_up_challenge(table: State, turn: Sequence[Event]) -> None:
    """What a success still needs to know of the challenge."""
    for event in turn:
        if isinstance(event, ChallengeStarted):
            table.approach = APPROACHES.index(event.approach)
            table.played = sum(1 << CARD_OF[card] for card in event.cards)
        if isinstance(event, ChallengeEnded) and not event.succeeded:
            table.played = 0


# ---- The agenda behind each question

Agenda = tuple[int, ...]

_AFTER_ADVANCE: Final[Agenda] = (stage.TREASURE_EFFECTS, stage.WARRIOR_DRAW, stage.HAND_LIMIT, stage.END_TURN)
_AFTER_BONUS: Final[Agenda] = (stage.ADVANCE, *_AFTER_ADVANCE)


def _after_ones(table: State, turn: Sequence[Event]) -> Agenda:
    """The ones are looked at before the rerolls by track, and after them."""
    if table.reroll_decided:
        return (stage.BOOST, stage.RESOLVE)
    return (stage.REROLL, stage.ONES, stage.BOOST, stage.RESOLVE)


def _after_discard(table: State, turn: Sequence[Event]) -> Agenda:
    """Discarded is after a draw potion at the turn's first question or during a PREPARE, or at the turn's end."""
    if table.draws_left:
        return (stage.DRAW, stage.HAND_LIMIT, stage.END_TURN)
    if _happened(turn, PreparationStarted) or _happened(turn, ChallengeStarted):
        return (stage.END_TURN,)
    return (stage.TURN,)


def _after_earning(table: State, turn: Sequence[Event]) -> Agenda:
    """A treasure, potion or coin comes from a failure, from an encounter's bonus, or from a track's space."""
    if _happened(turn, TrackAdvanced):
        return _AFTER_ADVANCE
    ended = turn[_after_last(turn, ChallengeEnded) - 1]
    if isinstance(ended, ChallengeEnded) and not ended.succeeded:
        return (stage.HAND_LIMIT, stage.END_TURN)
    return _AFTER_BONUS


_AGENDAS: Final[dict[int, Callable[[State, Sequence[Event]], Agenda]]] = {
    stage.OVER: lambda table, turn: (),
    stage.CHOOSE_CHARACTER: lambda table, turn: (stage.SET_UP,),
    stage.TURN: lambda table, turn: (),
    stage.DRAW: lambda table, turn: (stage.HAND_LIMIT, stage.END_TURN),
    stage.HAND_LIMIT: _after_discard,
    stage.ONES: _after_ones,
    stage.REROLL: lambda table, turn: (stage.ONES, stage.BOOST, stage.RESOLVE),
    stage.BOOST: lambda table, turn: (stage.RESOLVE,),
    stage.ADVANCE: lambda table, turn: _AFTER_ADVANCE,
    stage.TAKE_POTION: _after_earning,
    stage.KEEP_TREASURE: _after_earning,
    stage.KEEP_ADVENTURER: _after_earning,
}


# ---- A coin to be taken: it may be one of several benefits


def _take_up_coins(table: State, turn: Sequence[Event], hand_size: int) -> None:
    if not _happened(turn, ChallengeEnded):
        table.benefits = _benefits_left(table, turn)
        table.push_all(stage.Sequence(*_after_ones(table, turn)))
        table.push_all(stage.Sequence(stage.TAKE_BENEFITS, stage.REROLL_ONES, stage.ONES))
        return
    table.push_all(stage.Sequence(*_after_earning(table, turn)))
    effects = turn[_after_last(turn, TrackAdvanced) :]
    if _happened(turn, TrackAdvanced) and not _waits_for_reward(table, turn, effects):
        table.next_effect = _effects_begun(table, turn, hand_size)


def _coins(events: Sequence[Event]) -> list[int]:
    """The places of the events that settle a coin."""
    return [
        at
        for at, event in enumerate(events)
        if isinstance(event, CoinEarned | CoinTaken) or (isinstance(event, NothingLeft) and event.earning == "coin")
    ]


def _benefits_left(table: State, turn: Sequence[Event]) -> int:
    """The sequence of benefits behind the coin that is to be taken now, of the treasures used for a rolled 1."""
    after = _after_last(turn, TreasuresUsed)
    used = turn[after - 1]
    assert isinstance(used, TreasuresUsed)
    coins = [at for at, treasure in enumerate(used.treasures) if table.setting.benefit[treasure] == COIN]
    waiting = coins[len(_coins(turn[after:]))]
    helpers = list(table.setting.ones_treasures)
    return choices.sequence_of([helpers.index(treasure) for treasure in used.treasures[waiting + 1 :]])


def _rewards_a_coin(table: State, turn: Sequence[Event]) -> bool:
    """Whether the space that a cube moved onto shows a coin."""
    advanced = turn[_after_last(turn, TrackAdvanced) - 1]
    assert isinstance(advanced, TrackAdvanced)
    player = table.player()
    tracks = table.setting.components.characters[player.character].tracks
    place = next(place for place, track in enumerate(tracks) if track.name == advanced.track)
    space = (player.character * TRACKS + place) * SPACES + count_in(player.cubes, place)
    return table.setting.track_rewards[space] == COIN


def _waits_for_reward(table: State, turn: Sequence[Event], effects: Sequence[Event]) -> bool:
    return _rewards_a_coin(table, turn) and not _coins(effects)


def _effects_begun(table: State, turn: Sequence[Event], hand_size: int) -> int:
    """How many treasures were looked at after the success, up to the one whose coin is to be taken now (RL-20)."""
    told = list(turn[_after_last(turn, TrackAdvanced, TreasureKept, AdventurerKept, CardsDiscarded) :])
    if _rewards_a_coin(table, turn):
        told = told[_coins(told)[0] + 1 :]
    drawn = [isinstance(event, CardDrawn) for event in told if _is_draw(event)]
    coins_left = len(_coins(told))
    hand = hand_size - sum(drawn)
    setting, treasures = table.setting, list(table.player().treasures)
    for place, treasure in enumerate(treasures):
        if setting.trigger[treasure] != ON_SUCCESS or not fits(table, treasure, hand):
            continue
        if setting.benefit[treasure] != COIN:
            hand += drawn.pop(0)
        elif coins_left == 0:
            return place + 1
        else:
            coins_left -= 1
    return len(treasures)


def _is_draw(event: Event) -> bool:
    return isinstance(event, CardDrawn) or (isinstance(event, NothingLeft) and event.earning == "adventurer")
