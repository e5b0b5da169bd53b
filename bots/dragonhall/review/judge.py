"""One decision, judged: what the search would have played from what the seat knew, and what the answer has cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random
from typing import Final

from dragonhall.bots.identity import decision_seed
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.levels import ADVISORS
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.think import Method, Study
from dragonhall.bots.mcts.thoughts import Line, Thoughts
from dragonhall.bots.mcts.tree import Tree
from dragonhall.review.duel import duel
from dragonhall.review.moments import Moment
from dragonhall.rules.actions import code_at
from dragonhall.v1 import record_pb2

SURE: Final = 2.576
"""Standard errors that a loss has to be above nothing: chance alone brings one decision in 200 there."""
LEAST_LOSS: Final = 0.01
"""Ranks: less is no loss, however sure."""
_KEPT: Final = 8
"""Lines that are told of a decision, beside the one that was played."""
_CHOSEN: Final = (
    record_pb2.ANSWERED_BY_UNSPECIFIED,
    record_pb2.ANSWERED_BY_SEAT,
    record_pb2.ANSWERED_BY_SUBSTITUTE,
)
"""Who has thought about an answer, or could have."""


@dataclass(frozen=True)
class Option:
    """One action, as the search saw it."""

    words: str
    visits: int
    """Simulations that took it."""
    prior: float
    """How promising it had looked: its share, 0 to 1."""
    expected_rank: float
    """1 to the number of seats; NaN without visits."""
    rank_error: float
    """Its standard error; NaN below two visits."""
    win: float
    """The share of the win that it is expected to bring, 0 to 1; NaN without visits."""
    is_played: bool


@dataclass(frozen=True)
class Verdict:
    """What was found out about one decision, with what its seat knew then."""

    decision_id: int
    seat: int
    asked: str
    legal: int
    """How many actions were."""
    played: str
    by: record_pb2.AnsweredBy.ValueType
    best: str
    """What the search would have played."""
    agrees: bool
    """Whether that is the same."""
    expected_rank: float
    """With that: 1 to the number of seats."""
    win: float
    """The share of the win that the seat could expect, 0 to 1."""
    loss: float
    """By how much the answer made the expected rank worse. 0 if it was the search's choice; below 0 it was better."""
    error: float
    """The loss's standard error; 0 if it was the search's choice."""
    options: tuple[Option, ...]
    """What was considered, the most visited first; what was played is always among them."""
    simulations: int
    taken_back: tuple[str, ...] = field(default=())
    """What the seat had answered first and then taken back."""

    @property
    def is_chosen(self) -> bool:
        """Whether somebody chose: else the default action was played for a seat that did not answer."""
        return self.by in _CHOSEN

    @property
    def is_loss(self) -> bool:
        """Whether the loss is beyond the noise, and of any account."""
        return self.loss > SURE * self.error and self.loss >= LEAST_LOSS


def judge(moment: Moment, budget: Budget, seed: str, commitment: bytes) -> Verdict:
    """Thinks about a decision with more than one answer as the MCTS bot would, and about the answer that was given.

    Where they differ, as much again is spent on what the difference is worth (`duel`). All luck comes from ``seed``,
    the game's seed ``commitment`` and the decision.
    """
    method = METHODS[moment.game.name]
    rng = Random(decision_seed(seed, commitment, moment.seat, moment.decision_id))
    thoughts = _think(moment, method, budget, rng)
    loss, error = 0.0, 0.0
    if thoughts.choice != moment.played:
        found = duel(method, moment.knowledge, thoughts.choice, moment.played, rng.getrandbits(60), budget)
        loss, error = found.mean, found.error
    best = thoughts.lines[0]
    return Verdict(
        decision_id=moment.decision_id,
        seat=moment.seat,
        asked=moment.asked,
        legal=len(moment.actions),
        played=moment.words(moment.played),
        by=moment.by,
        best=moment.words(thoughts.choice),
        agrees=thoughts.choice == moment.played,
        expected_rank=best.expected_rank,
        win=_win(best, method, moment),
        loss=loss,
        error=error,
        options=tuple(_option(line, method, moment) for line in _told(thoughts, moment.played)),
        simulations=thoughts.simulations,
        taken_back=moment.taken_back,
    )


def _think(moment: Moment, method: Method, budget: Budget, rng: Random) -> Thoughts:
    """As `MctsPolicy` does, with the answer that was given among the candidates in any case."""
    knowledge = moment.knowledge
    advisor = ADVISORS[moment.game.name](moment.chair, rng)
    advised = advisor.choose(knowledge.view, knowledge.events, moment.decision, moment.actions)
    study = Study(method, knowledge, Tree())
    return study.think(rng.getrandbits(62), budget, also=sorted({code_at(study.runs, advised), moment.played}))


def _told(thoughts: Thoughts, played: int) -> list[Line]:
    """The lines that are worth telling: those that were tried most, and the one that was played."""
    tried = [line for line in thoughts.lines if line.visits][:_KEPT]
    return tried if any(line.code == played for line in tried) else [*tried, *_only(thoughts, played)]


def _only(thoughts: Thoughts, code: int) -> list[Line]:
    return [line for line in thoughts.lines if line.code == code]


def _option(line: Line, method: Method, moment: Moment) -> Option:
    return Option(
        words=moment.words(line.code),
        visits=line.visits,
        prior=line.prior,
        expected_rank=line.expected_rank,
        rank_error=line.rank_error,
        win=_win(line, method, moment),
        is_played=line.code == moment.played,
    )


def _win(line: Line, method: Method, moment: Moment) -> float:
    if not line.visits:
        return math.nan
    return method.win_expectation(line.utility, line.expected_rank, moment.chair.seats)
