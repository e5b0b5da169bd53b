"""A policy of one's own, from a file or a package, is played like any other; what is none is said in one line."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from pathlib import Path

import pytest

from dragonhall.bots import BOT_KINDS, InvalidPolicy, load_policy, run_bot
from dragonhall.bots.greedy.dragons import GreedyDragons
from dragonhall.client import Client, bot_seat
from dragonhall.server import Server, ServerConfig
from tests.cli.commands import LIMIT, dragonhall, running, server
from tests.client.games import DRAGONS

README = Path(__file__).resolve().parents[2] / "bots" / "README.md"

POLICY = """
from helper import first
class Base:
    def __init__(self, chair, rng): pass
class Bot(Base):
    def choose(self, view, seen, decision, actions): return first(actions)
class Careless:
    def __init__(self, chair, rng): pass
class Narrow:
    def choose(self, view, seen, decision, actions): return 0
number = 3
def make(chair, rng): return Bot(chair, rng)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "helper.py").write_text("def first(actions): return 0", encoding="utf-8")
    (tmp_path / "mine.py").write_text(POLICY, encoding="utf-8")
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_readmes_bot_plays_matches(tmp_path: Path) -> None:
    found = re.search(r"<!-- test: tortoise.py -->\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found, "the README has no tortoise.py"
    (tmp_path / "tortoise.py").write_text(found[1], encoding="utf-8")
    place, key = f"{tmp_path / 'tortoise.py'}:Tortoise", tmp_path / "key"
    with server(tmp_path / "hall.db") as (_, target):
        arguments = ("--name", "tortoise", "--identity", key, "--seed", "slow", "--connect", target)
        with running("bot", place, *arguments) as bot, running("bot", "random", "--connect", target):
            assert bot.wait_for("dragonhall-bot: ") == f"tortoise ({place}) watching {target}"
            line_up = ("--seats", "tortoise,random,random", "--games", "6")
            done = dragonhall("match", "dragons", *line_up, "--connect", target)
            assert done.returncode == 0, done.stderr
            assert bot.process.poll() is None
    assert re.search(r"^tortoise +6 ", done.stdout, re.MULTILINE)
    assert key.exists()


def test_a_match_starts_bots_of_ones_own_beside_the_known_kinds(folder: Path) -> None:
    bots = ("--bot", "mine=mine.py:Bot", "--bot", "greedy-2=greedy")
    line_up = ("--seats", "mine,greedy-2,random", "--seed", "5")
    done = dragonhall("match", "dragons", *line_up, *bots, "--games", "3", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^mine +3 ", done.stdout, re.MULTILINE)
    bot_seed = f"{5:064x}"  # the match's own, which it hands to its bots
    with (
        server(folder / "hall.db") as (_, target),
        running("bot", "random", "--seed", bot_seed, "--connect", target),
    ):
        there = dragonhall("match", "dragons", *line_up, *bots, "--games", "3", "--connect", target, cwd=folder)
    assert there.stdout == done.stdout, "the bots that are named are started, the others are there"


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--bot", "mine=mine.py:Nothing"], "there is no Nothing in mine.py"),
        (["--bot", "mine=brave"], "there is no kind of bot called 'brave'"),
        (["--bot", "Mine=mine.py:Mine"], "is not NAME=KIND"),
        (["--bot", "mine"], "is not NAME=KIND"),
        (["--bot", "mine=random", "--bot", "mine=greedy"], "mine is given twice"),
        (["--bot", "mine=random", "--bot", "other=random"], "other has no seat in --seats"),
        ([], "--bot NAME=FILE.py:CLASS gives a policy of your own a name"),
    ],
)
def test_a_wrong_bot_of_a_match_is_refused_before_anything_starts(
    folder: Path, arguments: list[str], refusal: str
) -> None:
    done = dragonhall("match", "dragons", "--seats", "mine,random,random", *arguments, cwd=folder)
    assert done.returncode == 2
    assert refusal in " ".join(re.sub("[│╭╮╰╯─]", " ", done.stderr).split())


def test_the_files_that_the_readme_links_to_exist() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["Bot", "make"])
def test_a_file_may_import_what_lies_next_to_it(folder: Path, name: str) -> None:
    assert load_policy(f"{folder / 'mine.py'}:{name}").__name__ == name


