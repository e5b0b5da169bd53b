"""A codec that is put together from tables: shapes, orders of shuffles, and the contents of component sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.errors import InvalidComponents
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import component_digest
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import choice, of_game, within
from dragonhall.wire.orders import Order
from dragonhall.wire.shapes import OneOf, Shape


@dataclass(frozen=True)
class Contents:
    """What a component set has besides id, version and digest."""

    write: Callable[[Any], Any]
    """The game's own message of a set."""
    read: Callable[[Any], Mapping[str, Any]]
    """What the set's TOML file says besides id and version, from that message. Raises `InvalidMessage`."""
    from_data: Callable[[Mapping[str, Any]], Any]
    """A set from what its TOML file says. Raises `InvalidComponents`."""


class ShapedCodec:
    """A `dragonhall.wire.codec.Codec`; a game's own is a subclass that gives its tables."""

    def __init__(
        self,
        game: str,
        *,
        options: Shape,
        actions: OneOf,
        decisions: OneOf,
        events: OneOf,
        view: Shape,
        breakdown: Shape,
        contents: Contents,
        orders: Mapping[str, Order],
    ) -> None:
        """``game``: its name, which is its field in the oneofs of games.proto; ``orders``: by name of the shuffle."""
        self._game = game
        self._options = options
        self._actions = actions
        self._decisions = decisions
        self._events = events
        self._view = view
        self._breakdown = breakdown
        self._contents = contents
        self._orders = orders
        self._orders_by_field = {order.field: order for order in orders.values()}

    def options_to_proto(self, options: Any) -> games.GameOptions:
        """Options."""
        return games.GameOptions(**{self._game: self._options.write(options)})

    def options_from_proto(self, message: games.GameOptions) -> Any:
        """Options. Whether they fit the number of seats is for the rules to say."""
        return self._options.read(of_game(message, self._game))

    def action_to_proto(self, action: Any) -> games.GameAction:
        """An action."""
        return games.GameAction(**{self._game: self._actions.write(action)})

    def action_from_proto(self, message: games.GameAction) -> Any:
        """An action."""
        return self._actions.read(of_game(message, self._game))

    def decision_to_proto(self, decision: Any) -> games.GameDecision:
        """A decision."""
        return games.GameDecision(**{self._game: self._decisions.write(decision)})

    def decision_from_proto(self, message: games.GameDecision) -> Any:
        """A decision."""
        return self._decisions.read(of_game(message, self._game))

    def event_to_proto(self, event: Any) -> games.GameEvent:
        """An event."""
        return games.GameEvent(**{self._game: self._events.write(event)})

    def event_from_proto(self, message: games.GameEvent) -> Any:
        """An event."""
        return self._events.read(of_game(message, self._game))

    def view_to_proto(self, view: Any) -> games.GameView:
        """A view."""
        return games.GameView(**{self._game: self._view.write(view)})

    def view_from_proto(self, message: games.GameView) -> Any:
        """A view."""
        return self._view.read(of_game(message, self._game))

    def breakdown_to_proto(self, breakdown: Any) -> games.GameBreakdown:
        """A scoring breakdown."""
        return games.GameBreakdown(**{self._game: self._breakdown.write(breakdown)})

    def breakdown_from_proto(self, message: games.GameBreakdown) -> Any:
        """A scoring breakdown."""
        return self._breakdown.read(of_game(message, self._game))

    def components_to_proto(self, components: Any, with_contents: bool) -> games.ComponentSet:
        """A component set."""
        digest = component_digest(components)
        contents = {self._game: self._contents.write(components)} if with_contents else {}
        return games.ComponentSet(id=components.id, version=components.version, digest=digest, **contents)

    def components_from_proto(self, message: games.ComponentSet) -> Any:
        """A component set with its contents; they must fit the digest."""
        if message.WhichOneof("contents") != self._game:
            raise InvalidMessage(self._game, "the contents of the component set are needed")
        data = within(self._game, self._contents.read, getattr(message, self._game))
        components = self._components_from_data({"id": message.id, "version": message.version, **data})
        if component_digest(components) != message.digest:
            raise InvalidMessage("digest", "is not the digest of this id, version and contents")
        return components

    def _components_from_data(self, data: Mapping[str, Any]) -> Any:
        try:
            return self._contents.from_data(data)
        except InvalidComponents as error:
            field = error.key if error.key in ("id", "version") else f"{self._game}.{error.key}"
            raise InvalidMessage(field, error.message) from None

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or an order."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        return self._orders[outcome.name].write(outcome)

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        kind, content = choice(message, "outcome")
        if kind == "number":
            return ChanceOutcome(message.name, number=content)
        if kind not in self._orders_by_field:
            raise InvalidMessage("outcome", f"{kind} is not chance of this game")
        return self._orders_by_field[kind].read(message)
