"""DragonIsles, for 2 to 5 players: challenge encounters with runs and sets of cards, and grow by it."""

from __future__ import annotations
