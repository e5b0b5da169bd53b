"""Answers that tell nothing by the time that they take."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dragonhall.bots import run_bot
from dragonhall.bots.kinds import policies_of
from dragonhall.bots.mcts.searching import SteadyPolicy
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.here import Here
from dragonhall.bots.thinking.messages import Choice, Question, Situation
from dragonhall.bots.thinking.steady import SteadySeat
from dragonhall.client import Client, Seat, asked, open_seat
from dragonhall.dragons_interest.v1 import dragons_interest_pb2
from dragonhall.rules import GAMES
from dragonhall.rules.actions import ActionList
from dragonhall.rules.dragons_interest.facts import Contract
from dragonhall.rules.dragons_interest.moves import Action, Activate, Bid, Offer, Take
from dragonhall.rules.game import legal_actions
from dragonhall.v1 import game_pb2, games_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import actions_from_proto
from tests.bots import playing
from tests.bots.serving import served
from tests.bots.test_thinking import until
from tests.cli.commands import LIMIT
from tests.rules.dragons_interest_tables import chance_of

INTEREST = games_pb2.GameOptions(dragons_interest=dragons_interest_pb2.Options())
STAND_IN = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="deep")
CODEC = CODECS["dragons_interest"]
POOR, RICH = Offer(0, "temple", 7), Offer(0, "temple", 5)
"""Seat 0 has 6 knights: to the one it can say nothing but yes."""


# ---- What is wanted


@pytest.mark.parametrize(
    ("kind", "game", "options", "wants"),
    [
        ("mcts@0.4s", "dragons_interest", {}, True),
        ("mcts@0.4s", "dragonisles", {}, True),
        ("mcts@0.4s", "dragons", {"hidden_card": True}, True),
        ("mcts@0.4s", "dragons", {}, False),
        ("mcts@400", "dragons_interest", {}, False),
    ],
)
def test_whoever_thinks_by_time_and_holds_cards_wants_a_steady_pace(
    kind: str, game: str, options: dict[str, Any], wants: bool
) -> None:
    rules = GAMES[game]
    chair = Chair(rules.make_options(options), rules.default_components(), 3, 0)
    policy = policies_of(kind)[game](chair, Random(1))
    assert isinstance(policy, SteadyPolicy)
    assert (policy.pace(None) > 0.4) == wants
    assert (0.9 * 0.2 < policy.pace(0.2) < 0.2) == wants, "the deadline is nearer"


async def test_the_pace_is_the_same_whatever_may_be_answered() -> None:
    """A game's decisions of one seat: some with one legal answer, some with an answer that is clear at once."""
    game, asked_of = GAMES["dragons_interest"], 0
    questions: list[Question] = []

    def note(question: playing.Question, _: int) -> None:
        if question.chair.seat == asked_of:
            actions = legal_actions(game, question.state, asked_of)
            view = question.state.view(asked_of)
            questions.append(Question(1, 1, view, list(question.seen), question.decision, actions))

    playing.play([policies_of("random")[game.name]] * 3, game.make_options({}), 5, note, game)
    chair = Chair(game.make_options({}), game.default_components(), 3, asked_of)
    seat = Here(policies_of("mcts@0.001s")).seat(("g", asked_of), game.name, chair)
    paces: dict[bool, set[float]] = {True: set(), False: set()}
    for question in questions:
        paces[len(question.actions) == 1].add((await seat.choose(question)).pace)
    assert paces[True] == paces[False]
    assert len(paces[True]) == 1


# ---- Holding back


class Chosen:
    """Thinks nothing, and says that it thought for so long."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice

    async def choose(self, question: Question) -> Choice:
        return self.choice

    def ponder(self, situation: Situation) -> None: ...

    def rest(self) -> None: ...

    def sit_again(self) -> None: ...

    def leave(self) -> None: ...


QUESTION = Question(1, 1, None, (), None, ActionList([]))


@pytest.mark.parametrize(("thought", "held"), [(0.0, 0.05), (0.02, 0.03), (0.05, 0.0), (0.7, 0.0)])
async def test_an_early_choice_is_held_back_for_the_rest(thought: float, held: float) -> None:
    seat = SteadySeat(Chosen(Choice(3, thought, pace=0.05)))
    begin = time.monotonic()
    choice = await seat.choose(QUESTION)
    assert choice == Choice(3, thought, pace=0.05, held=choice.held)
    assert choice.held == pytest.approx(held)
    assert time.monotonic() - begin > 0.9 * held


async def test_no_choice_is_held_back_beyond_its_deadline() -> None:
    seat = SteadySeat(Chosen(Choice(0, 0.0, pace=600.0)))
    choice = await seat.choose(replace(QUESTION, due=time.monotonic() + 0.1))
    assert 0.0 <= choice.held <= 0.1
    assert (await seat.choose(replace(QUESTION, due=time.monotonic() - 1.0))).held == 0.0


class Thinking:
    """A steady policy that thinks for as long as its seat needs."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def choose(self, view: Any, seen: Any, decision: Any, actions: ActionList) -> int:
        time.sleep(self.seconds)
        return 0

    def pace(self, time_left: float | None) -> float:
        return 0.5 if time_left is None else min(0.5, time_left)


