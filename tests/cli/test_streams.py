"""Standard streams that are closed, full, or that nobody reads any more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import COMMAND, LIMIT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a POSIX shell does")

RECORD = Path(__file__).parents[2] / "protos" / "vectors" / "record.json"
MATCH = ("match", "dragons", "--seats", "random,random,random")

Done = subprocess.CompletedProcess[bytes]


def _shell(redirection: str, *arguments: str | Path) -> Done:
    """Runs ``dragonhall ARGUMENTS REDIRECTION`` in a shell."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'"$@" {redirection}', "bash", *COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
    )


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("verify", "--help"), ("version",), ("verify", RECORD), ("verify", RECORD, "--json"), MATCH],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_a_reader_that_went_away_ends_the_command_quietly(arguments: tuple[str | Path, ...]) -> None:
    done = _shell("2> >(cat >&2) | true", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (141, b"", b"")


def test_a_reader_that_went_away_ends_the_demo_and_all_it_started(tmp_path: Path) -> None:
    done = _shell("2>&1 | head -1", "demo", "--folder", tmp_path)
    assert done.returncode == 141
    assert done.stdout.startswith(b"starting a server and the bots")
    assert b"event=stopped" in (tmp_path / "server.log").read_bytes()


def test_a_reader_that_takes_all_gets_all() -> None:
    done = _shell("| cat", "verify", RECORD)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{RECORD}: good".encode())


@pytest.mark.parametrize("redirection", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_as_good_as_none(redirection: str) -> None:
    for arguments in (MATCH, ("verify", RECORD)):
        done = _shell(redirection, *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_file_never_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """What is printed would be written into it."""
    record = tmp_path / "game.json"
    assert _shell(">&-", *MATCH, "--record", record).returncode == 0
    assert _shell("", "verify", record).returncode == 0


def test_standard_input_that_is_closed_is_empty() -> None:
    done = _shell("<&-", "verify", "-")
    assert (done.returncode, done.stderr) == (2, b"dragonhall: - cannot be read: the file is empty\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_said_in_one_line() -> None:
    done = _shell(">/dev/full", "verify", RECORD)
    assert (done.returncode, done.stderr) == (2, b"dragonhall: standard output: No space left on device\n")
