"""The messages of Dragon's Interest (``dragonhall/dragons_interest/v1/dragons_interest.proto``), both ways."""

from __future__ import annotations

from dragonhall.wire.dragons_interest.codec import DragonsInterestCodec

__all__ = ["DragonsInterestCodec"]
