"""What the readers of all games' records share, written from the comments of record.proto and game.proto alone.

A reader stands for one in any other language: a record's JSON comes as plain dicts, and of the record it uses only the
options, the number of seats, the component set's contents, the written chance outcomes and the actions. `replay` gives
the rest again: what was asked, every event with its audience, scores and ranks. Where a comment says something else
than the rules do, or not enough, the two do not agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import count
from typing import Any

JSON = dict[str, Any]


def message(**fields: Any) -> JSON:
    """A message as JSON has it: what has its default value is left out, an empty message is not."""
    return {name: value for name, value in fields.items() if value not in (None, 0, "", [])}


def ranks(standings: Sequence[Any]) -> list[int]:
    """SeatResult.rank of every seat, where a greater standing is a better one."""
    return [1 + sum(other > standing for other in standings) for standing in standings]


class Table(ABC):
    """A game's table, which tells what happens on it."""

    def __init__(self, game: str, seats: int) -> None:
        self.game = game
        """The name of the game's field in GameAction, GameEvent and so on."""
        self.seats = seats
        self.events: list[JSON] = []

    @abstractmethod
    def asked(self) -> dict[int, JSON]:
        """The seats that are asked now, ascending, and the game's own decision of each."""

    @abstractmethod
    def act(self, actions: dict[int, JSON]) -> None:
        """Follow the answers of all seats that were asked."""

    @abstractmethod
    def results(self) -> list[JSON]:
        """One SeatResult a seat, once the game is over, forfeits left out."""

    def standing(self) -> list[JSON]:
        """The same, if the game ended by forfeit: as it stands."""
        return self.results()

    def follow(self, step: JSON) -> None:
        """Follow a RecordStep's actions, which stand in seat order."""
        answers = zip(self.asked(), step["decisions"], strict=True)
        self.act({seat: written["action"][self.game] for seat, written in answers})

    def clockwise_from(self, seat: int) -> list[int]:
        return [(seat + i) % self.seats for i in range(self.seats)]

    def tell(self, kind: str, **fields: Any) -> None:
        self.events.append({"event": self._event(kind, message(**fields)), "everyone": True})

    def tell_apart(self, kind: str, insiders: list[int], known: JSON, hidden: JSON) -> None:
        """To the insiders with what only they may know, then to everyone else without."""
        others = [seat for seat in range(self.seats) if seat not in insiders]
        self.events.append({"event": self._event(kind, known), "seats": sorted(insiders)})
        self.events.append({"event": self._event(kind, hidden), "seats": others, "spectators": True})

    def take_events(self) -> list[JSON]:
        taken, self.events = self.events, []
        return taken

    def _event(self, kind: str, fields: JSON) -> JSON:
        return {self.game: {kind: fields}}


def with_forfeits(results: list[JSON], forfeited: dict[int, int]) -> list[JSON]:
    """SeatResult.rank and forfeited: behind all others; of several, who forfeited at a later revision does better."""
    standings = [
        (1, -result["rank"]) if seat not in forfeited else (0, forfeited[seat]) for seat, result in enumerate(results)
    ]
    return [
        {**result, "rank": rank, **message(forfeited=seat in forfeited)}
        for seat, (result, rank) in enumerate(zip(results, ranks(standings), strict=True))
    ]


def _forfeited(step: JSON) -> dict[int, int]:
    """The seats that forfeited before a step's last answer, and at which revision."""
    changes = [
        (incident["seat"], int(incident["revision"])) for incident in step.get("incidents", []) if "seat" in incident
    ]
    return {
        change.get("seat", 0): revision for change, revision in changes if change["state"] == "SEAT_STATE_FORFEITED"
    }


def replay(record: JSON, table: Table) -> JSON:
    """``steps`` and ``outcome``, but revisions, times, chance, incidents and who answered, of which no play tells."""
    steps: list[JSON] = [{"events": table.take_events()}]
    decision_ids = count(1)
    forfeited: dict[int, int] = {}
    for step in record["steps"][1:]:
        forfeited |= _forfeited(step)
        if "decisions" not in step:
            assert len(forfeited) in (table.seats - 1, table.seats)
            assert step == record["steps"][-1]
            return {"steps": [*steps, {}], "outcome": {"results": with_forfeits(table.standing(), forfeited)}}
        decisions = [
            message(
                seat=seat, decisionId=str(next(decision_ids)), decision={table.game: decision}, action=written["action"]
            )
            for (seat, decision), written in zip(table.asked().items(), step["decisions"], strict=True)
        ]
        table.follow(step)
        steps.append({"decisions": decisions, "events": table.take_events()})
    return {"steps": steps, "outcome": {"results": with_forfeits(table.results(), forfeited)}}
