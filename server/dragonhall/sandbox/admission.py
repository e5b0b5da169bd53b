"""What a request may be: checked before any worker sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dragonhall.rules import GAMES
from dragonhall.sandbox.errors import invalid, too_much
from dragonhall.sandbox.playing import GAMES_OWN
from dragonhall.sandbox.settings import SandboxSettings
from dragonhall.sandbox.slices import Slice, slices_of_explore, slices_of_roll_out
from dragonhall.v1 import sandbox_service_pb2 as messages
from dragonhall.wire import InvalidMessage, component_digest, game_of

WORLDS: Final = 1 << 32
"""That a seed has."""


class Admission:
    """Takes requests, or refuses them, and cuts them into slices."""

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings
        self._limits = settings.limits
        self._sets = {name: {component_digest(game.default_components()): ""} for name, game in GAMES.items()}
        """By game: the ids of its component sets by their digests; the default's is empty."""
        for name, by_id in settings.component_sets.items():
            for set_id, components in by_id.items():
                self._sets[name].setdefault(component_digest(components), set_id)

    def policies(self, game: str) -> list[str]:
        """The names of those that play on."""
        return [GAMES_OWN, *sorted(self._settings.policies.get(game, ()))]

    def knowledge(self, message: messages.Knowledge) -> bytes:
        """A serialised Knowledge for the workers, as far as it can be checked here. Raises `Refused`."""
        if len(message.history) > self._limits.history:
            raise too_much(f"a history has at most {self._limits.history} events, this one has {len(message.history)}")
        game = _game(message)
        if message.rules_version not in (0, GAMES[game].rules_version):
            raise invalid("knowledge.rules_version", f"this server plays {game} by version {GAMES[game].rules_version}")
        if message.HasField("component_set"):
            set_id = self._set_id(game, message)
            message.component_set.Clear()
            message.component_set.id = set_id
        return message.SerializeToString()

    def _set_id(self, game: str, message: messages.Knowledge) -> str:
        wanted, there = message.component_set, self._sets[game]
        if wanted.digest in there:
            return there[wanted.digest]
        by_id = {GAMES[game].default_components().id: ""} | {set_id: set_id for set_id in there.values()}
        if not wanted.digest and wanted.id in by_id:
            return by_id[wanted.id]
        raise invalid("knowledge.component_set", f"{game} has no such set here: ListRules has those that it has")

    def explore(self, request: messages.ExploreRequest) -> Iterator[Slice]:
        """The slices of a request. Raises `Refused`."""
        if request.views not in messages.PositionViews.values():
            raise invalid("views", "has no such value")
        positions = self._worlds(request.lines)
        if positions > self._limits.positions:
            raise too_much(f"one Explore shows at most {self._limits.positions} positions, this asks for {positions}")
        return slices_of_explore(request)

    def roll_out(self, request: messages.RollOutRequest) -> Iterator[Slice]:
        """The slices of a request. Raises `Refused`."""
        playouts = self._worlds(request.lines) * (request.playouts or 1)
        if playouts > self._limits.playouts:
            raise too_much(f"one RollOut has at most {self._limits.playouts} playouts, this asks for {playouts}")
        if request.max_decisions > self._limits.decisions:
            raise too_much(f"a playout has at most {self._limits.decisions} decisions")
        policies = self.policies(_game(request.knowledge))
        if request.policy and request.policy not in policies:
            raise invalid("policy", f"there is none of that name for this game; there are: {', '.join(policies)}")
        return slices_of_roll_out(request, self._limits.decisions)

    def _worlds(self, lines: Sequence[messages.Line]) -> int:
        """How many there are in all lines. Raises `Refused`."""
        if not lines:
            raise invalid("lines", "takes one at least: one without moves is the position itself")
        if len(lines) > self._limits.lines:
            raise too_much(f"a request has at most {self._limits.lines} lines, this one has {len(lines)}")
        return sum(self._worlds_of(number, line) for number, line in enumerate(lines))

    def _worlds_of(self, number: int, line: messages.Line) -> int:
        if len(line.moves) > self._limits.moves:
            raise too_much(f"a line has at most {self._limits.moves} moves, lines[{number}] has {len(line.moves)}")
        count = line.worlds.count or 1
        if line.worlds.first + count > WORLDS:
            raise invalid(f"lines[{number}].worlds", f"a seed has worlds 0 to {WORLDS - 1}")
        return count


def _game(message: messages.Knowledge) -> str:
    try:
        return game_of(message.options)
    except InvalidMessage as error:
        error = error.within("knowledge.options")
        raise invalid(error.field, error.message) from None
