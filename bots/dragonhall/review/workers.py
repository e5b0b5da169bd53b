"""Worker processes that each take the next piece of work, and results in the order of the work."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Final, Generic, Self, TypeVar, cast

Result = TypeVar("Result")

_COMMAND: Final = (sys.executable, "-P", "-m", "dragonhall.review.worker")
"""Not `multiprocessing`: its processes run the script again that started them, and a script that asks for a review in
its first lines would ask again in each."""


class WorkerDied(Exception):
    """A worker process ended before its time."""


class Workers(Generic[Result]):
    """Processes that do pieces of work, which are numbers. They end with the block, and with whoever started them."""

    def __init__(self, begin: Callable[[], Callable[[int], Result]], count: int) -> None:
        """``begin`` is called once in each process (so it has to be picklable) and returns what does one piece."""
        self._workers = [_Worker(begin) for _ in range(count)]
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(count)
        """Each waits for one process at a time."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.end()
        self._threads.shutdown()
        for worker in self._workers:
            worker.close()

    def map(self, pieces: Sequence[int]) -> Iterator[Result]:
        """The results, in order, each as soon as it and all before it are there.

        Raises what a piece of work raises, and `WorkerDied`.
        """
        return self._threads.map(self._do, pieces)

    def _do(self, piece: int) -> Result:
        worker = self._idle.get()
        try:
            outcome = worker.do(piece)
        finally:
            self._idle.put(worker)
        if isinstance(outcome, Exception):
            raise outcome
        return cast(Result, outcome)


class _Worker:
    """One process, from this side."""

    def __init__(self, begin: Callable[[], object]) -> None:
        self._process = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._before: tuple[object, ...] = (sys.path, begin)
        """What it has to be told before its first piece."""

    def do(self, piece: int) -> object:
        """What came of a piece: its result, or what it raised. Raises `WorkerDied`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        messages, self._before = (*self._before, piece), ()
        try:
            self._process.stdin.write(b"".join(map(pickle.dumps, messages)))
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)
        except (EOFError, ConnectionError, pickle.UnpicklingError) as error:
            raise WorkerDied("a process that thinks about decisions has ended before its time") from error

    def end(self) -> None:
        """Whatever it is doing."""
        self._process.terminate()
        self._process.wait()

    def close(self) -> None:
        """The pipes; nobody may be using them any longer."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(ConnectionError):  # something was left to be said
                    pipe.close()
