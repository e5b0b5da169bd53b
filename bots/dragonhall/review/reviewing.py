"""A whole game, looked back on: every decision that was one, judged by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dragonhall.bots.mcts.budget import Budget
from dragonhall.review.judge import Verdict, judge
from dragonhall.review.moments import Moment, moments
from dragonhall.review.workers import Workers
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.codec import outcome_from_proto
from dragonhall.wire.records import BadRecord, to_binary

DEFAULT_BUDGET: Final = Budget(simulations=1000)


class NotThere(Exception):
    """A decision or a seat that the game has not got. The message says what there is."""


@dataclass(frozen=True)
class Manner:
    """How a game is reviewed. With a budget of simulations the same review is found each time, by however many
    processes."""

    budget: Budget = DEFAULT_BUDGET
    """Of each decision; as much again is spent where the search would have played something else."""
    seed: str = ""
    """All luck comes from it and from the game."""
    processes: int = 1


@dataclass(frozen=True)
class Player:
    """Who sat in a seat, and how it ended there."""

    seat: int
    name: str
    rank: int
    score: int
    forfeited: bool


@dataclass(frozen=True)
class Tally:
    """How one seat decided, over what somebody chose for it."""

    decisions: int
    agreed: int
    """With what the search would have played."""
    losses: int
    """Decisions that were worse beyond the noise."""
    lost: float
    """Expected ranks lost by those, added up."""


@dataclass(frozen=True)
class Review:
    """What was found out about a game."""

    game_id: str
    game: str
    """Its name in `GAMES`."""
    title: str
    """The game's own."""
    players: tuple[Player, ...]
    """By seat."""
    manner: Manner
    verdicts: tuple[Verdict, ...]
    """In the order of the game."""
    forced: int
    """Decisions with one legal answer, which are not among them."""
    seat: int | None = None
    """The only one whose decisions were looked at; ``None``: all seats'."""

    @property
    def judged(self) -> tuple[Player, ...]:
        """The players whose decisions were looked at: of the others nothing was found out."""
        return self.players if self.seat is None else (self.players[self.seat],)

    def of_seat(self, seat: int) -> list[Verdict]:
        """A seat's own decisions."""
        return [verdict for verdict in self.verdicts if verdict.seat == seat]

    @cached_property
    def worst(self) -> tuple[Verdict, ...]:
        """The same verdicts: losses beyond the noise first, the greatest first; then all others, likewise."""
        return tuple(sorted(self.verdicts, key=lambda verdict: (not verdict.is_loss, -verdict.loss)))

    @property
    def losses(self) -> tuple[Verdict, ...]:
        """Those beyond the noise alone, the greatest first."""
        return tuple(verdict for verdict in self.worst if verdict.is_loss)

    def tally(self, seat: int) -> Tally:
        """How a seat decided. Default actions are nobody's decisions and do not count."""
        chosen = [verdict for verdict in self.of_seat(seat) if verdict.is_chosen]
        losses = [verdict.loss for verdict in chosen if verdict.is_loss]
        return Tally(len(chosen), sum(verdict.agrees for verdict in chosen), len(losses), sum(losses))


def review(
    record: record_pb2.GameRecord,
    manner: Manner,
    seat: int | None = None,
    decision_id: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Reviews a finished game: all of it, or one ``seat``'s decisions, or the one with ``decision_id``.

    ``progress`` is told how many decisions are done, of how many. Raises `UnsupportedRecord`, `BadRecord` (also for a
    game that is not over) and `NotThere`.
    """
    asked, players = list(moments(record)), _players(record)
    chosen = _chosen(asked, len(record.seats), seat, decision_id)
    thought_about = [place for place in chosen if asked[place].is_choice]
    progress(0, len(thought_about))
    verdicts = []
    for verdict in _verdicts(record, asked, thought_about, manner):
        verdicts.append(verdict)
        progress(len(verdicts), len(thought_about))
    return Review(
        game_id=record.game_id,
        game=record.options.WhichOneof("game") or "",
        title=record.title,
        players=players,
        manner=manner,
        verdicts=tuple(verdicts),
        forced=len(chosen) - len(thought_about),
        seat=seat if decision_id is None else asked[chosen[0]].seat,
    )


def _chosen(asked: Sequence[Moment], seats: int, seat: int | None, decision_id: int | None) -> list[int]:
    """The places of those that are to be reviewed."""
    if seat is not None and not 0 <= seat < seats:
        raise NotThere(f"there is no seat {seat}; the game has seats 0 to {seats - 1}")
    places = [place for place, moment in enumerate(asked) if decision_id in (None, moment.decision_id)]
    if not places:
        raise NotThere(f"there is no decision {decision_id}; the game has decisions 1 to {len(asked)}")
    found = [place for place in places if seat in (None, asked[place].seat)]
    if not found and decision_id is not None:
        raise NotThere(f"decision {decision_id} was seat {asked[places[0]].seat}'s, not seat {seat}'s")
    return found


def _verdicts(
    record: record_pb2.GameRecord, asked: Sequence[Moment], places: Sequence[int], manner: Manner
) -> Iterator[Verdict]:
    """In order."""
    if manner.processes == 1 or len(places) < 2:
        yield from (judge(asked[place], manner.budget, manner.seed, record.seed_commitment) for place in places)
        return
    with Workers(_Judge(to_binary(record), manner), min(manner.processes, len(places))) as workers:
        yield from workers.map(places)


class _Judge:
    """What a worker process does: it has the record and finds the game's moments itself."""

    def __init__(self, record: bytes, manner: Manner) -> None:
        self._record = record
        self._manner = manner

    def __call__(self) -> Callable[[int], Verdict]:
        """Begins, in the worker."""
        record = record_pb2.GameRecord.FromString(self._record)
        asked, manner = list(moments(record)), self._manner
        return lambda place: judge(asked[place], manner.budget, manner.seed, record.seed_commitment)


def _players(record: record_pb2.GameRecord) -> tuple[Player, ...]:
    try:
        outcome = outcome_from_proto(record.outcome, CODECS[record.options.WhichOneof("game") or ""])
    except InvalidMessage as error:
        raise BadRecord(f"outcome: {error}") from error
    if len(outcome.results) != len(record.seats):
        raise BadRecord(f"the outcome has {len(outcome.results)} results, the game {len(record.seats)} seats")
    return tuple(
        Player(result.seat, seat.player_name or seat.bot_name, result.rank, result.score, result.forfeited)
        for seat, result in zip(record.seats, outcome.results, strict=True)
    )
