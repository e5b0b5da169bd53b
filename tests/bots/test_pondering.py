"""Bots that think while others are asked: what they gain, what stops them, and that nobody waits for it."""

from __future__ import annotations

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dragonhall.bots import run_bot
from dragonhall.bots.kinds import policies_of
from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.mcts.searching import Effort
from dragonhall.bots.mcts.think import Mind
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.choosing import CannotThink
from dragonhall.bots.thinking.inbox import Inbox
from dragonhall.bots.thinking.messages import Answer, Ask, Leave, News, Ponder, Question, Rest, Seating, Situation
from dragonhall.bots.thinking.pool import Pool
from dragonhall.bots.thinking.process import WorkerProcess
from dragonhall.bots.thinking.recipes import packed
from dragonhall.bots.thinking.worker import Worker
from dragonhall.client import Client, asked, bot_seat, open_seat
from dragonhall.rules import GAMES
from dragonhall.rules.actions import ActionList
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.game import Knowledge, legal_actions
from dragonhall.rules.table import Table
from tests.bots.serving import served
from tests.cli.commands import LIMIT, children_of
from tests.client.games import DRAGONS


@dataclass
class Course:
    """A game as seat 0 knows it: what it is asked, and what it sees in between. Its players mostly take the first thing
    that is legal, which makes games long."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 1
    steps: list[Question | Situation] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        game, options = GAMES[self.game], GAMES[self.game].make_options(self.options)
        self.chair = Chair(options, game.default_components(), 3, 0)
        table = Table(game, self.chair.components, options, 3, SeededChance(self.seed.to_bytes(32)))
        rng, seen = Random(self.seed), []
        step = table.start()
        while True:
            seen += [entry.event for entry in step.entries if entry.is_for(0)]
            if table.state.is_over():
                return
            view = table.state.view(0)
            own = [ticket for ticket in table.tickets.values() if ticket.seat == 0]
            if own:
                number, legal = len(self.steps) + 1, legal_actions(game, table.state, 0)
                self.steps.append(Question(number, number, view, list(seen), own[0].decision, legal))
            else:
                self.steps.append(Situation(view, list(seen)))
            ticket = rng.choice(list(table.tickets.values()))
            runs = table.state.legal_runs(ticket.seat)
            run = runs[0] if rng.random() < 0.8 else rng.choice(runs)
            step = table.answer(ticket.seat, ticket.decision_id, run.first)

    def round(self) -> tuple[Question, Situation, Question]:
        """A question with a choice, what comes after it, and the next such question."""
        asked = [place for place, step in enumerate(self.steps) if isinstance(step, Question) and len(step.actions) > 1]
        for first, second in pairwise(asked):
            steps = self.steps[first], self.steps[first + 1], self.steps[second]
            if isinstance(steps[1], Situation):
                return steps  # type: ignore[return-value]
        raise AssertionError("seat 0 is never asked twice")


# ---- The search


@pytest.mark.parametrize(
    ("game", "options"), [("dragons", {}), ("dragons", {"hidden_card": True}), ("dragons_interest", {})]
)
def test_a_search_can_begin_wherever_others_are_asked(game: str, options: dict[str, Any]) -> None:
    course = Course(game, options)
    policy = policies_of("mcts@1s")[game](course.chair, Random(1))
    assert isinstance(policy, MctsPolicy)
    situations = [step for step in course.steps if isinstance(step, Situation)]
    assert len(situations) > 20
    for situation in situations:
        pondering = policy.ponder(situation.view, situation.seen)
        assert pondering is not None
        for _ in range(3):
            pondering.go_on()
        assert pondering.simulations >= 3


@pytest.mark.parametrize("game", ["dragons", "dragons_interest"])
def test_what_was_pondered_is_known_when_the_question_comes(game: str) -> None:
    """Of all rounds of a game together: in some of them others do what was thought of."""
    course = Course(game)
    known = {False: 0, True: 0}
    for ponders in known:
        for before, question in pairwise(course.steps):
            if isinstance(before, Situation) and isinstance(question, Question) and len(question.actions) > 1:
                known[ponders] += _visits_known(course, before if ponders else None, question)
    assert known[False] == 0
    assert known[True] > 0


def _visits_known(course: Course, before: Situation | None, question: Question) -> int:
    """Visits of the question's actions before its search, by a policy that pondered 20 simulations or none."""
    policy = policies_of("mcts@60s")[course.game](course.chair, Random(1))
    assert isinstance(policy, MctsPolicy)
    pondering = policy.ponder(before.view, before.seen) if before is not None else None
    while pondering is not None and pondering.simulations < 20:
        pondering.go_on()
    about = (question.view, question.seen, question.decision, question.actions)
    findings = policy.search(*about, Effort(0.001))
    assert findings is not None
    return sum(line.visits for line in findings.thoughts.lines) - findings.thoughts.simulations


