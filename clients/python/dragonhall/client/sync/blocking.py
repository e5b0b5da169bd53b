"""How blocking methods are made of asynchronous ones: same names, same arguments, same documentation.

mypy knows the result by the signature of the original, so that nothing is written twice and nothing can drift apart.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from datetime import timedelta
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar, cast, overload

from dragonhall.client.errors import ConnectionClosed
from dragonhall.client.sync.background import BackgroundLoop, wait_for
from dragonhall.client.sync.telling import told_blocking

_Parameters = ParamSpec("_Parameters")
_Original = TypeVar("_Original")
_Result = TypeVar("_Result")
_Wrapped = TypeVar("_Wrapped")
_Item = TypeVar("_Item")

_END: Final = object()


class Blocking(Generic[_Original]):
    """A blocking stand-in for an object that lives in the background loop."""

    def __init__(self, loop: BackgroundLoop, original: _Original) -> None:
        self._loop = loop
        self._original = original

    def __repr__(self) -> str:
        return f"<blocking {self._original!r}>"


class SyncStream(Generic[_Item]):
    """A stream, as a blocking iterator. ``close()`` it, or leave its ``with`` block, to end it before its end.

    Ctrl-C while it waits loses nothing: iterate again, and it goes on where it was. Several threads may iterate over
    one; each item then goes to one of them.
    """

    def __init__(self, loop: BackgroundLoop, source: AsyncIterator[_Item]) -> None:
        self._loop = loop
        self._source = source
        self._pending: Future[object] | None = None
        """What is awaited now; outlives a wait that was interrupted."""
        self._reading: asyncio.Task[object] | None = None
        """The same in the loop."""
        self._is_closed = False
        self._lock = threading.Lock()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> _Item:
        return self.next()

    def next(self, timeout: timedelta | None = None) -> _Item:
        """The next item. Raises `StopIteration` at the end, what the stream raises, and `TimeoutError` if there is none
        for so long, after which nothing is lost either."""
        with self._lock:
            item = _END if self._is_closed else self._wait(timeout.total_seconds() if timeout is not None else None)
        if item is _END:
            raise StopIteration
        return cast(_Item, item)

    def close(self) -> None:
        """Ends the stream, also for other threads that wait for it."""
        self._is_closed = True
        self._loop.run(self._end())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait(self, timeout: float | None) -> object:
        if self._pending is None:
            self._pending = self._loop.begin(self._read())
        try:
            return wait_for(self._pending, timeout)
        except ConnectionClosed:
            if self._is_closed:
                return _END
            raise
        finally:
            if self._pending.done():
                self._pending = None

    async def _read(self) -> object:
        self._reading = asyncio.current_task()
        return await anext(self._source, _END)

    async def _end(self) -> None:
        if self._reading is not None and not self._reading.done():
            self._reading.cancel()
            await asyncio.wait([self._reading])
        if isinstance(self._source, AsyncGenerator):
            await self._source.aclose()


@overload
def blocking(
    method: Callable[Concatenate[_Original, _Parameters], Coroutine[Any, Any, _Result]],
) -> Callable[Concatenate[Blocking[_Original], _Parameters], _Result]: ...


@overload
def blocking(
    method: Callable[Concatenate[_Original, _Parameters], Coroutine[Any, Any, _Result]],
    wrap: Callable[[BackgroundLoop, _Result], _Wrapped],
) -> Callable[Concatenate[Blocking[_Original], _Parameters], _Wrapped]: ...


def blocking(
    method: Callable[Concatenate[_Original, _Parameters], Coroutine[Any, Any, Any]],
    wrap: Callable[[BackgroundLoop, Any], Any] | None = None,
) -> Callable[Concatenate[Blocking[_Original], _Parameters], Any]:
    """A method that waits for the original's result, and hands it out by way of ``wrap``."""

    @told_blocking(method)
    def wrapper(self: Blocking[_Original], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> Any:
        result = self._loop.run(method(self._original, *args, **kwargs))
        return result if wrap is None else wrap(self._loop, result)

    return wrapper


def streaming(
    method: Callable[Concatenate[_Original, _Parameters], AsyncGenerator[_Item, None]],
) -> Callable[Concatenate[Blocking[_Original], _Parameters], SyncStream[_Item]]:
    """A method that returns the original's stream as a blocking one."""

    @told_blocking(method)
    def wrapper(
        self: Blocking[_Original], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs
    ) -> SyncStream[_Item]:
        return SyncStream(self._loop, method(self._original, *args, **kwargs))

    return wrapper


@overload
def plain(
    method: Callable[Concatenate[_Original, _Parameters], _Result],
) -> Callable[Concatenate[Blocking[_Original], _Parameters], _Result]: ...


@overload
def plain(
    method: Callable[Concatenate[_Original, _Parameters], _Result],
    wrap: Callable[[BackgroundLoop, _Result], _Wrapped],
) -> Callable[Concatenate[Blocking[_Original], _Parameters], _Wrapped]: ...


def plain(
    method: Callable[Concatenate[_Original, _Parameters], Any],
    wrap: Callable[[BackgroundLoop, Any], Any] | None = None,
) -> Callable[Concatenate[Blocking[_Original], _Parameters], Any]:
    """As `blocking`, for a method that waits for nothing but has to run in the loop's thread."""

    @told_blocking(method)
    def wrapper(self: Blocking[_Original], /, *args: _Parameters.args, **kwargs: _Parameters.kwargs) -> Any:
        result = self._loop.call(lambda: method(self._original, *args, **kwargs))
        return result if wrap is None else wrap(self._loop, result)

    return wrapper
