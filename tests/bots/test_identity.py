"""A bot's secret and what follows from it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from dragonhall.bots import Identity, InvalidIdentity, UnknownKind, run_bot
from dragonhall.bots.identity import decision_seed


def test_a_file_keeps_the_identity_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    first, again = Identity.of_file(path), Identity.of_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert first.request_id("game", 2) == again.request_id("game", 2)
    assert first.nonce("game", 2) == again.nonce("game", 2)
    assert first.default_seed() == again.default_seed()


def test_everything_derived_is_different_and_cannot_be_had_without_the_secret(tmp_path: Path) -> None:
    bots = [Identity.fresh(), Identity.fresh(), Identity.of_file(tmp_path / "bot")]
    derived = {bot.request_id(game, seat) for bot in bots for game in ("a", "b") for seat in (0, 1)}
    derived |= {bot.nonce(game, seat).hex() for bot in bots for game in ("a", "b") for seat in (0, 1)}
    derived |= {bot.default_seed() for bot in bots}
    assert len(derived) == 3 * (4 + 4 + 1)
    assert all(len(text) == 64 for text in derived)


@pytest.mark.parametrize("content", ["", "abc", "00" * 31, "zz" * 32, "\xff"])
def test_another_file_is_no_identity(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bot"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InvalidIdentity, match="64 hexadecimal digits"):
        Identity.of_file(path)


def test_each_decision_has_random_numbers_of_its_own() -> None:
    seeds = {
        decision_seed(bot, bytes([game]) * 32, seat, decision)
        for bot in ("a", "b")
        for game in (0, 1)
        for seat in (1, 11)
        for decision in (1, 11)
    }
    assert len(seeds) == 16


async def test_an_unknown_kind_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownKind, match="greedy, mcts, mcts-fast, mcts-strong, random; mcts@2000"):
        await run_bot("rex", "clever", "127.0.0.1:1")
