"""How commands end: exit codes that scripts can use, and one line on stderr that says why."""

from __future__ import annotations

import asyncio
import functools
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, Final, NoReturn, ParamSpec, TypeVar

import typer

from dragonhall.arena import BotsMissing, GameAborted, NotServing
from dragonhall.bots import (
    CannotThink,
    InvalidIdentity,
    InvalidPolicy,
    NotPortable,
    PolicyFailed,
    SeatGivenUp,
    UnknownKind,
)
from dragonhall.bots.operating.addresses import CannotListen
from dragonhall.bots.operating.asking import NoBotThere, NothingKnown
from dragonhall.cli.access import given
from dragonhall.cli.streams import NOBODY_READS, discard
from dragonhall.client import ClientError, DragonhallError, ServerUnavailable
from dragonhall.client.errors import NO_TLS, NOT_TRUSTED, SOCKET_CLOSED
from dragonhall.rules.errors import InvalidComponents, InvalidOptions
from dragonhall.wire.records import RecordError

OK: Final = 0
NO: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 3
FAILED: Final = 4
INTERRUPTED: Final = 130
TERMINATED: Final = 143

EXIT_CODES_HELP: Final = (
    "Exit codes: 0 done; 1 the answer is no (a record is rejected, a server is not serving or"
    " refuses, a match's bot does not come, a bot fails a trial); 2 wrong usage"
    " or a file that cannot be read or written; 3 the server cannot be reached; 4 a process started by the command"
    " failed; 130 interrupted (Ctrl-C); 141 nobody reads the output any more; 143 terminated. Results go to stdout,"
    " everything else to stderr."
)

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class ChildFailed(Exception):
    """A process that this command started did not start, or ended before its time."""


class Terminated(Exception):
    """This process was asked to end (SIGTERM)."""


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs ``work``; Ctrl-C and SIGTERM cancel it, so that everything it opened is closed in order.

    Raises KeyboardInterrupt or `Terminated` then.
    """
    return asyncio.run(_until_terminated(work))


async def _until_terminated(work: Coroutine[Any, Any, _Result]) -> _Result:
    task = asyncio.current_task()
    assert task is not None
    terminated = False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        task.cancel()

    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        return await work
    except asyncio.CancelledError:
        if terminated:
            raise Terminated from None
        raise


def with_exit_codes(command: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Turns what a command raises on purpose into one line on stderr and the exit code that stands for it."""

    @functools.wraps(command)
    def wrapper(*args: _Parameters.args, **kwargs: _Parameters.kwargs) -> _Result:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except Terminated:
            raise typer.Exit(TERMINATED) from None
        except BrokenPipeError:  # a remark's: see standard_streams for stdout
            discard(sys.stderr.fileno())
            raise typer.Exit(NOBODY_READS) from None
        except Exception as error:
            code = _exit_code(error)
            if code is None:
                raise
            fail(_words(error), code)

    return wrapper


def fail(message: str, code: int) -> NoReturn:
    """Ends the command with one line on stderr."""
    typer.echo(f"dragonhall: {message}", err=True)
    raise typer.Exit(code)


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, ServerUnavailable):
        return str(error) + _advice(error.cause)
    return str(error)


def _advice(cause: str) -> str:
    """What to say before the command, if that may be why the server cannot be reached."""
    if cause == SOCKET_CLOSED and not given().has_tls:
        return ". If it has TLS, say so before the command: dragonhall --tls … or --tls-ca FILE …"
    if cause == NOT_TRUSTED:
        return ". Say whose it is before the command: dragonhall --tls-ca FILE …"
    if cause == NO_TLS:
        return ". Leave --tls, --tls-ca and their environment variables away"
    return ""


def _exit_code(error: Exception) -> int | None:
    """The exit code of an expected error; ``None`` for a fault of ours, which deserves its traceback."""
    match error:
        case ServerUnavailable() | NoBotThere():
            return UNREACHABLE
        case DragonhallError():
            return USAGE if error.reason == "INVALID_FIELD" else NO
        case InvalidOptions() | InvalidComponents() | InvalidIdentity() | UnknownKind() | InvalidPolicy():
            return USAGE
        case CannotThink() | NotPortable() | CannotListen() | RecordError() | OSError():
            return USAGE
        case GameAborted() | BotsMissing() | NotServing() | ClientError() | NothingKnown():
            return NO
        case ChildFailed() | SeatGivenUp() | PolicyFailed():
            return FAILED
    return None
