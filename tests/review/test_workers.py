"""Worker processes: results in order, faults told, nobody left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragonhall.review.workers import WorkerDied, Workers
from tests.cli.commands import alive
from tests.review.work import Squares

SCRIPT = """
import sys
from pathlib import Path

from dragonhall.bots.mcts.budget import Budget
from dragonhall.review import Manner, review
from dragonhall.wire.records import read_record

print("begun")
found = review(read_record(Path(sys.argv[1]).read_bytes()), Manner(Budget(16), processes=2), seat=2)
print(len(found.verdicts))
"""


def test_results_come_in_order_from_several_processes_that_end() -> None:
    with Workers(Squares(), 2) as workers:
        results = list(workers.map(range(20)))
    assert [square for square, _ in results] == [number * number for number in range(20)]
    pids = {pid for _, pid in results}
    assert os.getpid() not in pids
    assert len(pids) == 2
    assert alive(list(pids)) == []


def test_what_a_piece_of_work_raises_is_raised_here() -> None:
    with Workers(Squares(refused=1), 1) as workers, pytest.raises(ValueError, match="1 is refused") as raised:
        list(workers.map([0, 1, 2]))
    assert raised.value.__notes__ == ["(in a worker process, piece 1)"]


def test_a_process_that_dies_is_told() -> None:
    with Workers(Squares(deadly=1), 1) as workers, pytest.raises(WorkerDied, match="has ended before its time"):
        list(workers.map([0, 1, 2]))


def test_nothing_to_do_is_done() -> None:
    with Workers(Squares(), 1) as workers:
        assert list(workers.map([])) == []


def test_what_a_piece_of_work_prints_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    with Workers(Squares(printed="a remark"), 1) as workers:
        assert [square for square, _ in workers.map([2, 3])] == [4, 9]
    assert capfd.readouterr().err.split("\n") == ["a remark", "a remark", ""]


def test_whoever_needs_no_more_does_not_wait_for_what_is_under_way() -> None:
    begin = time.monotonic()
    with Workers(Squares(endless=1), 2) as workers:
        square, pid = next(workers.map([0, 1, 2]))
    assert (square, alive([pid])) == (0, [])
    assert time.monotonic() - begin < 30


def test_a_script_may_ask_for_a_review_outside_of_everything(tmp_path: Path) -> None:
    """It is not run again by each process."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    record = Path(__file__).parents[2] / "protos" / "vectors" / "record.json"
    done = subprocess.run([sys.executable, script, record], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("begun\n12\n", "")
