"""Between the rules and protobuf, both ways, in one place per game. Neither side knows the other."""

from __future__ import annotations

from typing import Final

from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import Codec, component_digest
from dragonhall.wire.dragonisles import DragonIslesCodec
from dragonhall.wire.dragons import DragonsCodec
from dragonhall.wire.dragons_interest import DragonsInterestCodec
from dragonhall.wire.errors import InvalidMessage, UnknownGame

__all__ = ["CODECS", "Codec", "GameMessage", "InvalidMessage", "UnknownGame", "codec_of", "component_digest", "game_of"]

CODECS: Final[dict[str, Codec]] = {
    "dragons": DragonsCodec(),
    "dragons_interest": DragonsInterestCodec(),
    "dragonisles": DragonIslesCodec(),
}
"""Every game's codec, by the game's name."""

GameMessage = (
    games.GameOptions | games.GameAction | games.GameDecision | games.GameEvent | games.GameView | games.GameBreakdown
)
"""The messages that carry something of one game."""


def game_of(message: GameMessage) -> str:
    """The name of the game that a message belongs to. Raises `UnknownGame`."""
    game = message.WhichOneof("game")
    if game not in CODECS:
        raise UnknownGame("game", f"none is set that this version plays; it plays: {', '.join(CODECS)}")
    return game


def codec_of(message: GameMessage) -> Codec:
    """The codec for a message. Raises `UnknownGame`."""
    return CODECS[game_of(message)]
