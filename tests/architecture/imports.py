"""Reads what each module imports and says which imports point the wrong way."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy.packaging.compiled import IMPORT_ROOTS
from deploy.packaging.generate import REPOSITORY

MESSAGES = "messages"
"""The layer of all generated packages: dragonhall.v1, dragonhall.dragons.v1 and so on."""

MAY_IMPORT = {
    "rules": set[str](),
    "wire": {"rules", MESSAGES},
    "sandbox": {"rules", "wire", MESSAGES},
    "server": {"rules", "wire", "sandbox", MESSAGES},
    "client": {"rules", "wire", MESSAGES},
    "bots": {"rules", "wire", "client", MESSAGES},
    "arena": {"rules", "wire", "client", "bots", MESSAGES},
    "review": {"rules", "wire", "bots", MESSAGES},
    "cli": {"rules", "wire", "client", "bots", "arena", "review", "sandbox", "server", MESSAGES},
}
"""For each layer (the package right below ``dragonhall``), the other layers that its modules may import."""

SPEAK_GRPC = (
    "dragonhall.wire",
    "dragonhall.client",
    "dragonhall.server.services",
    "dragonhall.bots.operating",
    "dragonhall.cli.certify.proxy",
)
"""The packages where gRPC and protobuf themselves may appear; elsewhere a message is an object with fields."""

A_CALLERS_GENERATOR = "random.Random"
"""The one name of that module that is not global: a generator that whoever samples hands in."""

RULES_MAY_IMPORT = sys.stdlib_module_names - {
    # Rules are pure: no clock, no global randomness, no input or output.
    *("asyncio", "datetime", "logging", "random", "socket", "sqlite3", "subprocess", "threading", "time"),
} | {"librt", "mypy_extensions"}


@dataclass(frozen=True)
class Import:
    line: int
    name: str
    """The imported module, or a name in it: ``from a.b import c`` is ``a.b.c``."""


def our_modules() -> Iterator[tuple[str, Path]]:
    """Every module written by hand, by its dotted name."""
    for root in IMPORT_ROOTS:
        for path in sorted((REPOSITORY / root).rglob("*.py")):
            yield module_name(path.relative_to(REPOSITORY / root)), path


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(source: str, package: str) -> Iterator[Import]:
    """All imports in ``source``, also those inside functions; relative ones are resolved against ``package``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield from (Import(node.lineno, f"{base}.{alias.name}") for alias in node.names)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def layer_of(name: str) -> str:
    """The layer of a dotted name below ``dragonhall``."""
    parts = name.split(".")
    return parts[1] if parts[1] in MAY_IMPORT else MESSAGES


def violations(module: str, source: str, package: str) -> Iterator[str]:
    """What is wrong with the imports of ``module``, one sentence each."""
    layer = layer_of(module)
    if layer not in MAY_IMPORT:
        yield f"{module}: no layer of that name is known; add it to MAY_IMPORT"
        return
    for imported in imports_of(source, package):
        fault = _fault(module, layer, imported.name)
        if fault:
            yield f"{module}:{imported.line} imports {imported.name}: {fault}"


def _fault(module: str, layer: str, imported: str) -> str | None:
    top = imported.split(".")[0]
    if top == "dragonhall":
        target = layer_of(imported)
        if target != layer and target not in MAY_IMPORT[layer]:
            return f"{layer} must not import {target}"
    elif layer == "rules" and top not in RULES_MAY_IMPORT and imported != A_CALLERS_GENERATOR:
        return "rules are pure, and import the standard library, librt and mypy_extensions only"
    speaks_grpc = top.startswith("grpc") or imported.startswith("google.") or "_pb2_grpc" in imported
    if speaks_grpc and not any(module == place or module.startswith(place + ".") for place in SPEAK_GRPC):
        return f"gRPC and protobuf appear only in {', '.join(SPEAK_GRPC)}"
    return None
