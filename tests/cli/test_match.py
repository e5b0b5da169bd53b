"""``dragonhall match`` and ``dragonhall verify``, end to end: real server, real bot processes, real files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dragonhall.wire.records import read_record, to_binary, to_json
from tests.cli.commands import Done, dragonhall

SEED = "0" * 63 + "1"


@dataclass(frozen=True)
class Match:
    done: Done
    result: Any
    record: Path


def _match(folder: Path, name: str, *arguments: str) -> Match:
    record = folder / name
    done = dragonhall("match", "dragons", *arguments, "--record", record, "--json")
    assert done.returncode == 0, done.stderr
    return Match(done, json.loads(done.stdout), record)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matches")


@pytest.fixture(scope="module")
def first(folder: Path) -> Match:
    return _match(folder, "first.json", "--seats", "greedy,random,random,random", "--seed", SEED)


@pytest.fixture(scope="module")
def again(folder: Path) -> Match:
    return _match(folder, "again.json", "--seats", "greedy,random,random,random", "--seed", "1")


def _without_ids_and_times(record: Path) -> str:
    text = record.read_text(encoding="utf-8")
    return re.sub(r'"(gameId|time|createTime|startTime|endTime)": "[^"]*"', r'"\1": ""', text)


def test_the_same_seed_gives_the_same_record_apart_from_ids_and_times(first: Match, again: Match) -> None:
    assert first.result["games"][0]["gameId"] != again.result["games"][0]["gameId"]
    assert _without_ids_and_times(first.record) == _without_ids_and_times(again.record)


def test_the_same_seed_gives_the_same_result(first: Match, again: Match) -> None:
    for match in (first, again):
        match.result["games"][0].pop("gameId")
    assert first.result == again.result


def test_the_result_says_who_won_from_which_seed(first: Match) -> None:
    assert first.result["seed"] == SEED
    [game] = first.result["games"]
    assert [seat["bot"] for seat in game["seats"]] == ["greedy", "random", "random", "random"]
    assert min(seat["rank"] for seat in game["seats"]) == 1
    assert game["seats"][0]["breakdown"].keys() >= {"cows", "sheep"}


def test_its_record_is_good(first: Match) -> None:
    done = dragonhall("verify", first.record)
    assert done.returncode == 0
    assert re.search(r"good \(dragons, 4 seats, \d+ decisions replayed, 2 outcomes of chance derived\)", done.stdout)


def test_verify_reads_binary_records_and_stdin(first: Match, folder: Path) -> None:
    content = to_binary(read_record(first.record.read_bytes()))
    (folder / "first.bin").write_bytes(content)
    assert dragonhall("verify", folder / "first.bin").returncode == 0
    assert dragonhall("verify", "-", stdin=content).returncode == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("card", "dragons/treasure, card 6 of 104: "),
        ("score", "result of seat 2, score: "),
        ("decision", "decision 1 of seat "),
    ],
)
def test_verify_rejects_one_change_and_says_which(first: Match, folder: Path, change: str, says: str) -> None:
    record = read_record(first.record.read_bytes())
    if change == "card":
        card = next(
            chance for chance in record.steps[0].chance if chance.name == "dragons/treasure"
        ).dragons_cards.cards[5]
        card.kind, card.coins = (1, 0) if card.kind != 1 else (2, 0)  # type: ignore[assignment]
    elif change == "score":
        record.outcome.results[2].score += 1
    else:
        action = record.steps[1].decisions[0].action.dragons
        claimed = action.claim.pile if action.HasField("claim") else 0
        action.claim.pile = (claimed + 1) % 4
    changed = folder / f"changed-{change}.json"
    changed.write_text(to_json(record), encoding="utf-8")
    done = dragonhall("verify", changed)
    assert done.returncode == 1
    [verdict, finding] = done.stdout.splitlines()
    assert "REJECTED" in verdict
    assert finding.strip().startswith(says)


def test_verify_says_as_json_what_it_says_in_words(first: Match, folder: Path) -> None:
    record = read_record(first.record.read_bytes())
    record.outcome.results[0].rank += 1
    changed = folder / "rank.json"
    changed.write_text(to_json(record), encoding="utf-8")
    (folder / "empty.json").touch()
    done = dragonhall("verify", first.record, changed, folder / "empty.json", "--json")
    good, rejected, unreadable = json.loads(done.stdout)
    assert done.returncode == 2
    assert good["result"] == "good"
    assert rejected["findings"][0]["where"] == "result of seat 0, rank"
    assert unreadable["error"] == "cannot be read: the file is empty"


@pytest.fixture(scope="module")
def tournament(folder: Path) -> Match:
    how = ("--seats", "greedy,random,random", "-o", "hidden_card=on", "--time-per-decision", "90")
    return _match(folder, "many", *how, "--games", "5", "--seed", "2a")


def test_many_games_are_mirrored_deals(tournament: Match) -> None:
    assert "6 games instead of 5" in tournament.done.stderr
    games = tournament.result["games"]
    assert [(game["number"], game["deal"], game["rotation"]) for game in games] == [
        (0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 1, 0), (4, 1, 1), (5, 1, 2),
    ]  # fmt: skip
    assert len({game["seed"] for game in games}) == 2
    assert [[seat["bot"] for seat in game["seats"]].index("greedy") for game in games] == [0, 1, 2, 0, 1, 2]


def test_many_games_end_in_standings(tournament: Match) -> None:
    greedy, random = sorted(tournament.result["standings"], key=lambda standing: str(standing["bot"]))
    assert (greedy["games"], greedy["seats"], greedy["fairShare"]) == (6, 6, pytest.approx(1 / 3))
    assert (random["games"], random["seats"], random["fairShare"]) == (6, 12, pytest.approx(2 / 3))
    assert greedy["wins"] + random["wins"] == pytest.approx(6)
    assert greedy["interval95"][0] <= greedy["share"] <= greedy["interval95"][1]


def test_the_records_of_many_games_are_all_good(tournament: Match) -> None:
    records = sorted(tournament.record.glob("*.json"))
    assert [record.name for record in records] == [f"00000{number}.json" for number in range(6)]
    assert dragonhall("verify", *records).returncode == 0
    for record in map(read_record, (path.read_bytes() for path in records)):
        assert record.options.dragons.hidden_card
        assert record.settings.time_control.per_decision.limit.seconds == 90


COMPONENTS = """
id = "house-rules"
version = 3

