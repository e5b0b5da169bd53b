"""Worker processes: results in order, faults told, nobody left behind."""

from __future__ import annotations

import os

import pytest

from dragonhall.review.workers import WorkerDied, Workers
from tests.cli.commands import alive
from tests.review.work import Squares


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
