"""The messages of Dragons (``dragonhall/dragons/v1/dragons.proto``), both ways."""

from __future__ import annotations

from dragonhall.wire.dragons.codec import DragonsCodec

__all__ = ["DragonsCodec"]
