"""The time of day. Whoever needs it is given the function, so that tests can give another."""

from __future__ import annotations

import time


def now_us() -> int:
    """Unix time in microseconds."""
    return time.time_ns() // 1000
