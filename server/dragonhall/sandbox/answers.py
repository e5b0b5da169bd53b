"""What one part of a request is answered with. Depends on what is given here, and on nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dragonhall.rules.game import State
from dragonhall.sandbox.errors import Refused
from dragonhall.sandbox.luck import playout_luck
from dragonhall.sandbox.playing import PlayOn, PolicyMaker, player
from dragonhall.sandbox.tally import Tally, Worth
from dragonhall.sandbox.worlds import IllegalMove, Worlds, in_line
from dragonhall.v1 import sandbox_service_pb2 as messages
from dragonhall.v1.errors_pb2 import ERROR_REASON_ILLEGAL_ACTION, Error
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.prompts import asked_to_bytes

_INVALID_ARGUMENT: Final = 3
"""google.rpc.Code."""

Policies = Mapping[str, Mapping[str, PolicyMaker]]
"""By game and name."""


def explored(worlds: Worlds, request: messages.ExploreRequest, numbers: Sequence[int]) -> bytes:
    """A serialised ExploreResponse: the positions of some lines, which have ``numbers`` in the whole request.

    Raises `Refused`.
    """
    showing = _Showing(worlds, request)
    response = messages.ExploreResponse()
    for number, line in zip(numbers, request.lines, strict=True):
        for world in _range(line):
            position = response.positions.add(line=number, world=world)
            try:
                state = _at(worlds, worlds.world(request.seed, world), line, number, request.seed, world)
            except IllegalMove as illegal:
                position.error.CopyFrom(_told(illegal, number, world))
            else:
                showing.show(state, position)
    return response.SerializeToString()


class _Showing:
    """What a request wants to see of positions."""

    def __init__(self, worlds: Worlds, request: messages.ExploreRequest) -> None:
        self._worlds = worlds
        self._request = request
        self._worth = Worth(request.payoffs, worlds.seats)

    def show(self, state: State, position: messages.Position) -> None:
        """Fills in a position."""
        game, codec, request = self._worlds.game, self._worlds.codec, self._request
        asked = state.pending()
        for seat in asked:
            position.asked.add().MergeFromString(asked_to_bytes(game, state, seat, codec, request.legal_actions))
        for seat in self._seats_shown(state, asked):
            position.views.add(seat=seat, view=codec.view_to_proto(state.view(seat)))
        if request.standing:
            outcome = state.outcome() if state.is_over() else state.standing()
            position.standing.CopyFrom(outcome_to_proto(outcome, codec))
            position.payoffs.extend(self._worth.of([result.rank for result in outcome.results])["payoffs"])

    def _seats_shown(self, state: State, asked: Sequence[int]) -> Sequence[int]:
        match self._request.views:
            case messages.POSITION_VIEWS_ALL:
                return range(state.seats)
            case messages.POSITION_VIEWS_ASKED:
                return asked
            case _:
                return ()


def rolled_out(
    worlds: Worlds, request: messages.RollOutRequest, numbers: Sequence[int], first_playout: int, policies: Policies
) -> bytes:
    """A serialised RollOutResponse, likewise. The playouts of each world count from ``first_playout``; there is a
    ``max_decisions``. Raises `Refused`."""
    play_on = player(request.policy, worlds.game, worlds.knowledge, policies.get(worlds.game.name, {}))
    rolling = _RollingOut(worlds, request, play_on, range(first_playout, first_playout + request.playouts))
    totals = (tally.message() for tally in rolling.tallies(numbers))
    return messages.RollOutResponse(totals=totals).SerializeToString()


class _RollingOut:
    """Plays on from positions and counts how it ends."""

    def __init__(
        self, worlds: Worlds, request: messages.RollOutRequest, play_on: PlayOn, playouts: Sequence[int]
    ) -> None:
        self._worlds = worlds
        self._request = request
        self._play_on = play_on
        self._playouts = playouts
        self._worth = Worth(request.payoffs, worlds.seats)
        self._drawn: dict[int, State] = {}
        """Worlds by number: lines that go on in the same world share its drawing."""

    def tallies(self, numbers: Sequence[int]) -> Iterator[Tally]:
        """By line, and with ``per_world`` by world."""
        for number, line in zip(numbers, self._request.lines, strict=True):
            together = _range(line)
            for worlds in ([world] for world in together) if self._request.per_world else [together]:
                yield self._tally(number, line, worlds)

    def _tally(self, number: int, line: messages.Line, worlds: Sequence[int]) -> Tally:
        tally = Tally(number, worlds[0], self._worlds.seats, self._worth)
        for world in worlds:
            tally.add_world()
            try:
                position = _at(self._worlds, self._world(world), line, number, self._request.seed, world)
            except IllegalMove as illegal:
                tally.refuse_world(_told(illegal, number, world))
            else:
                self._play(position, world, tally)
        return tally

    def _world(self, number: int) -> State:
        if number not in self._drawn:
            self._drawn[number] = self._worlds.world(self._request.seed, number)
        return self._drawn[number]

    def _play(self, position: State, world: int, tally: Tally) -> None:
        for playout in self._playouts:
            state = position.copy()
            luck = playout_luck(self._request.seed, world, playout)
            decisions = self._play_on(state, luck, self._request.max_decisions)
            is_over = state.is_over()
            tally.add(state.outcome() if is_over else state.standing(), decisions, is_over)


def _range(line: messages.Line) -> range:
    return range(line.worlds.first, line.worlds.first + (line.worlds.count or 1))


def _at(worlds: Worlds, world: State, line: messages.Line, number: int, seed: int, name: int) -> State:
    """The position that a line leads to in a world. Raises `IllegalMove`, and `Refused`."""
    try:
        return worlds.after(world, line.moves, seed, name)
    except Refused as refused:
        raise in_line(refused, number) from None


def _told(illegal: IllegalMove, line: int, world: int) -> Error:
    metadata = {"field": f"lines[{line}].moves[{illegal.place}]", "world": str(world)}
    if illegal.rule:
        metadata["rule"] = illegal.rule
    return Error(code=_INVALID_ARGUMENT, reason=ERROR_REASON_ILLEGAL_ACTION, message=illegal.message, metadata=metadata)