@pytest.mark.parametrize(("kind", "game"), [("mcts@100", "dragons"), ("mcts@1s", "dragonisles")])
def test_where_it_does_not_pay_nothing_is_pondered(kind: str, game: str) -> None:
    course = Course(game)
    _, situation, _ = course.round()
    policy = policies_of(kind)[game](course.chair, Random(1))
    assert isinstance(policy, MctsPolicy)
    assert policy.ponder(situation.view, situation.seen) is None


def test_pondering_comes_to_an_end_by_itself() -> None:
    course = Course("dragons")
    _, situation, _ = course.round()
    policy = policies_of("mcts@0.01s")["dragons"](course.chair, Random(1))
    assert isinstance(policy, MctsPolicy)
    pondering = policy.ponder(situation.view, situation.seen)
    assert pondering is not None
    begin = time.perf_counter()
    while pondering.go_on():
        assert time.perf_counter() - begin < LIMIT
    assert time.perf_counter() - begin >= 0.05


@pytest.mark.parametrize("most_kept", [60, 61, 62])
def test_pondering_to_the_limit_of_what_is_kept_loses_nothing(most_kept: int) -> None:
    """Were there a node more than is kept, the next question, or the next event, would begin with an empty tree."""
    course = Course("dragons")
    question, situation, _ = course.round()
    knowledge = [
        Knowledge(course.chair.components, course.chair.options, 0, step.view, step.seen)
        for step in (question, situation)
    ]
    mind = Mind(METHODS["dragons"], keeps_tree=True, most_kept=most_kept)
    mind.study(knowledge[0]).think(1, Budget(simulations=10))
    kept = len(mind._tree.keys)
    for _ in range(2):
        pondering = mind.ponder(knowledge[1], 1, seconds=60.0)
        while pondering.go_on():
            pass
        assert pondering.simulations > 0 or len(mind._tree.keys) == int(most_kept * 0.75)
    assert kept < len(mind._tree.keys) <= most_kept
    known = len(mind._tree.keys)
    mind.study(knowledge[0])
    assert len(mind._tree.keys) == known


# ---- A worker


@dataclass
class Desk:
    """A worker of this process, that is handed messages one by one."""

    course: Course
    inbox: Inbox = field(default_factory=Inbox)
    told: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.worker = Worker(self.inbox, self.told.append)

    def ask(self, place: tuple[str, int], question: Question, new: bool = True) -> Answer:
        seating = Seating(packed("mcts@0.05s", self.course.game), self.course.chair) if new else None
        self.worker._answer(Ask(len(self.told), place, question, seating=seating), None)
        (answer,) = [message for message in self.told[-1:] if isinstance(message, Answer)]
        return answer

    def note(self, message: News) -> None:
        self.worker._note(message)

    @property
    def awake(self) -> list[tuple[str, int]]:
        return list(self.worker._pondering)


def _after(question: Question, situation: Situation, place: tuple[str, int]) -> Ponder:
    return Ponder(place, replace(situation, seen=situation.seen[len(question.seen) :]))


def _since(situation: Situation, question: Question) -> Question:
    return replace(question, seen=question.seen[len(situation.seen) :])


def test_seats_ponder_in_turn_until_something_else_comes() -> None:
    course = Course("dragons")
    question, situation, then = course.round()
    desk = Desk(course)
    places = [(f"g{number}", 0) for number in range(3)]
    for place in places:
        assert desk.ask(place, question).choice.pondered == 0
        desk.note(_after(question, situation, place))
    for _ in range(6):
        desk.worker._ponder()
    pondered = [desk.worker._seated[place]._pondered for place in places]
    assert min(pondered) >= 2
    desk.note(Rest(places[0]))
    desk.note(Leave(places[1]))
    assert desk.awake == [places[2]]
    assert desk.ask(places[2], _since(situation, then), new=False).choice.pondered == pondered[2]
    assert desk.awake == []


def test_only_seats_that_keep_what_they_find_ponder() -> None:
    course = Course("dragons")
    question, situation, _ = course.round()
    desk = Desk(course)
    places = [(f"g{number}", 0) for number in range(6)]
    for place in places:
        desk.ask(place, question)
        desk.note(_after(question, situation, place))
        desk.worker._ponder()
    assert sorted(desk.awake) == places[2:]
    desk.note(Ponder(places[0], replace(situation, seen=())))
    assert sorted(desk.awake) == places[2:]


