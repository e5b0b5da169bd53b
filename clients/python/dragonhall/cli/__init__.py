"""The command ``dragonhall``: serve, bots, matches, records."""

from __future__ import annotations

from dragonhall.cli.app import main

__all__ = ["main"]
