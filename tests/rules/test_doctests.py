"""The examples in the rules' docstrings, run against the modules as they are installed, compiled or not."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import dragonhall.rules

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(dragonhall.rules.__path__, "dragonhall.rules.") if not module.ispkg
)


def examples(module: ModuleType) -> list[doctest.DocTest]:
    """The examples of the module's functions and classes, from its source: compiled ones have no docstring."""
    parser = doctest.DocTestParser()
    source = Path(str(module.__file__))
    source = source.with_name(source.name.split(".")[0] + ".py")
    tests = [
        parser.get_doctest(text, dict(vars(module)), node.name, str(source), node.lineno)
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node))
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
