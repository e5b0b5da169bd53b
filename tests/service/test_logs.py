"""The lines that an operator reads."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Literal

import pytest

from dragonhall.server import ConfigError, ServerConfig
from dragonhall.server.logs import set_up_logs

logger = logging.getLogger("dragonhall.server")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    before = logger.handlers, logger.level, logger.propagate
    yield
    logger.handlers, logger.level, logger.propagate = before


def set_up(log_format: Literal["text", "json"], level: str = "info") -> None:
    set_up_logs(ServerConfig(log_format=log_format, log_level=level))


def test_text_is_one_line_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("text")
    logger.info("event=game_over game=%s error=%r", "abc", "two words")
    logger.debug("event=refused")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("time=20")
    assert err.endswith("Z level=info event=game_over game=abc error='two words'\n")
    assert err.count("\n") == 1


def test_json_is_one_object_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    set_up("json")
    logger.warning("event=game_over game=%s seconds=%.1f error=%r", "abc", 1.5, "two 'words'")
    line = json.loads(capsys.readouterr().err)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "warning",
        "event": "game_over",
        "game": "abc",
        "seconds": "1.5",
        "error": "two 'words'",
    }


def test_a_fault_brings_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    for log_format in ("text", "json"):
        set_up(log_format)
        logger.error("event=fault id=%s", "77", exc_info=ValueError("what went wrong"))
        assert "ValueError: what went wrong" in capsys.readouterr().err


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="log level 'loud'"):
        set_up("text", "loud")
