"""A bot as a process of its own: it watches the lobby, takes the seats reserved for its name and plays them all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from dragonhall.bots.identity import Identity
from dragonhall.bots.kinds import kind_name, policies_of
from dragonhall.bots.operating.showing import About, shown
from dragonhall.bots.operating.watcher import Watcher, Watchers
from dragonhall.bots.outage import Outage
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.sdk import Bot
from dragonhall.bots.session import Calling, Session
from dragonhall.bots.thinking.choosing import thinkers_for
from dragonhall.bots.thinking.steady import Steady
from dragonhall.bots.thinking.thinker import Thinkers
from dragonhall.client import FOR_EVER, Client, DragonhallError, Patience

_log: Final = logging.getLogger("dragonhall.bots")

_REST_AFTER_FAULT: Final = 5.0
"""Seconds to leave a server alone that refused for a fault of its own."""


async def run_bot(
    name: str,
    kind: str | PolicyFactory | type[Bot],
    target: str,
    *,
    seed: str | None = None,
    identity: Path | None = None,
    stop: asyncio.Event | None = None,
    end_on_fault: bool = False,
    connect: Callable[[str, Patience], Client] | None = None,
    processes: int | None = None,
    workers: int = 1,
    steady: bool = True,
    ponder: bool = False,
    metrics: str | None = None,
    operator: str | None = None,
) -> None:
    """Plays every seat that games at ``target`` reserve for ``name``, and stands in for players of running games whose
    substitute it is, until SIGTERM, SIGINT or ``stop``.

    ``target`` is ``HOST:PORT``, ``kind`` is how the bot plays: one of `BOT_KINDS`, ``FILE.py:CLASS`` or
    ``package.module:CLASS`` for a bot of your own, or its class itself. Several processes may share a name: each
    seat is taken by one of them. The process outlives its server: it waits for as long as it takes and goes on where
    the games were. Once it watches it prints ``dragonhall-bot: NAME (KIND) watching HOST:PORT``, one line.

    ``seed``: any text; a bot with the same seed plays a game with the same game seed in the same way. Without it nobody
    can foresee the bot. ``identity``: a file with the bot's secret, created if it does not exist. A bot that was killed
    and is started again with the same file takes its seats up again; without one they are lost to it. Keep one file for
    each process: two with the same file would play the same seats. ``end_on_fault``: ends with `SeatGivenUp` when the
    policy fails in one game, whose traceback is logged, instead of playing on in the others. ``connect`` makes the
    client, from the target and a patience, where the bot needs more than that: an API key, or TLS.

    ``processes``: so many worker processes think, at most; 0: the event loop does. Unless given that is so for policies
    that need little time, and for others there are as many processes as there are processor cores. ``workers``: so many
    of them think about each decision together, for policies that search. ``steady``: where policies need less time
    because there is little to decide, and others could conclude from it what the seat holds, the answer is held back
    (`SteadyPolicy`). ``ponder``: worker processes that nobody asks anything think about what may be asked next; for
    policies that search, with a budget of time. ``metrics``: serves what the bot does as
    numbers, for Prometheus, at ``HOST:PORT``, or ``PORT`` of this machine alone. ``operator``: serves what it thinks
    (`OperatorService`) at ``PORT`` of the loopback device or ``unix:PATH``, for whoever may see what its seats hold.

    Raises `UnknownKind`, `InvalidPolicy`, `NotPortable`, `CannotThink`, `CannotListen`, `InvalidIdentity`, `OSError`
    for the identity's file, `PolicyFailed` if no worker process can be started, and `DragonhallError` if the server
    refuses for good, as INVALID_FIELD for a name that cannot be a bot's.
    """
    watchers = Watchers()
    policies = policies_of(kind)
    thinking = thinkers_for(kind, policies, processes, workers, watchers, ponder)
    who = Identity.of_file(identity) if identity is not None else Identity.fresh()
    stop = stop or asyncio.Event()
    seed = seed if seed is not None else who.default_seed()
    calling = Calling(name, kind_name(kind), tuple(policies), seed, who, ponder)
    with _signals_set(stop):
        async with thinking as inner:
            thinkers = Steady(inner) if steady else inner
            about = About(name, calling.kind, thinkers.processes, workers)
            async with shown(watchers, about, metrics, operator):
                await _Bot(calling, thinkers, watchers, target, stop, end_on_fault, connect or _connect).run()


def _connect(target: str, patience: Patience) -> Client:
    return Client(target, patience=patience)


@contextlib.contextmanager
def _signals_set(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set ``stop`` meanwhile, where the platform and the thread allow it."""
    loop = asyncio.get_running_loop()
    handled = []
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


class _Bot:
    """The bot's life over all its sessions."""

    def __init__(
        self,
        calling: Calling,
        thinkers: Thinkers,
        watcher: Watcher,
        target: str,
        stop: asyncio.Event,
        end_on_fault: bool,
        connect: Callable[[str, Patience], Client],
    ) -> None:
        self._calling = calling
        self._thinkers = thinkers
        self._watcher = watcher
        self._target = target
        self._stop = stop
        self._end_on_fault = end_on_fault
        self._connect = connect
        self._may_have_seats = calling.identity.lasting
        self._announced = False
        self._outage = Outage(target)
        self._patience = replace(FOR_EVER, on_failure=self._outage.failed)

    async def run(self) -> None:
        _log.info("looking for a server at %s; it may come later", self._target)
        while not self._stop.is_set():
            try:
                await self._session()
            except DragonhallError as error:
                if not error.temporary:
                    raise
                _log.warning("the server is at fault, trying again in %g s: %s", _REST_AFTER_FAULT, error)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), _REST_AFTER_FAULT)
            self._may_have_seats = True
        _log.info("stopped")

    async def _session(self) -> None:
        """One client and one play connection, until the bot is stopped or the server refuses."""
        async with self._connect(self._target, self._patience) as client, client.play() as connection:
            session = Session(self._calling, self._thinkers, self._watcher, client, connection)
            duties = [
                asyncio.create_task(session.seek_seats(self._may_have_seats, self._announce)),
                asyncio.create_task(connection.wait_ended()),
                asyncio.create_task(self._told_to_stop()),
            ]
            if self._end_on_fault:
                duties.append(asyncio.create_task(session.wait_given_up()))
            try:
                done, _ = await asyncio.wait(duties, return_when=asyncio.FIRST_COMPLETED)
                for duty in done:
                    duty.result()
            finally:
                for duty in duties:
                    duty.cancel()
                await asyncio.gather(*duties, return_exceptions=True)
                await session.finish()

    async def _told_to_stop(self) -> None:
        await self._stop.wait()
        _log.info("stopping: answers under way are stored, and games wait for the bot to come back")

    def _announce(self) -> None:
        """Says once that the bot is ready, for people and for whoever started it."""
        self._outage.ended()
        if not self._announced:
            calling = self._calling
            print(f"dragonhall-bot: {calling.name} ({calling.kind}) watching {self._target}", flush=True)
            self._announced = True
