"""How games go, on stderr: live lines on a terminal, now and then a remark elsewhere."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table

from dragonhall.arena import Pairing, PlayedGame, Watcher
from dragonhall.cli.console import note, table
from dragonhall.v1 import play_service_pb2
from dragonhall.wire.records import describe

_REMARK_EVERY: Final = 5.0
"""Seconds between remarks where there is no terminal."""
_FIRST_SILENCE: Final = 10.0
"""Seconds after which it is said again that a bot is missing; then twice as long, and so on."""
_SHOWN: Final = 8
"""Games shown live at a time."""


class GamesProgress(Watcher):
    """Of a schedule of ``total`` games. Something that rich can draw."""

    def __init__(self, total: int, game: str, left_at: str | None = None) -> None:
        """``left_at``: where a game is that could not be aborted; ``None``: it ends with its server."""
        self._total = total
        self._game = game
        self._left_at = left_at
        self._done = 0
        self._decisions = 0
        self._lines: dict[int, tuple[str, str, str]] = {}
        self._missing: dict[str, tuple[float, float]] = {}
        """Bots said to be missing, and troubles: until when nothing more is said of each, and for how long after."""
        self._began = self._remarked = time.monotonic()

    def observed(self, pairing: Pairing, observation: play_service_pb2.ObserveResponse) -> None:
        for event in observation.update.events:
            if event.HasField("seat_taken"):
                self._missing.pop(pairing.seats[event.seat_taken.seat.seat], None)
        said = _last_words(observation)
        self._decisions += observation.HasField("update")
        if said:
            self._lines[pairing.number] = (" ".join(pairing.seats), str(observation.revision), said)

    def waiting(self, pairing: Pairing, missing: Sequence[str]) -> None:
        """Says so once for each bot, of however many games it is missing in, and again ever more seldom."""
        due = [name for name in missing if self._is_due(name)]
        if due:
            names, hint = " and ".join(map(repr, due)), f"dragonhall bot KIND --name {shlex.quote(due[0])}"
            note(f"game {pairing.number + 1} waits for {names}: is such a bot running? ({hint})")

    def troubled(self, pairing: Pairing, trouble: str) -> None:
        if self._is_due(trouble):
            note(f"game {pairing.number + 1} waits: {trouble}")

    def left(self, pairing: Pairing, game_id: str, trouble: str) -> None:
        if self._left_at is not None:
            note(f"game {pairing.number + 1} ({game_id}) could not be aborted and is still {self._left_at}: {trouble}")
        elif self._is_due(""):
            note(f"games that could not be aborted are gone with the server of this match: {trouble}")

    def _is_due(self, name: str) -> bool:
        now = time.monotonic()
        until, silence = self._missing.get(name, (now, _FIRST_SILENCE))
        if now < until:
            return False
        self._missing[name] = (now + silence, 2 * silence)
        return True

    def ended(self, played: PlayedGame) -> None:
        """A game is over."""
        self._done += 1
        self._lines.pop(played.pairing.number, None)
        now = time.monotonic()
        if self._total > 1 and now - self._remarked > _REMARK_EVERY:
            self._remarked = now
            note(f"{self._done} of {self._total} games played")

    def __rich__(self) -> RenderableType:
        seconds = max(time.monotonic() - self._began, 0.001)
        shown: Table = table("seats", "revision", "", numbers=("revision",))
        shown.title = f"{self._game}: {self._done} of {self._total} games, {self._decisions / seconds:.0f} revisions/s"
        shown.title_justify = "left"
        shown.expand, shown.columns[-1].ratio = True, 1  # what happened is cut short, not who sits there
        for line in list(self._lines.values())[:_SHOWN]:
            shown.add_row(*line)
        return shown


def _last_words(observation: play_service_pb2.ObserveResponse) -> str:
    """The last thing that happened, in words; empty if nothing did."""
    for event in reversed(observation.update.events):
        kind = event.WhichOneof("event")
        if kind == "game":
            inner = event.game.WhichOneof("game")
            return describe(getattr(event.game, inner)) if inner else ""
        if kind is not None:
            return kind.replace("_", " ")
    return ""
