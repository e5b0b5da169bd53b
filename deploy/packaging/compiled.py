"""Compile the hot modules with mypyc into extension modules that stand beside, and win over, their sources."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

GROUP = "dragonhall"
"""Names the shared library that holds all the native code: one library, so that calls between modules stay native."""

IMPORT_ROOTS = ("server", "bots", "clients/python")


class CompilationError(Exception):
    """mypyc or the C compiler failed; what they printed says why."""


def modules_to_compile(repository: Path, patterns: list[str]) -> list[str]:
    """The source files that ``patterns`` (globs relative to ``repository``) name, sorted.

    Raises CompilationError for a pattern that names nothing: a module was moved and would silently stay interpreted.
    """
    found: set[str] = set()
    for pattern in patterns:
        matches = [path.relative_to(repository).as_posix() for path in repository.glob(pattern)]
        if not matches:
            raise CompilationError(f"pyproject.toml lists {pattern!r} to be compiled, but no such file exists")
        found.update(matches)
    return sorted(found)


def compile_modules(repository: Path, sources: list[str], target: Path) -> list[Path]:
    """Compile ``sources`` (relative to ``repository``) into the import root ``target``.

    Returns the paths of the extension modules, relative to ``target``. Raises CompilationError.
    """
    with tempfile.TemporaryDirectory(prefix="dragonhall-mypyc-") as scratch, _working_directory(repository):
        try:
            _build_extensions(sources, Path(scratch), target)
        except SystemExit as error:  # how mypyc reports a type error
            raise CompilationError(f"mypyc refused the sources: {error}") from error
        except Exception as error:
            raise CompilationError(f"{type(error).__name__}: {error}") from error
    return sorted(path.relative_to(target) for path in target.rglob("*") if path.suffix in (".so", ".pyd"))


def _build_extensions(sources: list[str], scratch: Path, target: Path) -> None:
    # setuptools before anything of distutils, and both only here: an interpreted build needs neither.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    extensions = mypycify(["--config-file=pyproject.toml", *sources], group_name=GROUP, target_dir=str(scratch))
    for extension in extensions:
        extension.name = _without_root(extension.name)
    distribution = Distribution({"name": GROUP, "ext_modules": extensions})
    command = build_ext(distribution)
    command.build_lib = str(target)
    command.build_temp = str(scratch / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def _without_root(module: str) -> str:
    for root in IMPORT_ROOTS:
        module = module.removeprefix(root.replace("/", ".") + ".")
    return module


@contextlib.contextmanager
def _working_directory(path: Path) -> Iterator[None]:
    """mypyc reads its configuration and derives module names from the working directory."""
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
