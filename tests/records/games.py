"""Finished games to make records of: played by the rules alone, no server needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, game_key
from dragonhall.rules.table import Table
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records import Answer, RecordInputs, build_record

SECOND = 1_000_000
CREATED = 1_700_000_000 * SECOND


@dataclass(frozen=True)
class Played:
    """How a game of the tests is set up."""

    seats: int = 3
    options: Mapping[str, bool | int | None] = field(default_factory=dict)
    seed: bytes = bytes(range(32))
    nonces: bool = True
    choices: int = 1
    """The seed of the players' choices."""
    draws: float = 0.6
    """How often a seat takes its first choice, which is to draw; years last longer with more."""
    game: str = "dragons"


def record_of(played: Played) -> record_pb2.GameRecord:
    """Its record."""
    return build_record(inputs_of(played))


def inputs_of(played: Played) -> RecordInputs:
    """The log's facts of a game that was played by chance."""
    game, codec = GAMES[played.game], CODECS[played.game]
    options, components = game.make_options(played.options), game.default_components()
    seats = [_seat(seat, b"nonce %d" % seat if played.nonces else b"") for seat in range(played.seats)]
    key = game_key(played.seed, [seat.nonce for seat in seats])
    table = Table(game, components, options, played.seats, SeededChance(key))
    table.start()
    start = played.seats + 2
    return RecordInputs(
        game_id="game-1",
        options=codec.options_to_proto(options),
        component_set=codec.components_to_proto(components, with_contents=True),
        rules_version=game.rules_version,
        seats=seats,
        seed=played.seed,
        seed_source=game_pb2.SEED_SOURCE_SERVER,
        title="A game of the tests",
        create_time_us=CREATED,
        start_revision=start,
        start_time_us=CREATED + SECOND,
        answers=_play(table, Random(played.choices), played.draws, start + 1),
    )


def _seat(seat: int, nonce: bytes) -> game_pb2.Seat:
    return game_pb2.Seat(
        seat=seat,
        kind=game_pb2.SEAT_KIND_RESERVED,
        bot_name="random",
        taken=True,
        player_name=f"player {seat}",
        nonce=nonce,
    )


def _play(table: Table, rng: Random, draws: float, revision: int) -> list[Answer]:
    answers: list[Answer] = []
    while table.tickets:
        ticket = rng.choice(list(table.tickets.values()))
        legal = table.state.legal_actions(ticket.seat)
        code = legal[0] if rng.random() < draws else rng.choice(legal)
        table.answer(ticket.seat, ticket.decision_id, code)
        time_us = CREATED + (2 + len(answers)) * SECOND
        answers.append(Answer(revision + len(answers), time_us, ticket.seat, ticket.decision_id, code))
    return answers
