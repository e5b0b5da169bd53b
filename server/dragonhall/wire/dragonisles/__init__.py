"""The messages of DragonIsles (``dragonhall/dragonisles/v1/dragonisles.proto``), both ways."""

from __future__ import annotations

from dragonhall.wire.dragonisles.codec import DragonIslesCodec

__all__ = ["DragonIslesCodec"]
