"""The greedy bots: they look one decision ahead and trust their valuation."""

from __future__ import annotations
