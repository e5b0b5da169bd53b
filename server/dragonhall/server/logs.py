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


def set_up_logs(config: ServerConfig) -> None:
    """Sends everything that `dragonhall.server` logs to standard error. Raises `ConfigError`."""
    if config.log_level.upper() not in LEVELS:
        raise ConfigError(f"log level {config.log_level!r} is none of {', '.join(LEVELS)}")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines() if config.log_format == "json" else _KeyValueLines())
    logger = logging.getLogger("dragonhall.server")
    logger.setLevel(config.log_level.upper())
    logger.handlers = [handler]
    logger.propagate = False


class _KeyValueLines(logging.Formatter):
    """``time=2026-01-31T12:00:00.123Z level=info event=…``, and an error's traceback on the lines below."""

    def format(self, record: logging.LogRecord) -> str:
        return f"time={_time(record)} level={record.levelname.lower()} {super().format(record)}"


class _JsonLines(logging.Formatter):
    """One JSON object a line; a traceback is one of its texts."""

    _PAIR = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)")

    def format(self, record: logging.LogRecord) -> str:
        pairs = {key: _unquoted(value) for key, value in self._PAIR.findall(record.getMessage())}
        if record.exc_info:
            pairs["traceback"] = self.formatException(record.exc_info)
        return json.dumps({"time": _time(record), "level": record.levelname.lower(), **pairs})


def _unquoted(value: str) -> str:
    """A value that was written with ``%r``, as it was."""
    return str(ast.literal_eval(value)) if value[0] in "'\"" else value


def _time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"