def test_a_modules_class_is_found_by_its_name() -> None:
    assert load_policy("dragonhall.bots.greedy.dragons:GreedyDragons") is GreedyDragons


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("none.py:Bot", "there is no file none.py"),
        ("mine.py:Boot", "there is no Boot in mine.py; there is: Bot, Narrow"),
        ("mine.py:", "is neither FILE.py:CLASS nor package.module:CLASS"),
        ("mine.py:number", r"makes no policy: it has to take \(chair, rng\)"),
        ("mine.py:Narrow", r"makes no policy: it has to take \(chair, rng\)"),
        ("mine.py:Careless", r"has to have a method choose\(self, view, seen, decision, actions\)"),
        ("nowhere.mine:Bot", "there is no module nowhere.mine, neither installed nor in the working directory"),
        ("folder/mine:Bot", "is neither a file FILE.py nor a module's name"),
        ("broken.py:Bot", r"importing broken.py failed: NameError: name 'x' is not defined \(.*broken.py, line 2\)"),
        ("leaves.py:Bot", "importing leaves.py failed: SystemExit: 3"),
        ("slip.py:Bot", r"importing slip.py failed: SyntaxError: .*\(slip.py, line 1\)"),
        ("lacking.py:Bot", "importing lacking.py failed: ModuleNotFoundError: No module named 'absent_package'"),
        ("lacking:Bot", "importing lacking failed: ModuleNotFoundError: No module named 'absent_package'"),
    ],
)
def test_what_is_no_policy_is_said(folder: Path, place: str, says: str) -> None:
    for name, content in {
        "broken": "a = 1\nx",
        "leaves": "raise SystemExit(3)",
        "slip": "def",
        "lacking": "import absent_package",
    }.items():
        (folder / f"{name}.py").write_text(content, encoding="utf-8")
    with pytest.raises(InvalidPolicy, match=says):
        load_policy(place)


def test_the_command_says_so_with_exit_code_2(folder: Path) -> None:
    done = dragonhall("bot", "mine.py:Boot", "--name", "mine", cwd=folder)
    assert (done.returncode, done.stderr) == (2, "dragonhall: there is no Boot in mine.py; there is: Bot, Narrow\n")
    nameless = dragonhall("bot", "mine.py:Bot", cwd=folder)
    assert nameless.returncode == 2
    assert "needs a name" in nameless.stderr


@pytest.mark.parametrize("choice", ["actions[0]", "-1", "len(actions)"])
def test_a_policy_that_chooses_no_position_is_told_so_and_the_match_can_be_ended(folder: Path, choice: str) -> None:
    policy = POLICY.replace("return first(actions)", f"return {choice}")
    (folder / "mine.py").write_text(policy, encoding="utf-8")
    with (
        server(folder / "hall.db") as (_, target),
        running("bot", "mine.py:Bot", "-c", target, "--name", "mine") as bot,
    ):
        bot.wait_for("dragonhall-bot: ")
        done = dragonhall("match", "dragons", "--seats", "mine,mine,mine", "--timeout", "2", "--connect", target)
        bot.end(signal.SIGTERM)
    assert done.returncode == 1
    assert "it waited for 'mine' for 2 s" in done.stderr
    assert "BadChoice: the policy chose " in bot.output
    assert "it has to choose a position from 0 to " in bot.output


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('the sheep are out')", "ValueError: the sheep are out"),
        ("return actions[0]", "BadChoice: the policy chose "),
    ],
)
def test_a_match_ends_by_itself_with_the_traceback_of_a_policy_that_fails(folder: Path, body: str, says: str) -> None:
    (folder / "mine.py").write_text(POLICY.replace("return first(actions)", body), encoding="utf-8")
    done = dragonhall("match", "dragons", "--seats", "mine,mine,mine", "--bot", "mine=mine.py:Bot", cwd=folder)
    assert done.returncode == 4
    assert "dragonhall: the bot mine ended with exit code 4:\n" in done.stderr
    assert "is given up for a fault of the bot" in done.stderr
    assert "Traceback (most recent call last):" in done.stderr
    assert says in done.stderr


async def test_a_bot_says_once_that_it_does_not_play_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(BOT_KINDS, "dragons", {})  # as of a kind that a game does not have
    hall, stop = Server(ServerConfig(listen="127.0.0.1:0", store=tmp_path / "hall.db")), asyncio.Event()
    port = await hall.start()
    async with Client(f"127.0.0.1:{port}") as client:
        bot = asyncio.create_task(run_bot("rex", "random", client.target, stop=stop))
        games = []
        for _ in range(2):
            created = await client.create_game(DRAGONS, [bot_seat(name) for name in ("rex", "rex", "dex")])
            games.append(created.game.game_id)
            await _logged(caplog, games[-1])
            await client.take_seat(games[-1], "dex", seat=2, bot_name="dex")  # the lobby shows the game again
        stop.set()
        await bot
    await hall.stop()
    for game in games:
        [said] = [text for text in caplog.messages if game in text]
        assert said == (
            f"game {game}: its seats stay empty, for it is dragons, and random plays: dragonisles, dragons_interest"
        )


async def _logged(caplog: pytest.LogCaptureFixture, text: str) -> None:
    async with asyncio.timeout(LIMIT):
        while text not in caplog.text:  # noqa: ASYNC110 - a log has no event
            await asyncio.sleep(0.02)
