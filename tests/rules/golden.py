"""Golden playthroughs: whole games as text, re-executed line by line by ``test_golden.py``.

A file begins with what the game is made from. Lines that begin with ``>`` are answers, by the index of a legal action,
and with ``!`` are the answer before it tried again by whoever is asked next, which is refused: these are the inputs.
All other lines are what the rules must say to them. What would be too long to read is there as its hash. After a
deliberate change of the rules, write all files anew with ``python -m tests.rules.golden`` and read the difference.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from dragonhall.rules.actions import codes_of
from dragonhall.rules.chance import ChanceOutcome, SeededChance, game_key
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.game import Game, legal_actions
from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step, Table

FOLDER: Final = Path(__file__).parent / "golden"
_HEADER: Final = 5
"""Lines before the first step."""
_LISTED: Final = 12
"""Legal actions up to which all of them are written out."""
_VIEW_EVERY: Final = 20
"""Steps after which the whole table is written out again."""


@dataclass(frozen=True)
class Script:
    """Which games are told, and how they are played."""

    game: Game
    variants: Mapping[str, Mapping[int, Mapping[str, object]]]
    """By name and number of seats: the options' values."""
    choose: Callable[[Any, int, Random], int]
    """The code that a seat answers with, given the state: often any, so that games reach every corner."""
    item: Callable[[str, int], str] = lambda name, number: str(number)
    """One item of a shuffle with this name, in words."""

    def cases(self) -> Iterator[Case]:
        """Every game that is told."""
        for name, by_seats in self.variants.items():
            for seats in by_seats:
                yield Case(self, name, seats)


@dataclass(frozen=True)
class Case:
    """One golden game."""

    script: Script
    variant: str
    seats: int

    @property
    def file_name(self) -> str:
        return f"{self.script.game.name}-{self.seats}-{self.variant}.txt"

    @property
    def path(self) -> Path:
        return FOLDER / self.file_name

    def __str__(self) -> str:
        return self.file_name.removesuffix(".txt")