@pytest.mark.parametrize("first", [0.0, 0.3])
@pytest.mark.parametrize(("game_id", "together"), [("g", True), ("another", False)])
async def test_how_long_a_seat_thinks_does_not_show_in_the_answer_of_the_next_one(
    first: float, game_id: str, together: bool
) -> None:
    """Both are asked at once, and one thinks after the other: of one game, the second seems to be thought about when
    the first would have been done."""
    chair = Chair(None, None, 3, 0)
    needs = iter([first, 0.0])
    here = Here({"dragons": lambda chair, rng: Thinking(next(needs))})
    seats = [here.seat(("g", 0), "dragons", chair), here.seat((game_id, 1), "dragons", chair)]
    asked_at = time.monotonic()
    question = replace(QUESTION, actions=ActionList([(None, 1)]))
    await seats[0].choose(question)
    begun = time.monotonic()
    choice = await seats[1].choose(question)
    if together:
        assert begun + choice.pace == pytest.approx(asked_at + 1.0, abs=0.1)
    else:
        assert choice.pace == 0.5


# ---- On a server


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    """Of a server on which all tiles are known."""
    async with served(tmp_path, lambda created, nonces: chance_of(3)) as connected:
        yield connected


@asynccontextmanager
async def bot(client: Client, kind: str, steady: bool = True) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = asyncio.create_task(run_bot("deep", kind, client.target, stop=stop, processes=1, steady=steady))
    try:
        yield
    finally:
        stop.set()
        await running


async def act(seat: Seat, action: Action) -> None:
    """The seat answers what it is asked."""
    decision = asked(await anext(seat.observe()))
    assert decision is not None
    await seat.submit(decision.decision_id, action=CODEC.action_to_proto(action))


async def offered(client: Client, offer: Offer) -> Seat:
    """Seat 0 of a game in which it was made this offer."""
    game_id = (await client.create_game(INTEREST, [open_seat()] * 3, settings=STAND_IN)).game.game_id
    seats = [await client.take_seat(game_id, name) for name in ("Ann", "Bob", "Cid")]
    for contract, takes in (
        (4, ((0, "castle"), (1, "harbor"), (2, "temple"))),
        (5, ((1, "castle"), (2, "arena"), (0, "temple"))),
    ):
        for seat in seats:
            await act(seat, Bid(Contract(contract)))
        for number, building in takes:
            await act(seats[number], Take(building))  # type: ignore[arg-type]
    await act(seats[1], Activate("castle"))
    await act(seats[1], offer)
    return seats[0]


async def number_of_answers(seat: Seat) -> int:
    decision = asked(await anext(seat.observe()))
    assert decision is not None
    return len(actions_from_proto(decision.legal_actions, CODEC))


async def seconds_of_the_stand_in(client: Client, seat: Seat) -> float:
    """From a player's leaving to the answer to what it was asked."""
    begin = time.monotonic()
    await seat.leave()
    async for observation in client.observe(seat.game_id, from_revision=1):
        told = {event.game.dragons_interest.WhichOneof("event") for event in observation.update.events}
        if told & {"offer_accepted", "offer_matched"}:
            break
    return time.monotonic() - begin


async def test_who_can_only_accept_takes_as_long_as_who_can_match(client: Client) -> None:
    poor, rich = await offered(client, POOR), await offered(client, RICH)
    assert await number_of_answers(poor) == 1
    assert await number_of_answers(rich) > 1
    async with bot(client, "mcts@0.4s"):
        for seat in (rich, poor):  # the second meets a bot that is ready
            assert await seconds_of_the_stand_in(client, seat) > 0.4


async def test_without_a_steady_pace_who_has_no_choice_answers_at_once(client: Client) -> None:
    poor = await offered(client, POOR)
    async with bot(client, "mcts@600s", steady=False):
        assert await seconds_of_the_stand_in(client, poor) < LIMIT


async def test_an_answer_held_back_is_dropped_when_nobody_needs_it(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dragonhall.bots")
    poor = await offered(client, POOR)
    async with bot(client, "mcts@600s"):
        await poor.leave()
        await until(lambda: "goes on in seat 0" in caplog.text)
        await asyncio.sleep(0.2)
        await poor.take_back()
        await until(lambda: "goes on with its own player" in caplog.text)
        assert await number_of_answers(poor) == 1, "it is still asked"
    said = [record for record in caplog.records if record.name.startswith("dragonhall.bots")]
    assert [record for record in said if record.levelno >= logging.WARNING] == []
