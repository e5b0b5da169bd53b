"""What holds for every test: how the code under test is found, and that it is the code of this tree.

DRAGONHALL_PURE=1 runs compiled modules from their sources, so that the same tests check both.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from pathlib import Path

import hypothesis
import pytest

from deploy.packaging import compiled, generate

RUN_SOURCES = os.environ.get("DRAGONHALL_PURE", "0") not in ("", "0")

hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, max_examples=200, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    _let_processes_have_signals()
    roots = [Path(entry) for entry in sys.path if (Path(entry) / "dragonhall").is_dir()]
    if not roots:
        pytest.exit("dragonhall is not installed here: pip install -e '.[dev]'", returncode=4)
    problems = [*_stale_generated_code(roots), *([] if RUN_SOURCES else _stale_extension_modules(roots))]
    if problems:
        pytest.exit("\n".join(problems), returncode=4)
    if RUN_SOURCES:
        _import_sources_only(roots)


def _let_processes_have_signals() -> None:
    """What is ignored here is ignored by every process that a test starts; what has a handler is not.

    A shell has its commands in the background ignore Ctrl-C, and nohup the end of the terminal.
    """
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, lambda number, frame: None)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        type=int,
        default=20,
        help="random games that the simulations play for each game and number of seats (1000 for a long look)",
    )
    parser.addoption(
        "--fuzz", type=int, default=20, help="how often each method is sent nonsense (5000 for a long look)"
    )


def pytest_report_header(config: pytest.Config) -> str:
    from dragonhall.rules.build import is_compiled

    return f"dragonhall: rules {'compiled' if is_compiled() else 'interpreted'}"


def pytest_collection_finish() -> None:
    """Locust, once imported, patches threads and sockets for gevent; gRPC's event loop then waits for ever."""
    if "gevent.monkey" in sys.modules:
        pytest.exit("A test module imports locust or gevent: run what needs them in a process of its own", returncode=4)


def _stale_generated_code(roots: list[Path]) -> Iterator[str]:
    """An installed wheel brings its generated code; beside the .proto files it can fall behind them."""
    for root in roots:
        stale = generate.stale(root) if root.name == "protos" else []
        if stale:
            names = ", ".join(proto.relative_to(root).as_posix() for proto in stale)
            yield f"Generated code is missing or older than {names}. Run: {generate.COMMAND}"


def _stale_extension_modules(roots: list[Path]) -> Iterator[str]:
    """An extension module wins over its source, so that an edit of the source would be tested by no test."""
    for root in roots:
        for extension in compiled.extension_modules(root / "dragonhall"):
            built = root / "dragonhall" / extension
            source = built.with_name(built.name.split(".")[0] + ".py")
            if source.exists() and source.stat().st_mtime_ns > built.stat().st_mtime_ns:
                yield f"{source} was changed after it was compiled. Set DRAGONHALL_PURE=1, or run: pip install -e ."


def _import_sources_only(roots: list[Path]) -> None:
    """Let the import system see no extension module below the import roots."""

    def find_sources(path: str) -> FileFinder:
        if not any(Path(path).is_relative_to(root / "dragonhall") for root in roots):
            raise ImportError(f"{path} is none of dragonhall's")
        return FileFinder(path, (SourceFileLoader, SOURCE_SUFFIXES))

    sys.path_hooks.insert(0, find_sources)
    sys.path_importer_cache.clear()
