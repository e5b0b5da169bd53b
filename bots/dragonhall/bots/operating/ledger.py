"""What a bot has done, and the newest thing that it thought in each seat: kept for its operator."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from dragonhall.bots.operating.watcher import Arrival, Ending, Made, Watcher
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Place

_MOST_ENDED: Final = 256
"""Seats that are kept whose game has ended, the newest."""


@dataclass
class SeatPage:
    """One seat's."""

    place: Place
    game: str
    """One of `GAMES`."""
    chair: Chair
    playing: bool = True
    thinking_about: int = 0
    """A decision_id; 0: none."""
    newest: Made | None = None
    """The decision that was made last."""


@dataclass
class Totals:
    """Since the bot was started."""

    seats: int = 0
    """That it plays now."""
    decisions: int = 0
    simulations: int = 0
    late_answers: int = 0
    faults: int = 0
    """Seats given up for a fault of the bot."""
    worker_deaths: int = 0
    pondered: int = 0
    """Simulations made while others were asked."""


@dataclass
class Ledger(Watcher):
    """Listens, and keeps what `OperatorService` tells."""

    totals: Totals = field(default_factory=Totals)
    _pages: OrderedDict[Place, SeatPage] = field(default_factory=OrderedDict)

    def pages(self, game_id: str = "", seat: int | None = None) -> Iterator[SeatPage]:
        """In the order of games and seats. ``game_id``: of this game alone; ``seat``: of this seat alone."""
        for place in sorted(self._pages):
            if game_id in ("", place[0]) and seat in (None, place[1]):
                yield self._pages[place]

    def sat_down(self, place: Place, game: str, chair: Chair) -> None:
        self._pages[place] = SeatPage(place, game, chair)
        self.totals.seats += 1

    def began(self, place: Place, decision_id: int) -> None:
        self._pages[place].thinking_about = decision_id

    def dropped(self, place: Place, decision_id: int) -> None:
        self._pages[place].thinking_about = 0

    def decided(self, place: Place, made: Made) -> None:
        page = self._pages[place]
        page.newest, page.thinking_about = made, 0
        self.totals.decisions += 1
        self.totals.pondered += made.choice.pondered
        findings = made.choice.findings
        self.totals.simulations += findings.thoughts.simulations if findings is not None else 0

    def answered(self, place: Place, arrival: Arrival, seconds: float) -> None:
        self.totals.late_answers += arrival is Arrival.LATE

    def rose(self, place: Place, ending: Ending) -> None:
        page = self._pages[place]
        page.playing, page.thinking_about = False, 0
        self._pages.move_to_end(place)
        self.totals.seats -= 1
        self.totals.faults += ending is Ending.FAILED
        self._forget_the_oldest()

    def worker_died(self) -> None:
        self.totals.worker_deaths += 1

    def _forget_the_oldest(self) -> None:
        ended = [place for place, page in self._pages.items() if not page.playing]
        for place in ended[:-_MOST_ENDED]:
            del self._pages[place]
