"""A new game of DragonIsles."""

from __future__ import annotations

from typing import Final

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import telling
from dragonhall.rules.dragonisles.facts import CHARACTERS, Components, Options, check_options
from dragonhall.rules.dragonisles.setting import setting_of
from dragonhall.rules.dragonisles.stage import CHOOSE_CHARACTER, SET_UP
from dragonhall.rules.dragonisles.state import State, empty_table
from dragonhall.rules.journal import Journal

FIRST_SEAT_STREAM: Final = "dragonisles/first_seat"
CHARACTER_STREAM: Final = "dragonisles/characters"


def new_game(components: Components, options: Options, seats: int, chance: Chance, journal: Journal | None) -> State:
    """Settles who begins and who plays whom (RL-2), and sets up. Raises `InvalidOptions`.

    Asks ``chance``, unless the options say it, for the number ``dragonisles/first_seat`` and the shuffle
    ``dragonisles/characters``, of which the first ones are the seats'; then, or with ``draft`` after the last choice,
    for the shuffles ``dragonisles/encounters``, ``dragonisles/adventurers`` and ``dragonisles/treasures``.
    """
    check_options(options, seats)
    state = empty_table(setting_of(components, seats))
    first_seat = options.first_seat
    state.first_seat = chance.number(FIRST_SEAT_STREAM, seats) if first_seat is None else first_seat
    state.active = state.first_seat
    for seat, character in enumerate(_characters(options, seats, chance)):
        state.players[seat].character = character
    if journal is not None:
        telling.game_started(state, journal)
    state.push(SET_UP)
    if options.draft:
        state.push(CHOOSE_CHARACTER)
    state.go_on(chance, journal)
    return state


def _characters(options: Options, seats: int, chance: Chance) -> list[int]:
    """By seat, places in `facts.CHARACTERS`; none with ``draft``."""
    if options.draft:
        return []
    if options.characters is not None:
        return [CHARACTERS.index(character) for character in options.characters]
    return chance.shuffle(CHARACTER_STREAM, list(range(len(CHARACTERS))))[:seats]
