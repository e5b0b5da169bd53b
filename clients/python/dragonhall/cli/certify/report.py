"""The verdicts as a table for people and as JUnit XML for build servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from rich.markup import escape
from rich.table import Table as RichTable

from dragonhall.cli.certify.contract import Clause
from dragonhall.cli.certify.trials import Trial
from dragonhall.cli.certify.verdicts import Result, Verdict
from dragonhall.cli.console import table
from dragonhall.wire.texts import printable

_SHOWN: Final = {
    Result.PASSED: "[green]pass[/green]",
    Result.FAILED: "[bold red]FAIL[/bold red]",
    Result.NOT_APPLICABLE: "[dim]n/a[/dim]",
    Result.NOT_TRIED: "[yellow]not tried[/yellow]",
}
_CLASS: Final = "dragonhall.certify"
_KEPT: Final = "\n\t"
"""Of a bot's last words, which may be anything that XML cannot have and a terminal would obey."""


def verdict_table(verdicts: Sequence[Verdict]) -> RichTable:
    """One line a trial; a failed one has what the bot did and the sentence that it broke."""
    shown = table("trial", "", "seconds", "what was tried", numbers=("seconds",), wraps=("what was tried",))
    for verdict in verdicts:
        what = escape(verdict.trial.title)
        if verdict.reason:
            reason = escape(printable(verdict.reason, kept=_KEPT))
            what += f"\n[bold]{reason}[/bold]" if verdict.clause else f"\n{reason}"
        if verdict.clause:
            what += f"\n{escape(_quoted(verdict.clause))}"
        shown.add_row(verdict.trial.key, _SHOWN[verdict.result], f"{verdict.seconds:.1f}", what)
    return shown


def trial_table(trials: Sequence[Trial]) -> RichTable:
    """What there is to try, what it needs, and what it is about."""
    shown = table("trial", "needs", "what is tried, and the contract", wraps=("what is tried, and the contract",))
    for trial in trials:
        needs = trial.game or ("--command" if trial.needs_command else "")
        shown.add_row(trial.key, needs, f"{escape(trial.title)}\n[dim]{escape(_quoted(trial.clause))}[/dim]")
    return shown


def summary(verdicts: Sequence[Verdict]) -> str:
    """As ``17 passed, 1 failed``."""
    counts = Counter(verdict.result for verdict in verdicts)
    return ", ".join(f"{counts[result]} {result}" for result in Result if counts[result])


def write_junit(verdicts: Sequence[Verdict], name: str, path: Path) -> None:
    """Raises `OSError`."""
    counts = Counter(verdict.result for verdict in verdicts)
    suite = ElementTree.Element(
        "testsuite",
        name=f"dragonhall certify {name}",
        tests=str(len(verdicts)),
        failures=str(counts[Result.FAILED]),
        errors=str(counts[Result.NOT_TRIED]),
        skipped=str(counts[Result.NOT_APPLICABLE]),
        time=f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    )
    for verdict in verdicts:
        suite.append(_junit_case(verdict))
    document = ElementTree.ElementTree(suite)
    ElementTree.indent(document)
    document.write(path, encoding="utf-8", xml_declaration=True)


def _junit_case(verdict: Verdict) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=_CLASS, name=verdict.trial.key, time=f"{verdict.seconds:.3f}")
    kind = {Result.FAILED: "failure", Result.NOT_TRIED: "error", Result.NOT_APPLICABLE: "skipped"}.get(verdict.result)
    if kind is not None:
        found = ElementTree.SubElement(case, kind, message=printable(verdict.reason.partition("\n")[0], kept=_KEPT))
        said = f"{verdict.reason}\n{_quoted(verdict.clause)}" if verdict.clause else verdict.reason
        found.text = printable(said, kept=_KEPT)
    return case


def _quoted(clause: Clause) -> str:
    return f"{clause.proto}: “{clause.text}”"
