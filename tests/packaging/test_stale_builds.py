"""A test session does not start on code that is older than its source (see tests/conftest.py)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from deploy.packaging import generate
from deploy.packaging.generate import REPOSITORY


def run_pytest(test: Path, import_root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A session of its own, with one more import root in front and this tree's conftest."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.conftest", str(test)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(import_root), "DRAGONHALL_PURE": "0", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.fixture
def a_test(tmp_path: Path) -> Path:
    path = tmp_path / "test_thing.py"
    path.write_text("def test_thing():\n    from dragonhall.thing import number\n    assert number.ONE == 1\n")
    return path


@pytest.fixture
def shadowed(tmp_path: Path) -> Path:
    """An import root with a module that has an extension module beside it; this one does not even load."""
    root = tmp_path / "server"
    package = root / "dragonhall" / "thing"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "number.py").write_text("ONE = 1\n")
    (package / f"number{EXTENSION_SUFFIXES[0]}").write_text("not machine code")
    return root


def later(path: Path) -> None:
    """Let ``path`` be changed after everything else here."""
    os.utime(path, (time.time() + 60, time.time() + 60))


def test_a_changed_proto_stops_the_session_and_tells_what_to_run(a_test: Path, tmp_path: Path) -> None:
    protos = tmp_path / "protos"
    shutil.copytree(REPOSITORY / "protos", protos)
    later(protos / "dragonhall" / "v1" / "game.proto")
    session = run_pytest(a_test, protos)
    assert session.returncode == pytest.ExitCode.USAGE_ERROR
    assert "dragonhall/v1/game.proto" in session.stdout
    assert generate.COMMAND in session.stdout


def test_a_source_changed_after_it_was_compiled_stops_the_session(a_test: Path, shadowed: Path) -> None:
    later(shadowed / "dragonhall" / "thing" / "number.py")
    session = run_pytest(a_test, shadowed)
    assert session.returncode == pytest.ExitCode.USAGE_ERROR
    assert "number.py was changed after it was compiled" in session.stdout


def test_an_extension_module_wins_over_its_source(a_test: Path, shadowed: Path) -> None:
    later(shadowed / "dragonhall" / "thing" / f"number{EXTENSION_SUFFIXES[0]}")
    session = run_pytest(a_test, shadowed)
    assert session.returncode == pytest.ExitCode.TESTS_FAILED
    assert "ImportError" in session.stdout


def test_dragonhall_pure_runs_the_source(a_test: Path, shadowed: Path) -> None:
    session = run_pytest(a_test, shadowed, DRAGONHALL_PURE="1")
    assert session.returncode == pytest.ExitCode.OK, session.stdout
