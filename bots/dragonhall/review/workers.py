"""Worker processes that each take the next piece of work, and results in the order of the work."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

Result = TypeVar("Result")


class WorkerDied(Exception):
    """A worker process ended before its time."""


class Workers(Generic[Result]):
    """Processes that do pieces of work, which are numbers. They end with the block, and with whoever started them."""

    def __init__(self, begin: Callable[[], Callable[[int], Result]], count: int) -> None:
        """``begin`` is called once in each process (so it has to be picklable) and returns what does one piece."""
        context = multiprocessing.get_context("spawn")
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(begin, theirs), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(ours)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
            process.join()

    def map(self, pieces: Sequence[int]) -> Iterator[Result]:
        """The results, in order, each as soon as it and all before it are there.

        Raises what a piece of work raises, and `WorkerDied`.
        """
        left = iter(enumerate(pieces))
        busy = {pipe: place for pipe in self._pipes if (place := _send_next(pipe, left)) is not None}
        results: dict[int, Result] = {}
        due = 0
        while busy:
            for pipe in [pipe for pipe in wait(list(busy)) if isinstance(pipe, Connection)]:
                results[busy.pop(pipe)] = cast(Result, _received(pipe))
                place = _send_next(pipe, left)
                if place is not None:
                    busy[pipe] = place
            while due in results:
                yield results.pop(due)
                due += 1


def _send_next(pipe: Connection, left: Iterator[tuple[int, int]]) -> int | None:
    """Hands the next piece out; its place, or ``None`` if there is none."""
    for place, piece in left:
        pipe.send(piece)
        return place
    return None


def _received(pipe: Connection) -> object:
    try:
        outcome: object = pipe.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerDied("a process that thinks about decisions has ended before its time") from error
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _work(begin: Callable[[], Callable[[int], object]], pipe: Connection) -> None:
    """A worker's life. Ctrl-C is for whoever started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        do = begin()
        while True:
            pipe.send(_outcome(do, pipe.recv()))
    except (EOFError, ConnectionError):
        return  # nobody is left to work for


def _outcome(do: Callable[[int], object], piece: int) -> object:
    try:
        return do(piece)
    except Exception as error:
        error.add_note(f"(in a worker process, piece {piece})")
        return error
