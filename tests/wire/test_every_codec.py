"""What holds for every game's messages: nothing is lost on the way, and nothing that makes no sense comes through.

What each message of a game may and may not say is in the tests of its own codec.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.rules import GAMES
from dragonhall.rules.game import legal_actions
from dragonhall.rules.table import Step
from dragonhall.v1 import games_pb2 as games
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire import CODECS, Codec, InvalidMessage, UnknownGame, codec_of, component_digest, game_of
from dragonhall.wire.codec import outcome_from_proto, outcome_to_proto
from dragonhall.wire.prompts import actions_from_proto, prompt_to_bytes
from tests.rules.driver import Driver
from tests.rules.every_game import CASES, PLAYED, Case, looked_at
from tests.wire.messages import arrived, check_refused, read_anything, sent

each_case = pytest.mark.parametrize("case", CASES, ids=str)
each_game = pytest.mark.parametrize("game", CODECS)
OF_A_GAME = (
    games.GameOptions,
    games.GameAction,
    games.GameDecision,
    games.GameEvent,
    games.GameView,
    games.GameBreakdown,
)


def test_every_game_has_a_codec() -> None:
    assert CODECS.keys() == GAMES.keys()


# ---- Whole games


@each_case
def test_a_whole_game_arrives_as_it_was_sent(case: Case) -> None:
    codec, driver, rng = CODECS[case.played.game.name], case.driver(), case.rng()
    assert arrived(codec, "options", driver.options) == driver.options
    for _ in driver.moments(rng):
        check_views(codec, driver, (rng.randrange(case.seats), None))
        for seat in driver.waiting:
            check_actions(codec, driver, seat, rng)
    check_views(codec, driver, (*range(case.seats), None))
    for step in driver.steps:
        check_step(codec, step)
    outcome = driver.state.outcome()
    assert outcome_from_proto(sent(outcome_to_proto(outcome, codec)), codec) == outcome


def check_views(codec: Codec, driver: Driver[Any], viewers: Iterable[int | None]) -> None:
    for viewer in viewers:
        seen = driver.state.view(viewer)
        assert arrived(codec, "view", seen) == seen


def check_actions(codec: Codec, driver: Driver[Any], seat: int, rng: Random) -> None:
    legal = driver.state.legal_actions(seat)
    for code in {legal[0], legal[-1], *rng.sample(legal, min(8, len(legal)))}:
        action = driver.played.game.action(driver.state, seat, code)
        assert arrived(codec, "action", action) == action


def check_step(codec: Codec, step: Step) -> None:
    for entry in step.entries:
        assert arrived(codec, "event", entry.event) == entry.event
    for chance in step.chance:
        assert arrived(codec, "chance", chance) == chance
    for ticket in step.opened:
        for decision in (ticket.decision, ticket.public_decision):
            assert arrived(codec, "decision", decision) == decision


@each_case
def test_a_prompt_lists_the_legal_actions_in_canonical_order(case: Case) -> None:
    game, codec = case.played.game, CODECS[case.played.game.name]
    for driver in looked_at(case.driver(), case.rng()):
        for ticket in driver.table.tickets.values():
            prompt = play.Decision.FromString(prompt_to_bytes(game, driver.state, ticket, codec))
            assert (prompt.decision_id, codec.decision_from_proto(prompt.decision)) == (
                ticket.decision_id,
                ticket.decision,
            )
            legal = legal_actions(game, driver.state, ticket.seat)
            assert actions_from_proto(prompt.legal_actions, codec).entries == legal.entries
            index = 0
            for entry, (_, count) in zip(prompt.legal_actions, legal.entries, strict=True):
                assert entry.index == index
                assert entry.HasField("amounts") == (count > 1)
                index += count


@pytest.mark.parametrize(
    ("place", "change", "field"), [(0, {"seat": 1}, "results[0].seat"), (1, {"rank": 0}, "results[1].rank")]
)
@each_game
def test_an_outcome_that_makes_no_sense_is_refused_by_field(
    game: str, place: int, change: dict[str, int], field: str
) -> None:
    case = next(case for case in CASES if case.played.game.name == game)
    message = outcome_to_proto(case.driver().finish(case.rng()).state.outcome(), CODECS[game])
    for name, value in change.items():
        setattr(message.results[place], name, value)
    with pytest.raises(InvalidMessage) as refused:
        outcome_from_proto(sent(message), CODECS[game])
    assert refused.value.field == field


# ---- Messages of no game, of another one, and of anything


@each_game
@pytest.mark.parametrize("message", OF_A_GAME, ids=lambda message: message.DESCRIPTOR.name)
def test_messages_of_no_game_and_of_another_are_refused(message: Any, game: str) -> None:
    for wrong in (message(), *(of_game(message, other) for other in CODECS if other != game)):
        check_refused(CODECS[game], wrong, "game")
    with pytest.raises(UnknownGame):
        game_of(message())
    with pytest.raises(UnknownGame):
        codec_of(message())


@each_game
@pytest.mark.parametrize("message", OF_A_GAME, ids=lambda message: message.DESCRIPTOR.name)
def test_messages_of_a_game_find_their_codec(message: Any, game: str) -> None:
    assert game_of(of_game(message, game)) == game
    assert codec_of(of_game(message, game)) is CODECS[game]


@each_game
@pytest.mark.parametrize(
    ("message", "field"),
    [(games.GameAction, "action"), (games.GameDecision, "decision"), (games.GameEvent, "event")],
)
def test_a_choice_of_nothing_is_refused(message: Any, field: str, game: str) -> None:
    check_refused(CODECS[game], of_game(message, game), field)


@each_game
def test_chance_of_nothing_and_of_another_game_is_refused(game: str) -> None:
    check_refused(CODECS[game], games.ChanceOutcome(name=f"{game}/first_seat"), "outcome")
    for field in games.ChanceOutcome.DESCRIPTOR.oneofs_by_name["outcome"].fields:
        if field.message_type and field.message_type.file.package != f"dragonhall.{game}.v1":
            message = games.ChanceOutcome(name=f"{game}/first_seat")
            getattr(message, field.name).SetInParent()
            check_refused(CODECS[game], message, "outcome")


def of_game(message: Any, game: str) -> Any:
    """A message of a game that says nothing else."""
    made = message()
    getattr(made, game).SetInParent()
    return made


@each_game
@given(data=st.data())
def test_reading_any_message_gives_a_value_or_invalid_message(game: str, data: st.DataObject) -> None:
    read_anything(game, CODECS[game], data)


# ---- Options and component sets


@each_game
def test_options_that_say_nothing_are_the_defaults(game: str) -> None:
    assert CODECS[game].options_from_proto(of_game(games.GameOptions, game)) == GAMES[game].make_options({})


@each_game
@pytest.mark.parametrize("with_contents", [False, True])
def test_a_component_set_names_itself(game: str, with_contents: bool) -> None:
    components = PLAYED[game].components
    message = CODECS[game].components_to_proto(components, with_contents=with_contents)
    assert (message.id, message.version) == (f"{game.replace('_', '-')}-default", 1)
    assert message.digest == component_digest(components)
    assert message.WhichOneof("contents") == (game if with_contents else None)


@each_game
def test_a_component_set_arrives_as_it_was_sent(game: str) -> None:
    message = sent(CODECS[game].components_to_proto(PLAYED[game].components, with_contents=True))
    assert CODECS[game].components_from_proto(message) == PLAYED[game].components


@each_game
@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda m: m.ClearField("contents"), "<game>"),
        (lambda m: setattr(m, "digest", bytes(32)), "digest"),
        (lambda m: m.ClearField("digest"), "digest"),
        (lambda m: setattr(m, "id", "another"), "digest"),
        (lambda m: setattr(m, "id", "An Other"), "id"),
        (lambda m: m.ClearField("id"), "id"),
        (lambda m: setattr(m, "version", 0), "version"),
        (lambda m: setattr(m, "version", 2), "digest"),
    ],
)
def test_a_component_set_that_is_not_what_it_is_called_is_refused(
    game: str, change: Callable[[games.ComponentSet], object], field: str
) -> None:
    message = CODECS[game].components_to_proto(PLAYED[game].components, with_contents=True)
    change(message)
    check_refused(CODECS[game], message, field.replace("<game>", game))


# ---- The schema

ROOMS = ("facts", "moves", "events", "view", "outcome")
BESIDE_VALUES = {
    "dragons": {"CardOrder"},
    "dragons_interest": {"Contracts", "Jester", "Mountain", "Tiles", "TileOrder"},
    "dragonisles": {
        *("AdventurerOrder", "EncounterOrder", "TreasureOrder", "CharacterOrder"),
        *("QuestPlace", "Hand"),
    },
}
"""By game: messages that are put around values."""
WITHOUT_MESSAGE = {"dragonisles": {"Adventurer"}}
"""By game: values that are an enum's on the wire."""


@each_game
def test_every_value_of_the_rules_has_its_message_and_no_other_is_there(game: str) -> None:
    """A shape has the fields of its dataclass, else the module cannot be imported; here: none was forgotten."""
    modules = [import_module(f"dragonhall.rules.{game}.{room}") for room in ROOMS]
    values = {name for module in modules for name, value in vars(module).items() if _is_value_of(module, value)}
    messages = import_module(f"dragonhall.{game}.v1.{game}_pb2").DESCRIPTOR.message_types_by_name
    others = {"Action", "Decision", "Event"} | BESIDE_VALUES[game]
    assert set(messages) == values - WITHOUT_MESSAGE.get(game, set()) | others


def _is_value_of(module: Any, value: Any) -> bool:
    return isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
