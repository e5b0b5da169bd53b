"""How much a command that serves or plays logs, and how its lines look. The server writes its own in the same style."""

from __future__ import annotations

import logging
import sys
import time
from enum import StrEnum
from typing import Annotated

import typer

from dragonhall.wire.texts import json_text


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How a line of the log looks."""

    TEXT = "text"
    JSON = "json"


Level = Annotated[
    LogLevel,
    typer.Option(
        "--log-level",
        metavar="LEVEL",
        help=f"How much to log, to stderr: {', '.join(LogLevel)}.",
        case_sensitive=False,
    ),
]
Format = Annotated[
    LogFormat,
    typer.Option(
        "--log-format", metavar="FORMAT", help="A line as text, key=value, or as one JSON object: text, json."
    ),
]


def set_up_logs(name: str, level: LogLevel, format: LogFormat) -> None:
    """Sends everything that the logger ``name`` logs to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if format is LogFormat.JSON else _KeyValueLines())
    logger = logging.getLogger(name)
    logger.setLevel(level.name)
    logger.handlers = [handler]
    logger.propagate = False


class _KeyValueLines(logging.Formatter):
    """``time=2026-01-31T12:00:00.123Z level=info message='…'``, and an error's traceback on the lines below."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return f"time={_time(record)} level={record.levelname.lower()} message={record.message!r}"


class _JsonLines(logging.Formatter):
    """One JSON object a line; a traceback is one of its texts."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _time(record), "level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json_text(line)


def _time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"
