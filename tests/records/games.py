"""Finished games to make records of: played by the rules alone, no server needed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, game_key
from dragonhall.rules.table import Table
from dragonhall.v1 import game_pb2, play_service_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import prompt_to_bytes
from dragonhall.wire.records import Answer, RecordInputs, build_record, to_json

SECOND = 1_000_000
CREATED = 1_700_000_000 * SECOND


@dataclass(frozen=True)
class Played:
    """How a game of the tests is set up."""

    seats: int = 3
    options: Mapping[str, bool | int | str | tuple[str, ...] | None] = field(default_factory=dict)
    seed: bytes = bytes(range(32))
    nonces: bool = True
    choices: int = 1
    """The seed of the players' choices."""
    draws: float | tuple[float, ...] = 0.6
    """How often a seat takes its first choice: to draw, or to bid low and pass. Games last longer with more. Or of each
    seat how often."""
    game: str = "dragons"
    components: str = ""
    """The component set's TOML; empty: the default set."""


def dragonisles_set() -> str:
    """A component set with which a game of DragonIsles ends soon: few challenges fail."""
    text = files("dragonhall.rules.dragonisles").joinpath("dragonisles.toml").read_text(encoding="utf-8")
    return text.replace('id = "dragonisles-default"', 'id = "mine"').replace("[1, 2, 2, 3, 3, 4]", "[1, 8, 8, 8, 9, 9]")


def record_of(played: Played) -> record_pb2.GameRecord:
    """Its record."""
    return build_record(inputs_of(played))


def json_of(played: Played) -> dict[str, Any]:
    """The same as JSON."""
    record: dict[str, Any] = json.loads(to_json(record_of(played)))
    return record


def inputs_of(played: Played) -> RecordInputs:
    """The log's facts of a game that was played by chance."""
    game, codec = GAMES[played.game], CODECS[played.game]
    options, components = game.make_options(played.options), _components(played)
    start = played.seats + 2
    return RecordInputs(
        game_id="game-1",
        options=codec.options_to_proto(options),
        component_set=codec.components_to_proto(components, with_contents=True),
        rules_version=game.rules_version,
        seats=_seats(played),
        seed=played.seed,
        seed_source=game_pb2.SEED_SOURCE_SERVER,
        title="A game of the tests",
        create_time_us=CREATED,
        start_revision=start,
        start_time_us=CREATED + SECOND,
        answers=_play(_started(played), played, start + 1),
    )


def written(record: dict[str, Any]) -> dict[str, Any]:
    """What a foreign reader has to find out: the record's steps and outcome without what follows from nothing."""
    not_derived = ("revision", "time", "chance", "incidents", "by")
    steps = [{key: step[key] for key in step if key not in not_derived} for step in record["steps"]]
    for step in steps:
        if "decisions" in step:
            answers = step["decisions"]
            step["decisions"] = [{key: one[key] for key in one if key not in not_derived} for one in answers]
    return {"steps": steps, "outcome": record["outcome"]}


def moments_of(played: Played) -> Iterator[Table]:
    """Its table before each answer, in the order in which they came in, and at the end."""
    table = _started(played)
    for answer in inputs_of(played).answers:
        yield table
        table.answer(answer.seat, table.tickets[answer.seat].decision_id, answer.code)
    yield table


def prompts_of(table: Table) -> dict[int, dict[str, Any]]:
    """The prompt of every seat that is to answer, as JSON."""
    game, codec = table.game, CODECS[table.game.name]
    written = {seat: prompt_to_bytes(game, table.state, ticket, codec) for seat, ticket in table.tickets.items()}
    return {seat: MessageToDict(play_service_pb2.Decision.FromString(prompt)) for seat, prompt in written.items()}


def view_of(table: Table, viewer: int | None) -> dict[str, Any]:
    """What a seat, or a spectator, sees of it: the game's own view, as JSON."""
    view: dict[str, Any] = MessageToDict(CODECS[table.game.name].view_to_proto(table.state.view(viewer)))
    return view


def _started(played: Played) -> Table:
    game = GAMES[played.game]
    key = game_key(played.seed, [seat.nonce for seat in _seats(played)])
    table = Table(game, _components(played), game.make_options(played.options), played.seats, SeededChance(key))
    table.start()
    return table


def _components(played: Played) -> Any:
    game = GAMES[played.game]
    return game.load_components(played.components) if played.components else game.default_components()


def _seats(played: Played) -> list[game_pb2.Seat]:
    return [_seat(seat, b"nonce %d" % seat if played.nonces else b"") for seat in range(played.seats)]


def _seat(seat: int, nonce: bytes) -> game_pb2.Seat:
    return game_pb2.Seat(
        seat=seat,
        kind=game_pb2.SEAT_KIND_RESERVED,
        bot_name="random",
        taken=True,
        player_name=f"player {seat}",
        nonce=nonce,
    )


def _play(table: Table, played: Played, revision: int) -> list[Answer]:
    rng = Random(played.choices)
    draws = played.draws if isinstance(played.draws, tuple) else [played.draws] * played.seats
    answers: list[Answer] = []
    while table.tickets:
        ticket = rng.choice(list(table.tickets.values()))
        legal = table.state.legal_actions(ticket.seat)
        code = legal[0] if rng.random() < draws[ticket.seat] else rng.choice(legal)
        table.answer(ticket.seat, ticket.decision_id, code)
        time_us = CREATED + (2 + len(answers)) * SECOND
        answers.append(Answer(revision + len(answers), time_us, ticket.seat, code))
    return answers
