"""``dragonhall verify``."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from dragonhall.bots.phrases import counted
from dragonhall.cli.arguments import AsJson
from dragonhall.cli.console import note, print_json
from dragonhall.cli.exits import NO, OK, USAGE, with_exit_codes
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire.records import MAX_RECORD_BYTES, RecordError, Report, read_record, verify_record
from dragonhall.wire.texts import printable

_SHOWN = 20
"""Findings printed of one record: where one thing is wrong, much can follow from it."""


@dataclass(frozen=True)
class _Verdict:
    """What came of one file."""

    file: str
    summary: str
    report: Report | None = None
    """``None``: it could not be read, or not judged."""

    @property
    def exit_code(self) -> int:
        if self.report is None:
            return USAGE
        return OK if self.report.ok else NO


@with_exit_codes
def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Records, JSON or binary; - is stdin.")],
    as_json: AsJson = False,
) -> None:
    """Check records: was the seed the promised one, was chance fair, was every move legal, is every score right?

    Chance is derived again from seed and nonces, the game is replayed, and every outcome, decision, event, audience and
    score is compared; what was answered for absent players has to be the rules' default action, and the clocks have to
    add up. What is wrong is said exactly. Not checked, since nothing depends on them: the game's id, and when it was.

    Exit code 0: all are good. 1: one is rejected. 2: one cannot be read, or is of a game or version not known here.

    [bold]Examples[/bold]

        dragonhall verify game.json

        dragonhall record GAME_ID | dragonhall verify -
    """
    verdicts = [_judge(file) for file in files]
    if as_json:
        print_json([_to_data(verdict) for verdict in verdicts])
    else:
        for verdict in verdicts:
            _print(verdict)
    raise typer.Exit(max(verdict.exit_code for verdict in verdicts))


def _judge(file: str) -> _Verdict:
    try:
        record = read_record(content_of(file))
        report = verify_record(record)
    except OSError as error:
        return _Verdict(file, f"cannot be read: {error.strerror or error}")
    except RecordError as error:
        return _Verdict(file, f"cannot be read: {error}")
    return _Verdict(file, _summary(record, report), report)


def content_of(file: str) -> bytes:
    """A file's, for ``-`` that of stdin: no more than a record may have, so that an endless one does no harm.

    Raises `OSError`, for a folder with the name of a file in it that may be meant: records of several games are one.
    """
    if file == "-":
        return sys.stdin.buffer.read(MAX_RECORD_BYTES + 1)
    path = Path(file)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR) + _file_in(path), file)
    with path.open("rb") as opened:
        return opened.read(MAX_RECORD_BYTES + 1)


def _file_in(folder: Path) -> str:
    first = min(folder.glob("*.json"), default=None)
    return "" if first is None else f"; name a file in it, as {first}"


def _summary(record: GameRecord, report: Report) -> str:
    played = (
        f"{record.options.WhichOneof('game')}, {counted(len(record.seats), 'seat')},"
        f" {counted(report.decisions, 'decision')} replayed,"
        f" {counted(report.chance_outcomes, 'outcome')} of chance derived"
    )
    return f"good ({played})" if report.ok else f"REJECTED ({played})"


def _print(verdict: _Verdict) -> None:
    if verdict.report is None:
        note(f"dragonhall: {verdict.file} {verdict.summary}")
        return
    print(printable(f"{verdict.file}: {verdict.summary}"))
    for finding in verdict.report.findings[:_SHOWN]:
        print(printable(f"  {finding}"))
    if len(verdict.report.findings) > _SHOWN:
        print(f"  … and {len(verdict.report.findings) - _SHOWN} more; --json lists all")


def _to_data(verdict: _Verdict) -> dict[str, Any]:
    if verdict.report is None:
        return {"file": verdict.file, "result": "unreadable", "error": verdict.summary}
    return {
        "file": verdict.file,
        "result": "good" if verdict.report.ok else "rejected",
        "decisions": verdict.report.decisions,
        "chanceOutcomes": verdict.report.chance_outcomes,
        "findings": [
            {"part": finding.part, "where": finding.where, "message": finding.message}
            for finding in verdict.report.findings
        ],
    }
