"""Requests that are wrong, forged or far too large: each is refused with its reason; none is a fault of the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message import Message

from dragonhall.sandbox import SandboxLimits, SandboxSettings
from dragonhall.v1 import games_pb2
from dragonhall.v1.sandbox_service_pb2 import ExploreRequest, Knowledge, Line, Move, RollOutRequest, WorldRange
from tests.sandbox.asking import explore, known, line, roll_out
from tests.sandbox.situations import GAMES, played
from tests.service.harness import Refused, Running, dragonisles, dragons, refused, running

CODE = grpc.StatusCode


async def refusal(call: Any) -> Refused:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call.read()
    return refused(caught.value)


# ---- Knowledge


def leave_out_the_view(knowledge: Knowledge) -> None:
    knowledge.ClearField("view")


def leave_out_the_options(knowledge: Knowledge) -> None:
    knowledge.ClearField("options")


def take_another_games_options(knowledge: Knowledge) -> None:
    knowledge.options.CopyFrom(dragonisles())


def take_another_games_view(knowledge: Knowledge) -> None:
    knowledge.view.dragonisles.SetInParent()


def name_a_seat_that_is_not_there(knowledge: Knowledge) -> None:
    knowledge.seat = 3


def name_an_absurd_seat(knowledge: Knowledge) -> None:
    knowledge.seat = 2**32 - 1


def play_by_other_rules(knowledge: Knowledge) -> None:
    knowledge.rules_version = 99


def play_with_other_cards(knowledge: Knowledge) -> None:
    knowledge.component_set.digest = bytes(32)


def name_cards_that_are_not_there(knowledge: Knowledge) -> None:
    knowledge.component_set.CopyFrom(games_pb2.ComponentSet(id="nonesuch"))


def show_a_card_that_there_is_not(knowledge: Knowledge) -> None:
    knowledge.history[0].dragons.year_started.first_cards[0].coins = 99


def let_nobody_play(knowledge: Knowledge) -> None:
    del knowledge.view.dragons.seats[:]
    knowledge.ClearField("seat")


def begin_with_a_seat_that_is_not_there(knowledge: Knowledge) -> None:
    knowledge.options.CopyFrom(dragons(first_seat=77))


def set_no_event(knowledge: Knowledge) -> None:
    knowledge.history.add()


WRONG: dict[Callable[[Knowledge], None], str] = {
    leave_out_the_view: "knowledge.view.game",
    leave_out_the_options: "knowledge.options.game",
    take_another_games_options: "knowledge.component_set",
    take_another_games_view: "knowledge.view.game",
    name_a_seat_that_is_not_there: "knowledge.seat",
    name_an_absurd_seat: "knowledge.seat",
    play_by_other_rules: "knowledge.rules_version",
    play_with_other_cards: "knowledge.component_set",
    name_cards_that_are_not_there: "knowledge.component_set",
    show_a_card_that_there_is_not: "knowledge.history[0].dragons.year_started.first_cards[0]",
    let_nobody_play: "knowledge.view",
    begin_with_a_seat_that_is_not_there: "knowledge.options.dragons.first_seat",
    set_no_event: "knowledge.history[12].game",
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
async def test_what_no_message_can_say_names_its_field(server: Running, wrong: Callable[[Knowledge], None]) -> None:
    game = await server.seated(options=dragons())
    knowledge = await known(server, game, 0)
    wrong(knowledge)
    field = WRONG[wrong].replace("[12]", f"[{len(knowledge.history) - 1}]")
    for call in (
        server.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=[line()])),
        server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=[line()])),
    ):
        why = await refusal(call)
        assert (why.reason, why.code) == ("INVALID_FIELD", CODE.INVALID_ARGUMENT), why.message
        assert why.metadata["field"].startswith(field)
        assert why.fields == [why.metadata["field"]]


def histories(knowledge: Knowledge, others: Knowledge) -> Iterator[Knowledge]:
    """What nobody was told: a view with the history of another game, with none, with one out of order, with one that
    lacks an event or has it twice."""
    foreign, older = without_history(knowledge), without_history(others)
    foreign.history.extend(others.history)
    older.history.extend(knowledge.history)
    yield from (foreign, older, without_history(knowledge))
    backwards = without_history(knowledge)
    backwards.history.extend(reversed(knowledge.history))
    yield backwards
    for place in (0, len(knowledge.history) // 2, len(knowledge.history) - 1):
        without, twice = Knowledge(), Knowledge()
        without.CopyFrom(knowledge)
        del without.history[place]
        twice.CopyFrom(knowledge)
        twice.history.append(knowledge.history[place])
        yield from (without, twice)


UNLIKE_ANY: Final = 4
"""So many of these differ from every history there is by more than one event."""


def without_history(knowledge: Knowledge) -> Knowledge:
    rest = Knowledge()
    rest.CopyFrom(knowledge)
    del rest.history[:]
    return rest


@pytest.mark.parametrize("name", GAMES)
async def test_what_no_game_can_have_shown_is_inconsistent(server: Running, name: str) -> None:
    knowledge = await known(server, await played(server, name, 15), 0)
    others = await known(server, await played(server, name, 20, luck=2), 0)
    for number, forged in enumerate(histories(knowledge, others)):
        call: Any = server.sandbox.Explore(ExploreRequest(knowledge=forged, lines=[line()]))
        if number >= UNLIKE_ANY and name == "dragonisles":  # not every event tells something that its beliefs rest on
            call.cancel()
            continue
        why = await refusal(call)
        assert (why.reason, why.code, why.metadata) == ("KNOWLEDGE_INCONSISTENT", CODE.INVALID_ARGUMENT, {})
        assert why.message
    assert await explore(server, knowledge, [line()])


@pytest.mark.parametrize("name", GAMES)
async def test_forged_messages_are_answered_or_refused(server: Running, name: str, pytestconfig: pytest.Config) -> None:
    """Any number of it changed to any other: it does not fit, or is no message, or does not matter; never a fault."""
    knowledge = await known(server, await played(server, name, 12), 0)
    rng, reasons = Random(name), set()
    for _ in range(pytestconfig.getoption("--fuzz", 60)):
        forged = Knowledge()
        forged.CopyFrom(knowledge)
        for _ in range(rng.randrange(1, 4)):
            forge(forged, rng)
        call = server.sandbox.RollOut(RollOutRequest(knowledge=forged, lines=[line()], max_decisions=50))
        try:
            await call.read()
        except grpc.aio.AioRpcError as error:
            reasons.add(refused(error).reason)
    assert reasons <= {"INVALID_FIELD", "KNOWLEDGE_INCONSISTENT"}
    assert "KNOWLEDGE_INCONSISTENT" in reasons


def forge(message: Message, rng: Random) -> None:
    """Changes some number in a message, or leaves a part away, or says it twice."""
    fields = [(field, value) for field, value in message.ListFields() if field.name not in ("component_set", "options")]
    if not fields:
        return
    field, value = rng.choice(fields)
    if field.is_repeated:
        _forge_list(value, field.message_type is not None, rng)
    elif field.message_type is not None:
        if rng.random() < 0.1:
            message.ClearField(field.name)
        else:
            forge(value, rng)
    elif isinstance(value, int):
        setattr(message, field.name, rng.choice([value + 1, max(0, value - 1), 0, 1, 2**31 - 1, rng.randrange(40)]))


def _forge_list(values: Any, of_messages: bool, rng: Random) -> None:
    place = rng.randrange(len(values))
    what = rng.random()
    if what < 0.1:
        del values[place]
    elif of_messages and what < 0.2:
        values.add().CopyFrom(values[place])
    elif of_messages:
        forge(values[place], rng)
    elif isinstance(values[place], int):
        values[place] = rng.choice([0, 1, values[place] + 1, 2**31 - 1])


# ---- Requests


LIMITS = SandboxLimits(history=30, lines=5, moves=4, positions=40, playouts=100, decisions=50)


@pytest.mark.parametrize(
    ("lines", "fields", "says"),
    [
        ([line()] * 6, {}, "at most 5 lines"),
        ([line((0, 0), (1, 0), (2, 0), (0, 0), (1, 0))], {}, "at most 4 moves, lines[0] has 5"),
        ([line(count=51)], {"playouts": 2}, "at most 100 playouts, this asks for 102"),
        ([line(count=2**32 - 1)] * 5, {"playouts": 2**32 - 1}, "at most 100 playouts"),
        ([line()], {"max_decisions": 51}, "at most 50 decisions"),
    ],
)
async def test_requests_beyond_a_limit_say_which(
    tmp_path: Path, lines: list[Line], fields: dict[str, Any], says: str
) -> None:
    async with running(tmp_path / "games.db", sandbox=SandboxSettings(limits=LIMITS)) as server:
        knowledge = await known(server, await server.seated(), 0)
        why = await refusal(server.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=lines, **fields)))
    assert (why.reason, why.code) == ("LIMIT_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
    assert says in why.message


async def test_positions_and_histories_have_limits_too(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", sandbox=SandboxSettings(limits=LIMITS)) as server:
        knowledge = await known(server, await server.seated(), 0)
        why = await refusal(server.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=[line(count=41)])))
        assert (why.reason, "at most 40 positions" in why.message) == ("LIMIT_EXCEEDED", True)
        knowledge.history.extend([knowledge.history[0]] * 30)
        why = await refusal(server.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=[line()])))
        assert (why.reason, "at most 30 events" in why.message) == ("LIMIT_EXCEEDED", True)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"lines": []}, "lines"),
        ({"policy": "nonesuch"}, "policy"),
        ({"policy": "x" * 5000}, "policy"),
        ({"payoffs": [1.0, 0.0]}, "payoffs"),
        ({"payoffs": [1.0, 0.0, float("nan")]}, "payoffs"),
        ({"payoffs": [1.0, 0.0, float("-inf")]}, "payoffs"),
        ({"payoffs": [1e300] * 3}, "payoffs"),
        ({"lines": [line(), Line(worlds=WorldRange(first=2**32 - 1, count=2))]}, "lines[1].worlds"),
        ({"lines": [line(), Line(moves=[Move(seat=0)])]}, "lines[1].moves[0]"),
        ({"lines": [Line(moves=[Move(action=games_pb2.GameAction())])]}, "lines[0].moves[0].action.game"),
    ],
)
async def test_what_cannot_be_asked_names_its_field(server: Running, fields: dict[str, Any], field: str) -> None:
    knowledge = await known(server, await server.seated(options=dragons(first_seat=0)), 0)
    request = RollOutRequest(**{"knowledge": knowledge, "lines": [line()], **fields})
    why = await refusal(server.sandbox.RollOut(request))
    assert (why.reason, why.code) == ("INVALID_FIELD", CODE.INVALID_ARGUMENT)
    assert why.fields == [field] == [why.metadata["field"]]


async def test_an_unknown_kind_of_views_names_its_field(server: Running) -> None:
    knowledge = await known(server, await server.seated(), 0)
    request = ExploreRequest(knowledge=knowledge, lines=[line()], views=9)  # type: ignore[arg-type]
    assert (await refusal(server.sandbox.Explore(request))).fields == ["views"]


async def test_a_request_of_the_largest_size_leaves_the_server_as_it_was(server: Running) -> None:
    """A megabyte of moves that nobody can make, and of events that never happened."""
    game = await server.seated()
    knowledge = await known(server, game, 0)
    nonsense = [line(*((5, 999_999),) * 90) for _ in range(1000)]
    totals = await roll_out(server, knowledge, nonsense)
    assert (len(totals), {each.refused_worlds for each in totals}) == (1000, {1})
    knowledge.history.extend([knowledge.history[0]] * 15_000)
    why = await refusal(server.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=[line()])))
    assert why.reason == "KNOWLEDGE_INCONSISTENT"
    assert (await server.game(game.game_id)).game_id == game.game_id
