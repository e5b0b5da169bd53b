"""A class with one method is a bot: what it is given, what it may return, and what it is told when that is wrong."""

from __future__ import annotations

import doctest
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dragonhall.bots import BadChoice, Bot, Chair, InvalidPolicy, choices, load_policy, policies_of
from dragonhall.bots.choices import position_of
from dragonhall.bots.sdk import BotFactory
from dragonhall.rules import GAMES
from dragonhall.rules.actions import ActionList
from dragonhall.rules.chance import SeededChance
from dragonhall.rules.dragons.moves import Claim, Draw, Place, TurnDecision
from dragonhall.rules.dragons_interest.moves import Commit, Pass
from dragonhall.rules.game import legal_actions
from dragonhall.rules.journal import Journal
from tests.bots.playing import play
from tests.cli.commands import dragonhall, server

RULES = GAMES["dragons"]
STATE = RULES.new(RULES.default_components(), RULES.make_options({}), 3, SeededChance(bytes(32)), None)
CHAIR = Chair(RULES.make_options({}), RULES.default_components(), seats=3, seat=STATE.pending()[0])
ACTIONS = legal_actions(RULES, STATE, CHAIR.seat)
AMOUNTS = ActionList([(Pass(), 1), (Commit(3), 5000)])

README = Path(__file__).resolve().parents[2] / "bots" / "README.md"


class Noting(Bot):
    """Claims the first pile, and notes what it was given."""

    thinks_long = True

    def choose(self, view: Any, decision: Any) -> Any:
        assert (self.view, self.time_left) == (view, 2.5)
        assert isinstance(decision, TurnDecision)
        assert list(self.seen) == ["told"]
        return next(action for action in self.actions if isinstance(action, Claim))


class Own(Bot):
    def __init__(self, chair: Chair, rng: Random) -> None:
        self.plans: list[int] = []

    def choose(self, view: Any, decision: Any) -> int:
        return 0


def test_it_is_given_all_that_its_seat_knows_and_answers_with_an_action() -> None:
    policy = BotFactory(Noting)(CHAIR, Random(1))
    view = STATE.view(CHAIR.seat)
    position = policy.choose_within(view, ["told"], STATE.decision(CHAIR.seat), ACTIONS, 2.5)
    assert isinstance(ACTIONS[position], Claim)


class Sampling(Bot):
    """Looks into a world that fits what it knows, and does what comes first there."""

    def choose(self, view: Any, decision: Any) -> Any:
        assert self.rules is RULES
        world, same = self.sample(), RULES.sample(self.knowledge(), self.native_rng())
        assert world.view(self.chair.seat) == same.view(self.chair.seat) == view
        world.play_out(self.native_rng())
        return legal_actions(RULES, same, self.chair.seat)[0]


def test_what_it_knows_is_what_full_states_are_sampled_from() -> None:
    outcome = play([BotFactory(Sampling)] * 3, RULES.make_options({"hidden_card": True}), seed=1)
    assert len(outcome.results) == 3


def test_its_factory_goes_to_another_process_and_says_whether_it_thinks_long() -> None:
    factory = policies_of(Noting)["dragonisles"]
    assert pickle.loads(pickle.dumps(factory)) == factory == BotFactory(Noting)
    assert getattr(factory, "thinks_long") is True  # noqa: B009 - a factory's extra


def test_it_plays_the_games_that_it_names() -> None:
    class Some(Noting):
        games = ("dragons", "dragonisles")

    class Wrong(Noting):
        games = ("chess",)

    assert list(policies_of(Some)) == ["dragons", "dragonisles"]
    assert list(policies_of(Noting)) == list(GAMES)
    with pytest.raises(InvalidPolicy, match=r"Wrong plays 'chess', it says; there are: dragons, "):
        policies_of(Wrong)


def test_a_constructor_that_forgets_its_base_is_told_so() -> None:
    with pytest.raises(TypeError, match=r"Own.__init__ has to call super\(\).__init__\(chair, rng\)"):
        BotFactory(Own)(CHAIR, Random(1))


@pytest.mark.parametrize(
    ("choice", "actions", "position"),
    [(0, ACTIONS, 0), (Draw(), ACTIONS, 0), (Claim(2), ACTIONS, 3), (Commit(4000), AMOUNTS, 3998)],
)
def test_a_choice_is_an_action_or_its_position(choice: object, actions: ActionList, position: int) -> None:
    assert position_of(choice, actions) == position


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        (None, "choose returned None (does it return on every path?); legal: 0 Draw(), 1 Claim(pile=0)"),
        (Place(0), "choose returned Place(pile=0), which is not legal here; legal: 0 Draw()"),
        (Claim(7), "choose returned Claim(pile=7), which is not legal here; legal: 0 Draw()"),
        (4, "choose returned 4, which is no position in self.actions; legal: 0 Draw()"),
        (-1, "choose returned -1, which is no position in self.actions"),
        (True, "choose returned True, which is no position in self.actions"),
        (1.0, "choose returned 1.0, which is not legal here"),
        (Draw, "which is a class: make an action of it"),
        ("x" * 5000, "x…, which is not legal here"),
    ],
)
def test_a_wrong_choice_is_told_what_is_legal(choice: object, says: str) -> None:
    with pytest.raises(BadChoice) as refused:
        position_of(choice, ACTIONS)
    assert says in str(refused.value)


