"""Golden playthroughs: whole games as text, re-executed line by line by ``test_golden.py``.

A file begins with what the game is made from. Lines that begin with ``>`` are answers, and with ``!`` answers that are
refused: these are the inputs. All other lines are what the rules must say to them. After a deliberate change of the
rules, write all files anew with ``python -m tests.rules.golden`` and read the difference.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from dragonhall.rules.chance import ChanceOutcome, SeededChance, game_key
from dragonhall.rules.dragons.events import Event, Haul, YearEnded
from dragonhall.rules.dragons.facts import CARDS, CardCount, Options
from dragonhall.rules.dragons.moves import Action, Claim, Draw, Place, PlacementDecision, Play
from dragonhall.rules.dragons.view import Pile, View
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import EVERYONE, Entry
from dragonhall.rules.table import Step
from tests.rules.tables import SEATS, VARIANTS, Driver, long_game_choice, variant_name

FOLDER = Path(__file__).parent / "golden"
TITLE = "A whole game of Dragons; tests/rules/golden.py says how to read it."


class Telling:
    """A game that is told as it is played."""

    def __init__(self, seats: int, options: Options, seed: bytes, nonces: list[bytes]) -> None:
        self.driver = Driver(seats, options, SeededChance(game_key(seed, nonces)))
        self.lines = [
            TITLE,
            f"seats: {seats}",
            f"variants: {variant_name(options)}",
            f"seed: {seed.hex()}",
            f"nonces: {' '.join(nonce.hex() or '-' for nonce in nonces)}",
        ]
        self._tell_step(self.driver.steps[0])

    def answer(self, line: str) -> None:
        """An input line; what the rules say to it becomes the lines after it."""
        self.lines += ["", line]
        match = re.fullmatch(r"([>!]) seat (\d+), decision (\d+): (.+)", line)
        assert match, f"not an input line: {line}"
        seat, decision_id, action = int(match[2]), int(match[3]), parse_action(match[4])
        if match[1] == "!":
            self._tell_refusal(seat, decision_id, action)
            return
        table = self.driver.table
        step = table.answer(seat, decision_id, table.check(seat, decision_id, action))
        self._tell_step(step)

    def _tell_refusal(self, seat: int, decision_id: int, action: Action) -> None:
        try:
            self.driver.table.check(seat, decision_id, action)
        except IllegalAction as refused:
            self.lines.append(f"  refused: {refused}")
        else:
            self.lines.append("  accepted")

    def _tell_step(self, step: Step) -> None:
        self.lines += [f"  chance: {chance_text(outcome)}" for outcome in step.chance]
        self.lines += [f"  {audience_text(entry)}: {event_text(entry.event)}" for entry in step.entries]
        state = self.driver.state
        if state.is_over():
            self.lines += [f"  {result}" for result in state.outcome().results]
            return
        view = state.view(None)
        if any(isinstance(entry.event, YearEnded) for entry in step.entries):
            self.lines += [f"  treasure of seat {n}: {value_text(seat.treasure)}" for n, seat in enumerate(view.seats)]
        self.lines += [f"  table: {view_text(view)}"]
        for ticket in step.opened:
            codes = state.legal_actions(ticket.seat)
            actions = ", ".join(action_text(self.driver.table.game.action(state, ticket.seat, code)) for code in codes)
            own = state.view(ticket.seat)
            holding = f" holding {own.held}" if own.held else ""
            self.lines.append(
                f"  decision {ticket.decision_id}: seat {ticket.seat}{holding} {asked_text(ticket.decision)}"
            )
            self.lines.append(f"    everyone knows: {asked_text(ticket.public_decision)}")
            self.lines.append(f"    legal: {actions}")


def retell(lines: list[str]) -> list[str]:
    """The same game played again from the inputs in ``lines``."""
    header = dict(line.split(": ", 1) for line in lines[1:5])
    on = header["variants"].split("+")
    options = Options("extra_year" in on, "open_piles" in on, "hidden_card" in on)
    nonces = [b"" if nonce == "-" else bytes.fromhex(nonce) for nonce in header["nonces"].split(" ")]
    telling = Telling(int(header["seats"]), options, bytes.fromhex(header["seed"]), nonces)
    for line in lines:
        if line.startswith((">", "!")):
            telling.answer(line)
    return telling.lines


def tell_new(seats: int, options: Options) -> list[str]:
    """A new random game for a file; after each claim, the next seat tries in vain to claim the same pile."""
    name = file_name(seats, options)
    nonces = [bytes(range(seat)) for seat in range(seats)]
    telling = Telling(seats, options, hashlib.sha256(name.encode()).digest(), nonces)
    rng, driver = Random(name), telling.driver
    while driver.table.tickets:
        seat = driver.asked
        question = f"seat {seat}, decision {driver.table.tickets[seat].decision_id}"
        action = driver.table.game.action(driver.state, seat, long_game_choice(driver.state, rng))
        telling.answer(f"> {question}: {action_text(action)}")
        if isinstance(action, Claim) and driver.table.tickets:
            seat = driver.asked
            question = f"seat {seat}, decision {driver.table.tickets[seat].decision_id}"
            if driver.state.pile_owner[action.pile] >= 0:
                telling.answer(f"! {question}: {action_text(action)}")
    return telling.lines


def parse_action(text: str) -> Action:
    """As `action_text` writes it."""
    match text.split():
        case ["draw"]:
            return Draw()
        case ["claim", pile]:
            return Claim(int(pile))
        case ["place", "on", pile]:
            return Place(int(pile))
        case ["play", ("drawn" | "held") as card, "on", pile]:
            return Play("drawn" if card == "drawn" else "held", int(pile))
    raise ValueError(f"not an action: {text}")


def action_text(action: Action) -> str:
    match action:
        case Draw():
            return "draw"
        case Claim(pile):
            return f"claim {pile}"
        case Place(pile):
            return f"place on {pile}"
        case Play(card, pile):
            return f"play {card} on {pile}"


def asked_text(decision: object) -> str:
    if isinstance(decision, PlacementDecision):
        return f"drew {decision.drawn or 'a card'} and places a card"
    return "draws or claims"


def chance_text(outcome: ChanceOutcome) -> str:
    if outcome.order is None:
        return f"{outcome.name} is {outcome.number}"
    return f"{outcome.name} is {', '.join(str(CARDS[face]) for face in outcome.order)}"


def audience_text(entry: Entry) -> str:
    if entry.audience == EVERYONE:
        return "all"
    for seat in range(6):
        if entry.audience == 1 << seat:
            return f"only seat {seat}"
        if entry.audience == EVERYONE & ~(1 << seat):
            return f"all but seat {seat}"
    return f"audience {entry.audience:b}"


def event_text(event: Event | object) -> str:
    """An event's name and fields; cards by their names."""
    fields = ", ".join(f"{name} {value_text(value)}" for name, value in vars(event).items())
    return f"{type(event).__name__} {fields}"