class Telling:
    """A game that is told as it is played."""

    def __init__(self, case: Case, seed: bytes, nonces: list[bytes]) -> None:
        self.script = case.script
        game = case.script.game
        options = game.make_options(case.script.variants[case.variant][case.seats])
        chance = SeededChance(game_key(seed, nonces))
        self.table = Table(game, game.default_components(), options, case.seats, chance)
        self.steps = 0
        self._seats = case.seats
        self._last_action: Any = None
        self.lines = [
            f"A whole game of {game.title}; tests/rules/golden.py says how to read it.",
            f"seats: {case.seats}",
            f"options: {case.variant}",
            f"seed: {seed.hex()}",
            f"nonces: {' '.join(nonce.hex() or '-' for nonce in nonces)}",
        ]
        assert len(self.lines) == _HEADER
        self._tell_step(self.table.start())

    def answer(self, line: str) -> None:
        """An input line; what the rules say to it becomes the lines after it."""
        match = re.fullmatch(r"([>!]) seat (\d+), decision (\d+): (?:(\d+) .*|the same)", line)
        assert match, f"not an input line: {line}"
        seat, decision_id = int(match[2]), int(match[3])
        if match[1] == "!":
            self._try_in_vain(seat, decision_id)
            return
        codes = codes_of(self.table.state.legal_runs(seat))
        self.give(seat, decision_id, codes[int(match[4])])

    def give(self, seat: int, decision_id: int, code: int) -> None:
        """Answers with a legal code."""
        game, state = self.table.game, self.table.state
        index, action = codes_of(state.legal_runs(seat)).index(code), game.action(state, seat, code)
        assert self.table.check(seat, decision_id, action) == code
        self.lines += ["", f"> seat {seat}, decision {decision_id}: {index} {text_of(action)}"]
        self._last_action = action
        self._tell_step(self.table.answer(seat, decision_id, code))

    def try_in_vain(self) -> None:
        """Lets the first seat that is asked try the last answer again, if it is none of its legal actions."""
        for ticket in list(self.table.tickets.values())[:1]:
            if self._last_action not in legal_actions(self.table.game, self.table.state, ticket.seat):
                self._try_in_vain(ticket.seat, ticket.decision_id)

    def _try_in_vain(self, seat: int, decision_id: int) -> None:
        self.lines += ["", f"! seat {seat}, decision {decision_id}: the same"]
        try:
            self.table.check(seat, decision_id, self._last_action)
        except IllegalAction as refused:
            self.lines.append(f"  refused: {refused}")
        else:
            self.lines.append("  accepted")

    def _tell_step(self, step: Step) -> None:
        self.lines += [f"  chance: {self._chance_text(outcome)}" for outcome in step.chance]
        self.lines += [f"  {self._audience_text(entry)}: {text_of(entry.event)}" for entry in step.entries]
        state = self.table.state
        if self.steps % _VIEW_EVERY == 0 or state.is_over():
            self.lines += [f"  table: {text_of(state.view(None))}"]
        self.lines += [f"  views: {self._views_hash()}"]
        self.steps += 1
        if state.is_over():
            self.lines += [f"  {text_of(result)}" for result in state.outcome().results]
        for ticket in step.opened:
            self.lines.append(f"  decision {ticket.decision_id}: seat {ticket.seat} {text_of(ticket.decision)}")
            if ticket.public_decision != ticket.decision:
                self.lines.append(f"    everyone knows: {text_of(ticket.public_decision)}")
            self.lines.append(f"    legal: {self._legal_text(ticket.seat)}")

    def _views_hash(self) -> str:
        viewers = [*range(self._seats), None]
        return short_hash("\n".join(text_of(self.table.state.view(viewer)) for viewer in viewers))

    def _legal_text(self, seat: int) -> str:
        entries = legal_actions(self.table.game, self.table.state, seat).entries
        texts = [text_of(action) + (f" and {count - 1} more" if count > 1 else "") for action, count in entries]
        if len(texts) <= _LISTED:
            return ", ".join(texts)
        return f"{len(texts)} from {texts[0]} to {texts[-1]}, {short_hash(', '.join(texts))}"

    def _chance_text(self, outcome: ChanceOutcome) -> str:
        if outcome.order is None:
            return f"{outcome.name} is {outcome.number}"
        return f"{outcome.name} is {', '.join(self.script.item(outcome.name, item) for item in outcome.order)}"

    def _audience_text(self, entry: Entry) -> str:
        if entry.audience == EVERYONE:
            return "all"
        told = [seat for seat in range(self._seats) if entry.is_for(seat)]
        if entry.is_for(None):
            return f"all but seat {' and '.join(str(seat) for seat in range(self._seats) if seat not in told)}"
        return f"only seat {' and '.join(map(str, told))}"


def text_of(value: object) -> str:
    """A value of the rules: a dataclass by its name and fields, unless it says itself what it is."""
    match value:
        case tuple():
            return f"[{', '.join(text_of(item) for item in value)}]"
        case None:
            return "-"
        case _ if is_dataclass(value) and type(value).__str__ is object.__str__:
            fields = ", ".join(f"{name} {text_of(field)}" for name, field in vars(value).items())
            return f"{type(value).__name__} ({fields})" if fields else type(value).__name__
    return str(value)


def short_hash(text: str) -> str:
    """16 digits that change with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def retell(case: Case, lines: list[str]) -> list[str]:
    """The same game played again from the inputs in ``lines``."""
    header = dict(line.split(": ", 1) for line in lines[1:_HEADER])
    nonces = [b"" if nonce == "-" else bytes.fromhex(nonce) for nonce in header["nonces"].split(" ")]
    telling = Telling(case, bytes.fromhex(header["seed"]), nonces)
    for line in lines:
        if line.startswith((">", "!")):
            telling.answer(line)
    return telling.lines


def tell_new(case: Case) -> list[str]:
    """A new random game for a file."""
    nonces = [bytes(range(seat)) for seat in range(case.seats)]
    telling = Telling(case, hashlib.sha256(case.file_name.encode()).digest(), nonces)
    rng, table = Random(case.file_name), telling.table
    while table.tickets:
        ticket = rng.choice(list(table.tickets.values()))
        telling.give(ticket.seat, ticket.decision_id, case.script.choose(table.state, ticket.seat, rng))
        if rng.random() < 0.1:
            telling.try_in_vain()
    return telling.lines


def write_all(scripts: list[Script]) -> None:
    """Writes every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for script in scripts:
        for case in script.cases():
            case.path.write_text("\n".join(tell_new(case)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    from tests.rules.golden_scripts import SCRIPTS

    write_all(SCRIPTS)
