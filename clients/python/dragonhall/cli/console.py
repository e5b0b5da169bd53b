"""Where output goes: results to stdout, progress to stderr. Neither gets control codes unless it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.table import Table

from dragonhall.wire.texts import json_text, printable


def results() -> Console:
    """For results. Wide enough for any table of ours where nobody looks."""
    return Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120, highlight=False, soft_wrap=False)


def progress() -> Console:
    """For progress and remarks."""
    return Console(file=sys.stderr, highlight=False)


def note(text: str) -> None:
    """One remark on stderr, as it is but for what a terminal would obey."""
    print(printable(text, kept="\n\t"), file=sys.stderr, flush=True)


def print_json(data: Any) -> None:
    """One JSON document on stdout."""
    print(json_text(data, indent=2), flush=True)


def table(*columns: str, numbers: tuple[str, ...] = (), wraps: tuple[str, ...] = ()) -> Table:
    """An empty table; columns in ``numbers`` are aligned to the right, those in ``wraps`` may take several lines."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", no_wrap=column not in wraps)
    return made


@contextmanager
def shown(renderable: Any) -> Iterator[None]:
    """Keeps ``renderable`` (something that rich draws anew each time) on a terminal's last lines meanwhile."""
    from rich.live import Live

    console = progress()
    if not console.is_terminal:
        yield
        return
    with Live(renderable, console=console, refresh_per_second=10, transient=True):
        yield
