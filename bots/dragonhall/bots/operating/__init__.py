"""What a bot shows of itself to whoever runs it, and to nobody else: metrics, and what it thought."""

from __future__ import annotations