def test_a_fault_while_nobody_asked_gives_nothing_up(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    course = Course("dragons")
    question, situation, then = course.round()
    desk, place = Desk(course), ("g", 0)
    desk.ask(place, question)
    desk.note(_after(question, replace(situation, view=None), place))
    desk.worker._seated[place]._view = "no view"
    desk.worker._ponder()
    assert "Traceback" in capfd.readouterr().err
    assert desk.awake == []
    assert desk.ask(place, _since(situation, then), new=False).choice.position in range(len(then.actions))


# ---- Worker processes


async def test_a_worker_that_ponders_answers_at_once() -> None:
    course = Course("dragons")
    question, situation, then = course.round()
    async with Pool("mcts@600s", 1, ponders=True) as pool, asyncio.timeout(LIMIT):
        ponders, other = (pool.seat((name, 0), "dragons", course.chair) for name in "ab")
        await ponders.choose(replace(question, due=time.monotonic() + 0.1))
        ponders.ponder(situation)
        await asyncio.sleep(1.0)
        assert (await other.choose(replace(question, due=time.monotonic() + 0.1))).pondered == 0
        assert (await ponders.choose(replace(then, due=time.monotonic() + 0.1))).pondered > 0
    assert children_of(os.getpid()) == []


async def test_what_does_not_hold_any_more_is_not_pondered(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    tell = WorkerProcess.tell

    def noting(worker: WorkerProcess, message: News) -> None:
        told.append(message)
        tell(worker, message)

    monkeypatch.setattr(WorkerProcess, "tell", noting)
    course = Course("dragons")
    question, situation, _ = course.round()
    async with Pool("mcts@600s", 1, ponders=True) as pool, asyncio.timeout(LIMIT):
        seat = pool.seat(("g", 0), "dragons", course.chair)
        seat.ponder(situation)  # it was asked nothing yet
        assert told == []
        await seat.choose(replace(question, due=time.monotonic() + 0.1))
        dropped = asyncio.create_task(seat.choose(replace(question, due=time.monotonic() + 60.0)))
        await asyncio.sleep(0.1)
        dropped.cancel()
        seat.ponder(situation)  # whether it has read the question, nobody knows
        await asyncio.gather(dropped, return_exceptions=True)
        assert Rest(("g", 0)) in told
        assert not any(isinstance(message, Ponder) for message in told)
        await seat.choose(replace(question, due=time.monotonic() + 0.1))
        seat.ponder(situation)
        seat.sit_again()  # as after an answer was taken back
        assert [type(message) for message in told[-2:]] == [Ponder, Rest]
        assert (await seat.choose(replace(question, due=time.monotonic() + 0.1))).pondered == 0


async def test_workers_that_are_not_needed_for_a_question_stop_pondering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question with one answer is put to one worker: the others would go on with what is over."""
    told: list[object] = []
    monkeypatch.setattr(WorkerProcess, "tell", lambda _, message: told.append(message))
    course = Course("dragons")
    question, situation, then = course.round()
    async with Pool("mcts@0.05s", 2, 2, ponders=True) as pool, asyncio.timeout(LIMIT):
        seat = pool.seat(("g", 0), "dragons", course.chair)
        await seat.choose(question)
        seat.ponder(situation)
        assert [type(message) for message in told] == [Ponder, Ponder]
        told.clear()
        await seat.choose(replace(then, actions=ActionList(then.actions.entries[:1])))
        assert [type(message) for message in told if isinstance(message, Rest | Ponder)] == [Rest]


# ---- Bots


@pytest.mark.parametrize(
    ("kind", "processes", "says"),
    [
        ("mcts@100", 1, "does not think while others are asked; give it seconds"),
        ("greedy", 1, "only bots that search can think while others are asked"),
        ("mcts", 0, "without worker processes"),
    ],
)
async def test_who_cannot_ponder_says_so(kind: str, processes: int, says: str) -> None:
    with pytest.raises(CannotThink, match=says):
        await run_bot("deep", kind, "127.0.0.1:1", processes=processes, ponder=True)


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with served(tmp_path) as connected:
        yield connected


@asynccontextmanager
async def bot(client: Client, ponder: bool) -> AsyncIterator[None]:
    stop = asyncio.Event()
    playing = run_bot("deep", "mcts@0.02s", client.target, stop=stop, processes=1, ponder=ponder)
    running = asyncio.create_task(playing)
    try:
        yield
    finally:
        stop.set()
        await running


@pytest.mark.parametrize("ponder", [False, True])
async def test_a_bot_ponders_only_if_it_is_told_to(
    client: Client, ponder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pondered: dict[str, list[int]] = defaultdict(list)
    ask = WorkerProcess.ask

    async def noting(worker: WorkerProcess, asked: Ask) -> Any:
        choice = await ask(worker, asked)
        pondered[asked.place[0]].append(choice.pondered)
        return choice

    monkeypatch.setattr(WorkerProcess, "ask", noting)
    created = await client.create_game(DRAGONS, [bot_seat("deep"), open_seat(), open_seat()])
    async with bot(client, ponder):
        seats = [await client.take_seat(created.game.game_id, name) for name in ("Ann", "Bob")]
        while len(pondered[created.game.game_id]) < 4:
            for seat in seats:
                decision = asked(await anext(seat.observe()))
                if decision is not None:
                    await asyncio.sleep(0.05)
                    await seat.submit(decision.decision_id, action_index=0)
            await asyncio.sleep(0.01)
        await client.abort_game(created.game.game_id, created.host_token)
    assert (sum(pondered[created.game.game_id]) > 0) == ponder
    assert children_of(os.getpid()) == []
