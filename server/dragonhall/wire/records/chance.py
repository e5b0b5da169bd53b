"""Chance as written against chance as derived from seed and nonces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dragonhall.rules.chance import Chance, ChanceOutcome
from dragonhall.v1 import games_pb2
from dragonhall.wire import InvalidMessage
from dragonhall.wire.codec import Codec
from dragonhall.wire.records.findings import Finding, written_against
from dragonhall.wire.records.wording import describe, describe_value, fields_of, shortened

SOURCE: Final = "seed and nonces"


class CheckedChance(Chance):
    """Draws from the derived source, compares with what is written step by step, and collects what differs.

    Deals out the derived outcomes, or with ``trust_chance`` the written ones wherever they fit.
    """

    def __init__(self, codec: Codec, derived: Chance, trust_chance: bool) -> None:
        self._codec = codec
        self._derived = derived
        self._trust_chance = trust_chance
        self._written: list[games_pb2.ChanceOutcome] = []
        self._place = ""
        self.findings: list[Finding] = []
        self.compared = 0

    def begin(self, place: str, written: Sequence[games_pb2.ChanceOutcome]) -> None:
        """From now on ``written`` is expected; ``place`` says in words where it stands."""
        self._place = place
        self._written = list(written)

    def end(self) -> None:
        """Nothing more is expected here: what is left over was never used."""
        for outcome in self._written:
            self._find(
                shortened(outcome.name) or "chance", f"written at {self._place}, but the game does not use it there"
            )
        self._written = []

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        derived = self._derived.shuffle(name, items)
        written = self._compare(ChanceOutcome(name, order=tuple(derived)))
        if written is None or written.order is None or sorted(written.order) != sorted(items):
            return derived
        return list(written.order)

    def number(self, name: str, below: int) -> int:
        derived = self._derived.number(name, below)
        written = self._compare(ChanceOutcome(name, number=derived))
        if written is None or written.number is None or not 0 <= written.number < below:
            return derived
        return written.number

    def _compare(self, derived: ChanceOutcome) -> ChanceOutcome | None:
        """Notes where the next written outcome differs; that outcome, if it is to be dealt instead."""
        self.compared += 1
        if not self._written:
            self._find(derived.name, f"is used at {self._place}, but not written there")
            return None
        written = self._written.pop(0)
        expected = self._codec.chance_to_proto(derived)
        if written == expected:
            return None
        self._note(written, expected)
        return self._typed(written) if self._trust_chance else None

    def _typed(self, written: games_pb2.ChanceOutcome) -> ChanceOutcome | None:
        try:
            return self._codec.chance_from_proto(written)
        except InvalidMessage:
            return None

    def _note(self, written: games_pb2.ChanceOutcome, expected: games_pb2.ChanceOutcome) -> None:
        if written.name != expected.name:
            self._find(expected.name, f"is called {shortened(written.name)!r} in the record")
            return
        items, derived = _items(written), _items(expected)
        if items is None or derived is None or items.field != derived.field:
            self._find(expected.name, written_against(_value(written), _value(expected), SOURCE))
        elif len(items.values) != len(derived.values):
            text = written_against(f"{len(items.values)} items", f"{len(derived.values)}", SOURCE)
            self._find(expected.name, text)
        else:
            self._note_items(expected.name, items, derived)

    def _note_items(self, name: str, written: _Items, derived: _Items) -> None:
        places = [i for i, (one, other) in enumerate(zip(written.values, derived.values, strict=True)) if one != other]
        noun, count = derived.field.name.removesuffix("s"), len(derived.values)
        for i in places[:2]:
            text = written_against(written.describe(i), derived.describe(i), SOURCE)
            self._find(f"{name}, {noun} {i + 1} of {count}", text)
        if len(places) > 2:
            self._find(name, f"{len(places)} of {count} {noun}s are not where {SOURCE} have them")

    def _find(self, where: str, message: str) -> None:
        self.findings.append(Finding("chance", where, message))


@dataclass(frozen=True)
class _Items:
    """What an order is of: the only field of its message."""

    field: FieldDescriptor
    values: Sequence[Any]

    def describe(self, place: int) -> str:
        return describe_value(self.field, self.values[place])


def _items(outcome: games_pb2.ChanceOutcome) -> _Items | None:
    """The items of a written order; ``None`` if it is none."""
    which = outcome.WhichOneof("outcome")
    value = getattr(outcome, which) if which else None
    if not isinstance(value, Message):
        return None
    [field] = fields_of(value)
    return _Items(field, getattr(value, field.name))


def _value(outcome: games_pb2.ChanceOutcome) -> str:
    which = outcome.WhichOneof("outcome")
    value = getattr(outcome, which) if which else "nothing"
    return describe(value) if isinstance(value, Message) else str(value)
