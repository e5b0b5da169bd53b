"""Writes protos/vectors/record.json, record_absences.json and digests.json anew: ``python -m tests.records.vectors``.

Only to be done when the format is changed: every published implementation then has to follow.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.rules.dragonisles import component_set as isles_sets
from dragonhall.rules.dragons import facts as dragons_facts
from dragonhall.rules.dragons_interest import facts as interest_facts
from dragonhall.rules.game import Components
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records import RecordInputs, build_record, facts_digest, to_data, to_json
from tests.records import foreign_facts, foreign_interest_facts, foreign_isles_facts
from tests.records.foreign_facts import facts_text
from tests.records.games import Played, inputs_of
from tests.records.held_games import SETTINGS, busy_record

FOLDER = Path(__file__).parents[2] / "protos" / "vectors"
RECORD = FOLDER / "record.json"
ABSENCES = FOLDER / "record_absences.json"
DIGESTS = FOLDER / "digests.json"

COMMON = {"sword": 8, "helmet": 8, "shield": 8, "breastplate": 8, "crown": 8, "scepter": 8, "bracelet": 8}
DRAGONS_SETS: dict[str, Mapping[str, Any]] = {
    "the default set": dragons_facts.default_components().to_data(),
    "a kind that does not occur, and coin cards that the default set has not got": {
        "id": "no-cows.2",
        "version": 4294967295,
        "cards": {
            **COMMON,
            "cow": 0,
            "sheep": 9,
            "one_ring": 1,
            "necklace": 8,
            "pink_gem": 7,
            "blue_gem": 7,
            "polish": 8,
        },
        "coin_cards": {"9": 1, "1": 7, "5": 0},
    },
    "no coin cards": {
        "id": "no_coins",
        "version": 2,
        "cards": {
            **COMMON,
            "cow": 9,
            "sheep": 8,
            "one_ring": 1,
            "necklace": 8,
            "pink_gem": 7,
            "blue_gem": 7,
            "polish": 8,
        },
        "coin_cards": {},
    },
}
"""By what they show."""

_INTEREST: Final = interest_facts.default_components().to_data()
INTEREST_SETS: dict[str, Mapping[str, Any]] = {
    "the default set of Dragon's Interest": _INTEREST,
    "another ring, stacks of events and of gold alone, the Generous Dragon in another stack": {
        **_INTEREST,
        "id": "mine",
        "version": 2,
        "mountain": {"ring": ["castle", "guild", "harbor", "city_hall", "temple", "arena"]},
        "tiles": {
            **_INTEREST["tiles"],
            "castle": {"start": "generous_dragon", "gold": [], "events": ["calendar"] * 4 + ["invasion"] * 5},
            "city_hall": {"start": 99, "gold": [1] * 9, "events": []},
        },
    },
}
"""By what they show."""

_ISLES: Final = isles_sets.default_components().to_data()
ISLES_SETS: dict[str, Mapping[str, Any]] = {
    "the default set of DragonIsles": _ISLES,
    "colours whose names need care, treasures with every kind of condition and none, one kind of encounter": {
        **_ISLES,
        "id": "mine",
        "version": 2,
        "dice": {"count": 6, "faces": [1, 1, 1, 1, 1, 9]},
        "adventurers": {**_ISLES["adventurers"], "colours": ["rot", 'the "blue"', "\\", "龍", "<&>"]},
        "potions": {"draw_two": 20, "draw_one_and_clear": 0, "boost": 0},
        "treasures": [
            {"name": "Charm", "copies": 1, "trigger": "success", "benefit": "coin"},
            *_ISLES["treasures"][3:9],
            {"name": "Purse", "copies": 11, "trigger": "success", "benefit": "coin", "when": "hand_below=12"},
        ],
        "encounters": [
            {
                **{"name": "Gate", "copies": 50, "type": "oni", "category": "sea", "symbols": 2, "victory_points": 0},
                "steal": {"target": 40, "bonus": "treasure"},
            }
        ],
    },
}
"""By what they show."""

FACTS: dict[str, record_pb2.GameRecord] = {
    "what is not set is left out": record_pb2.GameRecord(),
    "a message that is set stays, though empty": record_pb2.GameRecord(
        options=games_pb2.GameOptions(dragons=dragons_pb2.Options()), seats=[game_pb2.Seat()]
    ),
    "an optional number that is set stays, though 0": record_pb2.GameRecord(
        options=games_pb2.GameOptions(dragons=dragons_pb2.Options(first_seat=0))
    ),
    "bytes are standard base64, padded; no id, no times, no digest": record_pb2.GameRecord(
        game_id="g",
        seed=b"\xfb\xff\xfe",
        seed_commitment=b"\xfb\xff",
        facts_digest=b"\x01",
        create_time=Timestamp(seconds=1),
    ),
    "settings are hashed, durations as texts; what it is a rematch of is not": record_pb2.GameRecord(
        settings=game_pb2.GameSettings(
            time_control=game_pb2.TimeControl(
                bank=game_pb2.TimeBank(initial=Duration(seconds=600), increment=Duration(seconds=1, nanos=500_000_000))
            ),
            absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE,
            substitute_bot="greedy",
            start=game_pb2.START_POLICY_WHEN_FULL,
            visibility=game_pb2.VISIBILITY_PUBLIC,
            spectator_delay=2,
            allow_undo=True,
        ),
        rematch_of="g",
    ),
    "what is escaped": record_pb2.GameRecord(title='" \\ \b \f \n \r \t \x00 \x0b \x1f'),
    "what is not": record_pb2.GameRecord(title="/ < > & ' \x7f \x85 \xa0 \u2028 \u2029 ä ſ 龍 \ufeff \U0001f409"),
}
"""Parts of records, by what they show."""


def record_inputs() -> RecordInputs:
    """A short game of five with hidden cards and names that are easily written down wrong.

    The seat with the highest score is eliminated, and a second one too.
    """
    inputs = inputs_of(
        Played(seats=5, options={"hidden_card": True}, seed=bytes(range(240, 256)) * 2, choices=33, draws=0.5)
    )
    names = ["Ada & <Bob>", "Дракон", '"龍" \\ /', "naïve \U0001f409", "plain"]
    seats = [
        game_pb2.Seat(seat=i, taken=True, player_name=name, nonce=inputs.seats[i].nonce) for i, name in enumerate(names)
    ]
    for seat, kind in zip(seats, (game_pb2.SEAT_KIND_OPEN, game_pb2.SEAT_KIND_INVITED), strict=False):
        seat.kind = kind
    for seat in seats[2:]:
        seat.kind, seat.bot_name = game_pb2.SEAT_KIND_RESERVED, "random"
    answers = [replace(answer, time_us=answer.time_us + 250 * i) for i, answer in enumerate(inputs.answers)]
    return replace(inputs, game_id="vector", title="Größe < 5 & > 3: 龍 \U0001f409", seats=seats, answers=answers)


def absences(folder: Path) -> record_pb2.GameRecord:
    """A game with a time control, in which players leave, are substituted, come back, and take an answer back."""
    record = asyncio.run(busy_record(folder, SETTINGS["substitute, bank"], "dragons", luck=240))
    record.game_id = "absences"
    return record


def digests() -> dict[str, Any]:
    """The whole of digests.json. ``hashed`` is the foreign reader's text, the digest the product's."""
    record = build_record(record_inputs())
    return {
        "component_sets": [
            *_component_sets("dragons", dragons_facts.components_from_data, DRAGONS_SETS),
            *_component_sets("dragons_interest", interest_facts.components_from_data, INTEREST_SETS),
            *_component_sets("dragonisles", isles_sets.components_from_data, ISLES_SETS),
        ],
        "facts": [
            *(_facts(about, part) | {"record": to_data(part)} for about, part in FACTS.items()),
            _facts("record.json", record),
        ],
    }


def _component_sets(
    game: str, from_data: Callable[[Mapping[str, Any]], Components], sets: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    return [_component_set(about, game, from_data(data)) for about, data in sets.items()]


def _component_set(about: str, game: str, components: Components) -> dict[str, Any]:
    message = CODECS[game].components_to_proto(components, with_contents=True)
    written = to_data(message)
    return {
        "about": about,
        "hashed": COMPONENT_TEXT[game](written),
        "digest": message.digest.hex(),
        "component_set": written,
    }


COMPONENT_TEXT: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "dragons": foreign_facts.component_text,
    "dragons_interest": foreign_interest_facts.component_text,
    "dragonisles": foreign_isles_facts.component_text,
}
"""What a digest hashes, by the game's name."""


def _facts(about: str, record: record_pb2.GameRecord) -> dict[str, Any]:
    return {"about": about, "hashed": facts_text(to_data(record)), "digest": facts_digest(record).hex()}


def digests_text() -> str:
    """digests.json as it is written."""
    return json.dumps(digests(), indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    RECORD.write_text(to_json(build_record(record_inputs())), encoding="utf-8")
    with TemporaryDirectory() as folder:
        ABSENCES.write_text(to_json(absences(Path(folder))), encoding="utf-8")
    DIGESTS.write_text(digests_text(), encoding="utf-8")
