"""Dependencies between the folders point one way."""

from __future__ import annotations

import pytest

from tests.architecture.imports import MAY_IMPORT, imports_of, layer_of, our_modules, violations

MODULES = dict(our_modules())


def test_every_layer_has_modules() -> None:
    assert {layer_of(module) for module in MODULES} == set(MAY_IMPORT)


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    assert list(violations(module, path.read_text(encoding="utf-8"), package)) == []


def test_the_table_of_layers_has_no_cycle() -> None:
    settled: set[str] = {"messages"}
    while ready := {layer for layer, below in MAY_IMPORT.items() if below <= settled} - settled:
        settled |= ready
    assert settled >= set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("dragonhall.server.game", "from dragonhall.bots import runner"),
        ("dragonhall.server.game", "import dragonhall.bots.runner"),
        ("dragonhall.server.game", "from dragonhall import client"),
        ("dragonhall.server.game", "from ..bots.runner import run_bot"),
        ("dragonhall.server.game", "def later() -> None:\n    import dragonhall.arena"),
        ("dragonhall.server.game", "import grpc"),
        ("dragonhall.server.game", "from grpc import aio"),
        ("dragonhall.server.game", "from dragonhall.v1 import play_service_pb2_grpc"),
        ("dragonhall.bots.runner", "from google.protobuf import json_format"),
        ("dragonhall.rules.table", "from dragonhall.wire import codec"),
        ("dragonhall.rules.table", "from dragonhall.v1 import game_pb2"),
        ("dragonhall.rules.table", "import numpy"),
        ("dragonhall.rules.table", "import random"),
        ("dragonhall.client.seat", "from dragonhall.cli import main"),
        ("dragonhall.unheard_of.module", "import os"),
    ],
)
def test_a_wrong_import_is_found(module: str, line: str) -> None:
    assert list(violations(module, line, module.rpartition(".")[0]))


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("dragonhall.server.services.play_service", "import grpc"),
        ("dragonhall.server.game", "from dragonhall.v1 import game_pb2"),
        ("dragonhall.rules.dragons.state", "from dragonhall.rules.journal import Journal"),
        ("dragonhall.rules.dragons.state", "from ..journal import Journal"),
        ("dragonhall.rules.dragons.state", "from librt.vecs import vec"),
        ("dragonhall.cli.serve", "from dragonhall.server import app"),
    ],
)
def test_a_right_import_is_let_through(module: str, line: str) -> None:
    assert list(violations(module, line, module.rpartition(".")[0])) == []


def test_relative_imports_are_resolved_as_python_does() -> None:
    source = "from . import a\nfrom .b import c\nfrom ..d import e\nfrom .. import f\n"
    names = [imported.name for imported in imports_of(source, "dragonhall.server.store")]
    assert names == [
        "dragonhall.server.store.a",
        "dragonhall.server.store.b.c",
        "dragonhall.server.d.e",
        "dragonhall.server.f",
    ]
