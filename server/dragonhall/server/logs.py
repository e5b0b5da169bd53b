"""Logs for an operator: one event a line, ``key=value`` or JSON, on standard error. No tokens, nothing hidden."""

from __future__ import annotations

import ast
import json
import logging
import re
import sys
import time
from typing import Final

from dragonhall.server.config import ConfigError, ServerConfig

LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

OURS: Final = "dragonhall.server"
OTHERS: Final = ("asyncio", "grpc")
"""Loggers: of what the server is built on, warnings go the same way, each as one event."""

SECRETS: Final = re.compile(
    r"""
      -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?-----END\ [A-Z ]*PRIVATE\ KEY-----
    | \beyJ[\w-]+\.[\w-]+\.[\w-]*                                    # a JSON Web Token
    | (?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43,}              # a token, invitation code or API key
    | (?<![\w-])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}  # a UUID, as request ids are
    | (?<!\w)[0-9a-fA-F]{64}(?!\w)                                    # a seed, or the hash of anything
    """,
    re.VERBOSE | re.DOTALL,
)


def without_secrets(text: str) -> str:
    """The text with everything taken out that looks like one of our secrets.

    Nothing is logged on purpose that has any. This is for what is not: somebody's exception, and its traceback.
    """
    return SECRETS.sub("[secret]", text)


def set_up_logs(config: ServerConfig) -> None:
    """Sends everything that `dragonhall.server` logs to standard error. Raises `ConfigError`."""
    if config.log_level.upper() not in LEVELS:
        raise ConfigError(f"log level {config.log_level!r} is none of {', '.join(LEVELS)}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_WithoutSecrets(_JsonLines() if config.log_format == "json" else _KeyValueLines()))
    for name in (OURS, *OTHERS):
        logger = logging.getLogger(name)
        logger.setLevel(config.log_level.upper() if name == OURS else logging.WARNING)
        logger.handlers = [handler]
        logger.propagate = False


class _WithoutSecrets(logging.Formatter):
    """What another formatter makes of a record, as far as anyone may read it."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(self._inner.format(record))


class _KeyValueLines(logging.Formatter):
    """``time=2026-01-31T12:00:00.123Z level=info event=…``, and an error's traceback on the lines below."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return f"time={_time(record)} level={record.levelname.lower()} {_message(record)}"


class _JsonLines(logging.Formatter):
    """One JSON object a line; a traceback is one of its texts."""

    _PAIR = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)")

    def format(self, record: logging.LogRecord) -> str:
        pairs = {key: _unquoted(value) for key, value in self._PAIR.findall(_message(record))}
        if record.exc_info:
            pairs["traceback"] = self.formatException(record.exc_info)
        return json.dumps({"time": _time(record), "level": record.levelname.lower(), **pairs})


def _message(record: logging.LogRecord) -> str:
    """Ours is an event already."""
    if record.name.startswith(OURS):
        return record.getMessage()
    return f"event=log logger={record.name} message={record.getMessage()!r}"


def _unquoted(value: str) -> str:
    """A value that was written with ``%r``, as it was."""
    return str(ast.literal_eval(value)) if value[0] in "'\"" else value


def _time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"
