"""One trial: what is tried, what it needs, and the sentence of the contract that it is about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragonhall.cli.certify.contract import Clause

if TYPE_CHECKING:
    from dragonhall.cli.certify.bench import Bench


@dataclass(frozen=True)
class Trial:
    """Something that befalls every bot some day."""

    key: str
    """As ``duplicate-prompt``."""
    title: str
    """What happens, in a few words."""
    clause: Clause
    """What it is about most of all."""
    run: Callable[[Bench], Awaitable[None]]
    """Raises `Broken`, or `NotApplicable`."""
    game: str | None = None
    """That the bot has to play; None: any one."""
    needs_command: bool = False
    """The bot has to be started here."""
