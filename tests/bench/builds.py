"""The same sources twice, interpreted and compiled, and what a process measures with either.

Needs the packages of ``dragonhall[dev]``, a C compiler, and generated protobuf code beside the sources.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tomllib
from pathlib import Path

from deploy.packaging.compiled import compile_modules, modules_to_compile

REPOSITORY = Path(__file__).resolve().parents[2]
_ROOTS = ("server", "bots", "clients/python", "protos")


class CannotMeasure(Exception):
    """A worker failed; the message says why."""


def import_roots(scratch: Path) -> dict[str, Path]:
    """Import roots in ``scratch``: one of sources alone, one with the hot modules compiled beside them."""
    roots = {"interpreted": scratch / "interpreted", "compiled": scratch / "compiled"}
    for root in roots.values():
        for source in _ROOTS:
            shutil.copytree(
                REPOSITORY / source / "dragonhall",
                root / "dragonhall",
                ignore=shutil.ignore_patterns("*.so", "__pycache__"),
                dirs_exist_ok=True,
            )
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    hot = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["compile"]
    compile_modules(REPOSITORY, modules_to_compile(REPOSITORY, hot), roots["compiled"])
    return roots


def measured(script: Path, python: str, arguments: list[str], root: Path | None = None) -> dict[str, float]:
    """What a run of ``script`` prints: one JSON object. With an import root it finds Dragonhall there.

    Raises CannotMeasure.
    """
    environment = dict(os.environ) | ({"PYTHONPATH": str(root)} if root else {})
    command = [python, str(script), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} failed:\n{done.stderr}")
    rates: dict[str, float] = json.loads(done.stdout)
    return rates


def medians(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The median of each rate over the rounds."""
    return {name: statistics.median(found[name] for found in rounds) for name in rounds[0]}
