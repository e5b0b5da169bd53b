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

EXTENSION_SUFFIXES = (".so", ".pyd")


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


def extension_modules(root: Path) -> list[Path]:
    """The extension modules below ``root``, relative to it."""
    return sorted(path.relative_to(root) for path in root.rglob("*") if path.suffix in EXTENSION_SUFFIXES)


def place_in_tree(repository: Path, extension: Path) -> Path:
    """Where an extension module (a path relative to its import root) belongs: beside its source.

    The library that they all share has no source, and goes to the first import root.
    """
    source = extension.with_name(extension.name.partition(".")[0] + ".py")
    roots = [repository / root for root in IMPORT_ROOTS]
    return next((root for root in roots if (root / source).exists()), roots[0]) / extension


def compile_modules(repository: Path, sources: list[str], target: Path) -> list[Path]:
    """Compile ``sources`` (relative to ``repository``) into the import root ``target``.

    Returns the paths of the extension modules, relative to ``target``. Raises CompilationError.
    """
    with tempfile.TemporaryDirectory(prefix="dragonhall-mypyc-") as scratch, _working_directory(repository):
        try:
            _try_compiler(Path(scratch))
            _build_extensions(sources, Path(scratch), target)
        except SystemExit as error:  # how mypyc reports a type error
            raise CompilationError(f"mypyc refused the sources ({error})") from error
        except Exception as error:
            raise CompilationError(f"{type(error).__name__}: {error}") from error
    return extension_modules(target)


def _try_compiler(scratch: Path) -> None:
    """Compile one line against Python's headers: where that fails, there is no point in translating every module."""
    # setuptools first: it brings distutils where Python no longer does. An interpreted build needs neither.
    import setuptools  # noqa: F401, I001
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler, get_python_inc

    source = scratch / "headers.c"
    source.write_text("#include <Python.h>\n")
    compiler = new_compiler()
    customize_compiler(compiler)
    compiler.compile([str(source)], output_dir=str(scratch), include_dirs=[get_python_inc()])


def _build_extensions(sources: list[str], scratch: Path, target: Path) -> None:
    from setuptools import Distribution  # isort: skip (before mypyc: see above)
    from mypyc.build import mypycify
    from setuptools.command.build_ext import build_ext

    extensions = mypycify(
        ["--config-file=pyproject.toml", "--follow-imports=silent", *sources], group_name=GROUP, target_dir=str(scratch)
    )
    for extension in extensions:
        extension.name = _without_import_root(extension.name)
        if os.name == "posix":  # let the compiler inline calls within the library: a fifth faster
            extension.extra_compile_args.append("-fno-semantic-interposition")
    command = build_ext(Distribution({"name": GROUP, "ext_modules": extensions}))
    command.build_lib = str(target)
    command.build_temp = str(scratch / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


def _without_import_root(module: str) -> str:
    for root in IMPORT_ROOTS:
        module = module.removeprefix(root.replace("/", ".") + ".")
    return module


@contextlib.contextmanager
def _working_directory(path: Path) -> Iterator[None]:
    """mypyc reads its configuration, and derives module names, from the working directory."""
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
