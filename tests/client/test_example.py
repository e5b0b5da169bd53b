"""The examples in the client's documentation are run as they stand there."""

from __future__ import annotations

import asyncio
import doctest
from types import ModuleType

import pytest

import dragonhall.client
from dragonhall.client import access, errors, settings


async def test_the_example_plays_a_game(target: str) -> None:
    results = await asyncio.to_thread(run_example, dragonhall.client, target)
    assert (results.failed, results.attempted > 5) == (0, True)


@pytest.mark.parametrize("module", [access, errors, settings])
def test_examples_of_single_functions_hold(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert (results.failed, results.attempted > 0) == (0, True)


def run_example(module: ModuleType, target: str) -> doctest.TestResults:
    """Runs the example in a module's docstring, with ``target`` for the address of the server that it wants."""
    (example,) = doctest.DocTestFinder(recurse=False).find(module, module.__name__, globs={"target": target})
    return doctest.DocTestRunner().run(example)
