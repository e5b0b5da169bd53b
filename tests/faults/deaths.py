"""A server that dies at its writes, one after another: before, within, in the middle of the commit, and after it.

``python -m tests.faults.deaths --each 200`` dies at so many writes in turn (some whole games), at each moment;
``--deaths N`` at so many writes here and there. Clumsy players play on, and everything is checked as in `torture`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, cycle, islice, repeat
from pathlib import Path
from random import Random
from typing import Final

from tests.faults.dying import DIED, EXIT_CODE, Moment
from tests.faults.torture import Outages, Plan, Report, torture_by
from tests.processes import Process, ServerProcess, serve_arguments

Death = tuple[Moment, int, str]
"""When, at which write, and counted over which."""

NEVER: Final[Death] = (Moment.BEFORE, 1 << 40, "all")

TABLES: Final = (9, 12)
"""Dragons: with a bank of time, answers taken back and in private; and with substitutes."""


def at_each(writes: int) -> Iterator[Death]:
    """At so many writes to games' logs, one after another, at each moment: after the last one it is done."""
    return ((moment, 1, "games") for _ in range(writes) for moment in Moment)


def here_and_there(deaths: int, seed: int) -> Iterator[Death]:
    """At some of all writes."""
    rng = Random(seed)
    for moment in islice(cycle(Moment), deaths):
        counted = rng.choice(["games", "games", "all"])
        yield moment, rng.randint(1, 6), counted


class DyingServer(ServerProcess):
    """Dies as is planned, then never."""

    def __init__(self, folder: Path, deaths: Iterator[Death]) -> None:
        super().__init__(folder)
        self._deaths = chain(deaths, repeat(NEVER))
        self.dies_never_again = False

    def _new_process(self) -> Process:
        death = moment, number, counted = next(self._deaths)
        self.dies_never_again = death == NEVER
        arguments = serve_arguments(self.target, self.store)
        return Process([moment, str(number), counted, *arguments], self.log, "tests.faults.dying")

    async def start(self) -> None:
        """Starts it as often as it takes until it serves: it may die before."""
        while True:
            try:
                return await super().start()
            except AssertionError:
                if await self.ended() != EXIT_CODE:
                    raise


class Undertaker(Outages):
    """Starts the server again whenever it has died."""

    def __init__(self, server: DyingServer) -> None:
        super().__init__(server)
        self._dying = server

    @property
    def is_done(self) -> bool:
        """Whether it has died as often as was planned."""
        return self._dying.dies_never_again

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            code = await self.server.ended()
            begin = time.time()
            async with self.lock:
                assert code == EXIT_CODE, (
                    f"the server ended by itself with {code}: {self.server.log.read_text()[-4000:]}"
                )
                await self.start_again(begin)


def died_at(server: ServerProcess) -> Counter[tuple[str, str]]:
    """How often it died at which moment of writing what."""
    lines = re.findall(rf"{DIED} moment=(\w+) what=(\S*)", server.log.read_text())
    return Counter((moment, what) for moment, whats in lines for what in whats.split(","))


def table(deaths: Counter[tuple[str, str]]) -> str:
    """For people."""
    kinds = sorted({what for _, what in deaths})
    rows = [f"{what:20}" + "".join(f"{deaths[moment, what]:8}" for moment in Moment) for what in kinds]
    return "\n".join([f"{'died while writing':20}" + "".join(f"{moment:>8}" for moment in Moment), *rows])


async def play_with_deaths(
    folder: Path, deaths: Iterator[Death], tables: tuple[int, ...], seed: int = 1
) -> tuple[Report, DyingServer]:
    """Plays games at some tables, one after another, until the server has died as often as is planned."""
    server = DyingServer(folder, deaths)
    plan = Plan(games=len(tables), seconds=0, kill_every=0, seed=seed, tables=tables)
    return await torture_by(plan, Undertaker(server)), server


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=0, help="at so many writes in turn, at each moment")
    parser.add_argument("--deaths", type=int, default=40, help="or at so many here and there")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    deaths = at_each(arguments.each) if arguments.each else here_and_there(arguments.deaths, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        report, server = asyncio.run(play_with_deaths(Path(folder), deaths, TABLES, arguments.seed))
        print(f"{report}\n{table(died_at(server))}")


if __name__ == "__main__":
    main()
