"""What one seat knows, as a client sent it, and the worlds that fit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from librt.random import Random

from dragonhall.rules import GAMES
from dragonhall.rules.actions import code_at
from dragonhall.rules.chance import RandomChance
from dragonhall.rules.errors import IllegalAction, InconsistentKnowledge, InvalidOptions
from dragonhall.rules.game import Belief, Game, Knowledge, State
from dragonhall.sandbox.errors import Refused, inconsistent, invalid
from dragonhall.sandbox.luck import moves_luck, world_luck
from dragonhall.v1 import sandbox_service_pb2 as messages
from dragonhall.wire import CODECS, Codec, InvalidMessage, UnknownGame, game_of
from dragonhall.wire.fields import each

_Value = TypeVar("_Value")

_FORGED: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What rules may stumble over that are told of things which no game has."""


class IllegalMove(Exception):
    """A line's move that its world does not allow."""

    def __init__(self, place: int, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.place = place
        """In the line's moves."""
        self.message = message
        self.rule = rule


class Worlds:
    """The worlds that fit one knowledge."""

    def __init__(self, message: messages.Knowledge, component_sets: Mapping[str, Mapping[str, Any]]) -> None:
        """``component_sets``: by game and id. Raises `Refused` for a knowledge that cannot be."""
        self.game, self.codec = _game(message)
        sets = component_sets[self.game.name]
        self.knowledge = _knowledge(message, self.game, self.codec, sets[message.component_set.id])
        self._belief: Belief[State] = _belief(self.game, self.knowledge)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.knowledge.view.seats)

    def world(self, seed: int, number: int) -> State:
        """A world by its name; a new state each time."""
        return self._belief.sample(Random(world_luck(seed, number)))

    def after(self, world: State, moves: Iterable[messages.Move], seed: int, number: int) -> State:
        """A copy of a world, by its name again, after some moves. Raises `IllegalMove`, and `Refused` for a move that
        is none."""
        position = world.copy()
        chance = RandomChance(Random(moves_luck(seed, number)))
        for place, move in enumerate(moves):
            seat, code = self._answer(position, place, move)
            position.apply(seat, code, chance, None)
        return position

    def _answer(self, position: State, place: int, move: messages.Move) -> tuple[int, int]:
        """Who answers what, as a code."""
        asked = position.pending()
        if move.seat not in asked:
            who = f"asked are: {', '.join(map(str, asked))}" if asked else "the game is over"
            raise IllegalMove(place, f"seat {move.seat} is not asked here; {who}")
        try:
            return move.seat, self._code(position, place, move)
        except IllegalAction as error:
            raise IllegalMove(place, error.message, error.rule) from None
        except IndexError as error:
            raise IllegalMove(place, f"{error}: see Asked.legal_actions") from None

    def _code(self, position: State, place: int, move: messages.Move) -> int:
        match move.WhichOneof("answer"):
            case "action_index":
                return code_at(position.legal_runs(move.seat), move.action_index)
            case "action":
                read = _of_game(self.game, self.codec.action_from_proto)
                action = _read(f"moves[{place}].action", read, move.action)
                return self.game.code(position, move.seat, action)
            case _:
                raise invalid(f"moves[{place}]", "set action_index or action")


def _game(message: messages.Knowledge) -> tuple[Game, Codec]:
    name = _read("knowledge.options", game_of, message.options)
    return GAMES[name], CODECS[name]


def _knowledge(message: messages.Knowledge, game: Game, codec: Codec, components: Any) -> Knowledge:
    options = _read("knowledge.options", _of_game(game, codec.options_from_proto), message.options)
    view = _read("knowledge.view", _of_game(game, codec.view_from_proto), message.view)
    read_event = _of_game(game, codec.event_from_proto)
    events = _read("knowledge", lambda told: each(told.history, "history", read_event), message)
    viewer = message.seat if message.HasField("seat") else None
    if viewer is not None and viewer >= len(view.seats):
        raise invalid("knowledge.seat", f"the view shows seats 0 to {len(view.seats) - 1}")
    return Knowledge(components, options, viewer, view, events)


def _belief(game: Game, knowledge: Knowledge) -> Any:
    """What the knowledge's reader can tell. Raises `Refused`.

    Whatever the rules stumble over here was written by the client: in what a game has told to a seat they find nothing
    of that kind.
    """
    seats = len(knowledge.view.seats)
    if not game.min_seats <= seats <= game.max_seats:
        raise invalid("knowledge.view", f"{game.title} is for {game.min_seats} to {game.max_seats} seats, not {seats}")
    try:
        return game.belief(knowledge)
    except InvalidOptions as error:
        raise invalid(f"knowledge.options.{game.name}.{error.field}", error.message) from None
    except InconsistentKnowledge as error:
        raise inconsistent(str(error)) from None
    except _FORGED as error:
        raise inconsistent(f"no game shows this: {type(error).__name__}") from None


def _of_game(game: Game, read: Callable[[Any], _Value]) -> Callable[[Any], _Value]:
    """``read``, a codec's method, with paths that go through the oneof of the games."""

    def reading(message: Any) -> _Value:
        try:
            return read(message)
        except UnknownGame:
            raise
        except InvalidMessage as error:
            raise error.within(game.name) from None

    return reading


def _read(path: str, read: Callable[[Any], _Value], message: Any) -> _Value:
    """What a message says. Raises `Refused` with the path of what is wrong in it."""
    try:
        return read(message)
    except InvalidMessage as error:
        error = error.within(path)
        raise invalid(error.field, error.message) from None


def in_line(refused: Refused, line: int) -> Refused:
    """The same of a field of one line, by its path in the request."""
    field = f"lines[{line}].{refused.details['field']}"
    return invalid(field, refused.message.partition(": ")[2])
