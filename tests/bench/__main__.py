"""All that is measured of the service, one table after another: ``python -m tests.bench``."""

from __future__ import annotations

import asyncio

from tests.bench import bench_scale, bench_service, bench_streams

CYCLES = 10_000
"""Streams that are opened and cancelled."""


async def main() -> None:
    """About ten minutes on two cores."""
    print("CPU time of an action, beside a bare echo")
    await bench_service.bench(rounds=3, scale=1)
    print("\nSpectators, memory, coming back, starting")
    await bench_scale.bench(only="", scale=1)
    print("\nMemory of streams")
    await bench_streams.bench(CYCLES, only="")


if __name__ == "__main__":
    asyncio.run(main())