@pytest.mark.parametrize("choice", [Commit(2), Commit(5003), Commit("4")])  # type: ignore[arg-type]
def test_of_thousands_of_amounts_the_least_and_the_most_are_told(choice: Commit) -> None:
    with pytest.raises(BadChoice, match=re.escape("legal: 0 Pass(), 1 Commit(amount=3) to 5000 Commit(amount=5002)")):
        position_of(choice, AMOUNTS)


def test_of_many_actions_the_first_are_told() -> None:
    with pytest.raises(BadChoice, match=r"11 Claim\(pile=11\), and 28 more"):
        position_of(None, ActionList((Claim(pile), 1) for pile in range(40)))


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(choices) == (0, 5)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("class Mine(Bot):\n    def pick(self): ...", r"has to have a method choose\(self, view, decision\)"),
        (
            "class Mine(Bot):\n    def choose(self, view, seen, decision, actions): ...",
            r"is no bot: it has to have a method choose\(self, view, decision\)",
        ),
        ("class Mine(Bot):\n    def __init__(self): ...\n    def choose(self, view, decision): ...", "it has to take"),
    ],
)
def test_what_is_no_bot_is_said(tmp_path: Path, code: str, says: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"from dragonhall.bots import Bot\n{code}", encoding="utf-8")
    with pytest.raises(InvalidPolicy, match=says):
        load_policy(f"{path}:Mine")


def test_a_wrong_action_ends_a_match_with_what_would_have_been_legal(tmp_path: Path) -> None:
    bot = "from dragonhall.bots import Bot\nclass Mine(Bot):\n    def choose(self, view, decision): return 'draw'\n"
    (tmp_path / "mine.py").write_text(bot, encoding="utf-8")
    done = dragonhall("match", "dragons", "--seats", "mine,mine,mine", "--bot", "mine=mine.py:Mine", cwd=tmp_path)
    assert done.returncode == 4
    assert "choose returned 'draw', which is not legal here; legal: 0 Draw(), 1 Claim(pile=" in done.stderr


TIMED = """
from dragonhall.bots import Bot
class Mine(Bot):
    def choose(self, view, decision):
        if self.time_left is None or not 0 < self.time_left <= 9:
            raise ValueError(f"time left: {self.time_left}")
        return 0
"""


def test_with_a_clock_it_is_told_how_much_time_is_left(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TIMED, encoding="utf-8")
    line_up = ("--seats", "mine,mine,mine", "--bot", "mine=mine.py:Mine")
    timed = dragonhall("match", "dragons", *line_up, "--time-per-decision", "9", cwd=tmp_path)
    assert timed.returncode == 0, timed.stderr
    untimed = dragonhall("match", "dragons", *line_up, cwd=tmp_path)
    assert untimed.returncode == 4
    assert "ValueError: time left: None" in untimed.stderr


def test_the_readmes_file_is_a_program_that_serves_its_bot(tmp_path: Path, program: Callable[[str], str]) -> None:
    path = tmp_path / "tortoise.py"
    path.write_text(program("tortoise.py"), encoding="utf-8")
    with server(tmp_path / "hall.db") as (_, target):
        told = {"DRAGONHALL_TARGET": target, "DRAGONHALL_NAME": "slow"}
        bot = subprocess.Popen([sys.executable, path], env={**os.environ, **told}, stdout=subprocess.PIPE, text=True)
        with bot:
            try:
                assert bot.stdout is not None
                assert bot.stdout.readline() == f"dragonhall-bot: slow (Tortoise) watching {target}\n"
                line_up = ("--seats", "slow,slow,random", "--bot", "random=random", "--start-bots")
                done = dragonhall("match", "dragons", *line_up, "--connect", target, "--timeout", "20")
                assert done.returncode in (0, 2), done.stderr
            finally:
                bot.terminate()
        assert bot.returncode == 0


@pytest.mark.parametrize("name", GAMES)
def test_the_readmes_bot_looks_ahead_in_worlds_of_every_game(name: str, program: Callable[[str], str]) -> None:
    written: dict[str, Any] = {}
    exec(program("flat.py"), written)
    game = GAMES[name]
    state = game.new(game.default_components(), game.make_options({}), 3, SeededChance(bytes(32)), journal := Journal())
    seat = state.pending()[0]
    chair = Chair(game.make_options({}), game.default_components(), seats=3, seat=seat)
    seen = [entry.event for entry in journal.entries if entry.is_for(seat)]
    actions = legal_actions(game, state, seat)
    about = state.view(seat), seen, state.decision(seat), actions
    chosen = [BotFactory(written["Flat"])(chair, Random(seed)).choose(*about) for seed in (1, 1, 2, 3)]
    assert chosen[0] == chosen[1]
    assert all(position in range(len(actions)) for position in chosen)


@pytest.mark.parametrize(("told", "target"), [("games.example:1", "games.example:1"), ("", "127.0.0.1:7350")])
def test_it_plays_where_it_is_told_to_or_where_servers_usually_are(
    told: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    async def note(name: str, bot: type[Bot], target: str, **options: Any) -> None:
        played.append((name, target))

    monkeypatch.setenv("DRAGONHALL_TARGET", told)
    monkeypatch.delenv("DRAGONHALL_NAME", raising=False)
    monkeypatch.setattr("dragonhall.bots.runner.run_bot", note)
    Noting.serve()
    assert played == [("noting", target)]


@pytest.fixture
def program() -> Callable[[str], str]:
    def text(name: str) -> str:
        found = re.search(rf"<!-- test: {name} -->\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        assert found, f"the README has no {name}"
        return found[1]

    return text
