"""The examples in the rules' docstrings, run against the modules as they are installed, compiled or not."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import dragonhall.rules

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(dragonhall.rules.__path__, "dragonhall.rules.") if not module.ispkg
)


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """Examples of the module's own functions and classes. `doctest` itself passes over compiled ones."""
    parser = doctest.DocTestParser()
    documented = {
        name: value.__doc__
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and value.__doc__
    }
    tests = [
        parser.get_doctest(text, dict(vars(module)), name, module.__file__, 0) for name, text in documented.items()
    ]
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_show_what_happens(name: str) -> None:
    runner = doctest.DocTestRunner()
    for test in examples(importlib.import_module(name)):
        result = runner.run(test)
        assert result.failed == 0, f"{name}: {test.name}"


def test_scoring_is_shown_by_examples() -> None:
    scoring = importlib.import_module("dragonhall.rules.dragons.scoring")
    assert {test.name for test in examples(scoring)} >= {
        "one_ring_points",
        "armour_points",
        "jewel_points",
        "polish_points",
        "gem_points",
    }
