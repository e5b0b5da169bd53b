"""A server that dies at its writes loses nothing that it told, and does nothing twice: a sample of them."""

from __future__ import annotations

from pathlib import Path

from tests.faults.deaths import at_each, died_at, here_and_there, play_with_deaths
from tests.faults.dying import Moment


async def test_death_at_writes_here_and_there(tmp_path: Path) -> None:
    """All of them: ``python -m tests.faults.deaths --each 200``."""
    report, server = await play_with_deaths(tmp_path, here_and_there(8, seed=1), tables=(9,))
    deaths = died_at(server)
    assert {moment for moment, _ in deaths} == {moment.value for moment in Moment}
    assert report.games >= 1
    print(report, deaths)


def test_each_write_is_died_at_in_each_way() -> None:
    assert [moment for moment, _, _ in at_each(2)] == 2 * list(Moment)
