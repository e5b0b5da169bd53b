"""The example in the client's documentation is run as it stands there."""

from __future__ import annotations

import asyncio
import doctest

import dragonhall.client


async def test_the_example_plays_a_game(target: str) -> None:
    (example,) = doctest.DocTestFinder(recurse=False).find(
        dragonhall.client, "dragonhall.client", globs={"target": target}
    )
    results = await asyncio.to_thread(doctest.DocTestRunner().run, example)
    assert (results.failed, results.attempted > 5) == (0, True)
