"""The part of a codec that shapes say all of: everything but component sets and chance, which each game does itself."""

from __future__ import annotations

from typing import Any

from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.fields import of_game
from dragonhall.wire.shapes import OneOf, Shape


class ShapedCodec:
    """Most of a `dragonhall.wire.codec.Codec`: a game's own is a subclass that adds what is missing."""

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
    ) -> None:
        """``game``: its name, the field that it has in the oneofs of games.proto."""
        self._game = game
        self._options = options
        self._actions = actions
        self._decisions = decisions
        self._events = events
        self._view = view
        self._breakdown = breakdown

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
