"""What ``help()`` and editors tell of a blocking method: as of the original, with the blocking counterparts' names."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

_Wrapper = TypeVar("_Wrapper", bound=Callable[..., Any])

_COUNTERPARTS: Final = ("Client", "PlayConnection", "AttachedSeat", "Seat")
"""Classes that have a blocking one, called ``Sync`` and the same."""
_NAMED: Final = "|".join(_COUNTERPARTS)
_IN_TYPES: Final = re.compile(rf"(?<![\w.])({_NAMED})\b")
_IN_TEXTS: Final = re.compile(rf"(?<=`)({_NAMED})\b")
_STREAM: Final = re.compile(r"AsyncGenerator\[(.*), None\]")


def told_blocking(method: Callable[..., Any]) -> Callable[[_Wrapper], _Wrapper]:
    """As `functools.wraps`, for a function that does what ``method`` does, blocking."""

    def dress(wrapper: _Wrapper) -> _Wrapper:
        functools.update_wrapper(wrapper, method)
        signature = _signature(inspect.signature(method))
        wrapper.__signature__ = signature  # type: ignore[attr-defined]  # as inspect looks for it
        wrapper.__annotations__ = {name: _type(kind) for name, kind in method.__annotations__.items()}
        wrapper.__doc__ = _text(method.__doc__ or "")
        return wrapper

    return dress


def _signature(original: inspect.Signature) -> inspect.Signature:
    parameters = [one.replace(annotation=_type(one.annotation)) for one in original.parameters.values()]
    return original.replace(parameters=parameters, return_annotation=_type(original.return_annotation))


def _type(annotation: Any) -> Any:
    """An annotation, which is text in the client's modules.

    >>> _type("AsyncGenerator[game_pb2.Game, None]"), _type("Seat | None"), _type("game_pb2.Seat")
    ('SyncStream[game_pb2.Game]', 'SyncSeat | None', 'game_pb2.Seat')
    """
    return (
        _IN_TYPES.sub(r"Sync\1", _STREAM.sub(r"SyncStream[\1]", annotation))
        if isinstance(annotation, str)
        else annotation
    )


def _text(doc: str) -> str:
    return _IN_TEXTS.sub(r"Sync\1", doc).replace("an async context manager", "a context manager")
