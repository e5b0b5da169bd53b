"""A request in slices: parts that take a worker some ten milliseconds each, and are answered one by one.

Where they are cut depends on the request alone, so that its answer does, message by message. Small slices make calls
take turns, leave little to finish when one is cancelled, and bring answers early.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from dragonhall.sandbox.playing import GAMES_OWN
from dragonhall.v1 import sandbox_service_pb2 as messages

POSITIONS: Final = 8
"""In one slice of an Explore: with a thousand legal actions each still below what gRPC takes in one message."""
PLAYOUTS: Final = 64
"""By chance, in one slice of a RollOut."""
POLICY_PLAYOUTS: Final = 2
"""By a policy, which takes a hundred times as long."""


@dataclass(frozen=True)
class Slice:
    """A part of a request, as a worker is told of it."""

    method: str
    """``Explore`` or ``RollOut``."""
    request: bytes
    """The request for this part alone, without its knowledge."""
    numbers: tuple[int, ...]
    """Of its lines, in the whole request."""
    first_playout: int = 0


@dataclass(frozen=True)
class _Part:
    """Some worlds of one line."""

    number: int
    first: int
    count: int


def slices_of_explore(request: messages.ExploreRequest) -> Iterator[Slice]:
    """In the order of the lines, and of their worlds."""
    options = messages.ExploreRequest(
        seed=request.seed,
        views=request.views,
        legal_actions=request.legal_actions,
        standing=request.standing,
        payoffs=request.payoffs,
    )
    for parts in _packed(_all_worlds(request.lines), POSITIONS):
        part = messages.ExploreRequest()
        part.CopyFrom(options)
        _add_lines(part, request.lines, parts)
        yield Slice("Explore", part.SerializeToString(), tuple(each.number for each in parts))


def slices_of_roll_out(request: messages.RollOutRequest, most_decisions: int) -> Iterator[Slice]:
    """In rounds over all lines. ``most_decisions``: in a playout, if the request does not say."""
    size = PLAYOUTS if request.policy in ("", GAMES_OWN) else POLICY_PLAYOUTS
    playouts = request.playouts or 1
    options = messages.RollOutRequest(
        seed=request.seed,
        policy=request.policy,
        max_decisions=request.max_decisions or most_decisions,
        payoffs=request.payoffs,
        per_world=request.per_world,
    )
    for parts in _rounds(request.lines, max(1, size // playouts)):
        for first_playout in range(0, playouts, size):
            part = messages.RollOutRequest(playouts=min(size, playouts - first_playout))
            part.MergeFrom(options)
            _add_lines(part, request.lines, parts)
            yield Slice("RollOut", part.SerializeToString(), tuple(each.number for each in parts), first_playout)


def _rounds(lines: Sequence[messages.Line], positions: int) -> Iterator[list[_Part]]:
    """All lines in as many worlds as make up a slice, then in as many more; in several slices where they are many."""
    done = 0
    left = [(number, line.worlds.first, line.worlds.count or 1) for number, line in enumerate(lines)]
    while left:
        width = max(1, positions // len(left))
        parts = [_Part(number, first + done, min(width, count - done)) for number, first, count in left]
        yield from _packed(parts, positions)
        done += width
        left = [line for line in left if line[2] > done]


def _all_worlds(lines: Iterable[messages.Line]) -> Iterator[_Part]:
    for number, line in enumerate(lines):
        yield _Part(number, line.worlds.first, line.worlds.count or 1)


def _packed(parts: Iterable[_Part], size: int) -> Iterator[list[_Part]]:
    """The same worlds in the same order, ``size`` of them together."""
    singles = ((part.number, world) for part in parts for world in range(part.first, part.first + part.count))
    while taken := list(islice(singles, size)):
        yield list(_joined(taken))


def _joined(worlds: Iterable[tuple[int, int]]) -> Iterator[_Part]:
    """Worlds of one line that follow one another, in one part."""
    last: _Part | None = None
    for number, world in worlds:
        if last is not None and last.number == number:
            last = _Part(number, last.first, last.count + 1)
            continue
        if last is not None:
            yield last
        last = _Part(number, world, 1)
    if last is not None:
        yield last


def _add_lines(
    part: messages.ExploreRequest | messages.RollOutRequest, lines: Sequence[messages.Line], parts: Iterable[_Part]
) -> None:
    for each in parts:
        worlds = messages.WorldRange(first=each.first, count=each.count)
        part.lines.append(messages.Line(worlds=worlds, moves=lines[each.number].moves))
