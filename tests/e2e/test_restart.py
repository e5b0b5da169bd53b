"""A server that is killed in the middle of a match: the match goes on, and nothing is lost or played twice."""

from __future__ import annotations

import json
import time
from pathlib import Path

from dragonhall.wire.records import read_record, verify_record
from tests.cli.commands import LIMIT, Running, running, server

GAMES = 48


def _wait_for_records(folder: Path, count: int, match: Running) -> None:
    """Returns when so many games have ended."""
    deadline = time.monotonic() + LIMIT
    while len(list(folder.glob("*.json"))) < count:
        assert match.process.poll() is None, match.wait()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_match_outlives_two_kills_of_the_server(tmp_path: Path) -> None:
    store, records = tmp_path / "hall.db", tmp_path / "records"
    with server(store) as (first, target):
        port = int(target.rpartition(":")[2])
        line_up = ("match", "dragons", "--seats", "greedy,random,random", "--games", str(GAMES), "--seed", "5")
        with running(*line_up, "--connect", target, "--start-bots", "--record", records, "--json") as match:
            _wait_for_records(records, 5, match)
            first.process.kill()
            first.process.wait()
            with server(store, port=port) as (second, _):
                _wait_for_records(records, 20, match)
                second.process.kill()
                second.process.wait()
                with server(store, port=port):
                    assert match.wait() == 0, match.output
    result = json.loads(match.output[match.output.index("{") :])
    files = sorted(records.glob("*.json"))
    assert [game["number"] for game in result["games"]] == list(range(GAMES))
    assert len(files) == GAMES
    for file, game in zip(files, result["games"], strict=True):
        record = read_record(file.read_bytes())
        assert record.game_id == game["gameId"]
        assert verify_record(record).findings == ()