[cards]
cow = 11
sheep = 9
one_ring = 4
sword = 5
helmet = 5
shield = 5
breastplate = 5
crown = 6
scepter = 6
bracelet = 6
necklace = 6
pink_gem = 7
blue_gem = 7
polish = 8

[coin_cards]
1 = 4
2 = 4
3 = 3
4 = 2
5 = 1
"""


def test_a_component_set_of_ones_own_is_played_with_and_recorded(folder: Path) -> None:
    content = COMPONENTS.replace("\n", "\r\n").encode("utf-8-sig")  # as editors on Windows write it
    (folder / "house.toml").write_bytes(content)
    arguments = ("--seats", "greedy,random,random", "--components", str(folder / "house.toml"))
    match = _match(folder, "house.json", *arguments)
    played_with = read_record(match.record.read_bytes()).component_set
    assert (played_with.id, played_with.version, played_with.dragons.cards[0].count) == ("house-rules", 3, 11)
    assert dragonhall("verify", match.record).returncode == 0


def test_without_json_the_result_is_a_table_without_control_codes() -> None:
    done = dragonhall("match", "dragons", "--seats", "random,random,random")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    header, *rows = done.stdout.splitlines()[1:]
    assert header.split()[:4] == ["rank", "bot", "seat", "score"]
    assert sum(" random " in row for row in rows) == 3