def value_text(value: object) -> str:
    match value:
        case tuple():
            return f"[{', '.join(value_text(item) for item in value)}]"
        case Haul():
            return f"({event_text(value)})"
        case CardCount(card, count):
            return f"{count} x {card}"
        case None:
            return "-"
    return str(value)


def view_text(view: View) -> str:
    """The table as a spectator sees it, in one line."""
    piles = " | ".join(pile_text(pile) for pile in view.piles)
    return f"year {view.year} of {view.years}, deck {view.deck_size}, piles {piles}"


def pile_text(pile: Pile) -> str:
    shown = value_text(pile.cards) if pile.cards else str(pile.top)
    owner = "" if pile.claimed_by is None else f" of seat {pile.claimed_by}"
    return f"{shown} ({pile.size}){owner}"


def file_name(seats: int, options: Options) -> str:
    return f"dragons-{seats}-{variant_name(options)}.txt"


def games() -> Iterator[tuple[int, Options]]:
    """Every number of seats with every combination of variants."""
    for seats in SEATS:
        for options in VARIANTS:
            yield seats, options


def write_all() -> None:
    """Writes every file anew."""
    FOLDER.mkdir(exist_ok=True)
    for seats, options in games():
        text = "\n".join(tell_new(seats, options)) + "\n"
        (FOLDER / file_name(seats, options)).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_all()
