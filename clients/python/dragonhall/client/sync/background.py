"""The event loop behind the blocking calls: one thread of this process, for as long as a client is open."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Final, TypeVar

from dragonhall.client.errors import ConnectionClosed

_Result = TypeVar("_Result")

_SLICE: Final = 0.2
"""Seconds of a wait. Where the system cannot wake a waiting thread for Ctrl-C (Windows, or a notebook that interrupts
its main thread by hand), it is noticed after that."""


class BackgroundLoop:
    """An event loop in a daemon thread. Shared by all clients of the process; the last one to leave ends it."""

    _lock: ClassVar = threading.Lock()
    _shared: ClassVar[BackgroundLoop | None] = None

    def __init__(self) -> None:
        self._users = 0
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event
        self._thread = threading.Thread(target=self._run, name="dragonhall client", daemon=True)
        self._ready = threading.Event()

    @classmethod
    def join(cls) -> BackgroundLoop:
        """The process's loop, started if there is none; `leave` it again."""
        with cls._lock:
            if cls._shared is None:
                cls._shared = cls()
                cls._shared._thread.start()
                cls._shared._ready.wait()
            cls._shared._users += 1
            return cls._shared

    def leave(self) -> None:
        """One user fewer. The last one waits until the thread has ended, unless it is that thread itself."""
        with self._lock:
            self._users -= 1
            if self._users:
                return
            BackgroundLoop._shared = None
        self._loop.call_soon_threadsafe(self._over.set)
        if not self.is_current():
            self._thread.join()

    def is_current(self) -> bool:
        """Whether this is the loop's own thread, which must not wait for the loop."""
        return threading.current_thread() is self._thread

    def begin(self, work: Coroutine[Any, Any, _Result]) -> concurrent.futures.Future[_Result]:
        """Has the loop do it. Raises `ConnectionClosed` if the loop has ended, because all clients were closed."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise ConnectionClosed("the client was closed") from None

    def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Has the loop do it, and waits. An exception that ends the waiting, as KeyboardInterrupt, cancels it.

        Raises `RuntimeError` in the loop's own thread, which would wait for ever, and `ConnectionClosed` if the client
        is closed meanwhile.
        """
        if self.is_current():
            work.close()
            raise RuntimeError("a blocking call inside a callback of the client would wait for itself for ever")
        future = self.begin(work)
        try:
            return wait_for(future)
        except BaseException:
            future.cancel()
            raise

    def call(self, function: Callable[[], _Result]) -> _Result:
        """Calls ``function`` in the loop's thread, and returns what it returns."""

        async def work() -> _Result:
            return function()

        return self.run(work())

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await self._over.wait()


def wait_for(future: concurrent.futures.Future[_Result], timeout: float | None = None) -> _Result:
    """The result of what the loop does. Raises what that raises, and `TimeoutError`, after which it still goes on."""
    end = time.monotonic() + timeout if timeout is not None else None
    try:
        while not _is_done(future, end):
            pass
        return future.result()
    except concurrent.futures.CancelledError:
        raise ConnectionClosed("the client was closed") from None


def _is_done(future: concurrent.futures.Future[_Result], end: float | None) -> bool:
    """Waits a little. Raises `TimeoutError` when it is time to."""
    left = end - time.monotonic() if end is not None else _SLICE
    try:
        future.exception(min(left, _SLICE))
    except TimeoutError:
        if left <= _SLICE and end is not None:
            raise
        return False
    return True
