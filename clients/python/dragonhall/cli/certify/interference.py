"""What a trial does to what passes between the bot and the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dragonhall.v1 import game_pb2, play_service_pb2

_UNKNOWN: Final = bytes.fromhex("ca b3 04 04") + b"new!"
"""On the wire, field 9017 with the text "new!": no message of this version has it."""


class Interference:
    """Lets everything pass as it is. A trial overrides what it needs."""

    def answered(self, game_id: str, command: Any) -> bool:
        """The bot answers a decision; ``command`` (a PlayAnswer or a SubmitRequest) may be changed here.

        Returns whether it goes on to the server now; else it is held until `Witness.release`.
        """
        return True

    def acknowledged(self, game_id: str, decision_id: int) -> bool:
        """The server has taken an answer. Returns whether the bot is told."""
        return True

    def observed(
        self, game_id: str, observation: play_service_pb2.ObserveResponse
    ) -> Sequence[play_service_pb2.ObserveResponse]:
        """What the bot is told in place of ``observation``."""
        return [observation]

    def listed(self, game: game_pb2.Game) -> game_pb2.Game:
        """What the lobby shows in place of a game."""
        return game

    def told(self, message: Any) -> None:
        """Any message to the bot, about to be sent; may be changed here."""


def add_unknown_fields(message: Any) -> None:
    """To the message, and to all of Dragonhall's messages in it."""
    for field, value in message.ListFields():
        if field.message_type is None or not field.message_type.full_name.startswith("dragonhall."):
            continue
        if field.message_type.GetOptions().map_entry:
            continue
        for part in [value] if hasattr(value, "ListFields") else value:
            add_unknown_fields(part)
    message.MergeFromString(_UNKNOWN)


def unknown_event() -> play_service_pb2.Event:
    """An event of a kind that this version does not have: to its readers, none of the kinds that they know."""
    return play_service_pb2.Event.FromString(_UNKNOWN)


def unknown_game(game: game_pb2.Game) -> game_pb2.Game:
    """The same game, as if it was one that this version does not have."""
    made = game_pb2.Game()
    made.CopyFrom(game)
    made.options.Clear()
    made.options.MergeFromString(_UNKNOWN)
    made.component_set.id = "of-another-game"
    return made
