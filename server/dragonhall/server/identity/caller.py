"""A caller: whoever a call's credentials show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from dragonhall.server.refusal import Reason, Refusal

Permission = Literal["create", "import"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and what that caller may do. What a token of a game proves needs no permission."""

    name: str
    """Unique on the server: as the auth file has it, or ``oidc:…``, ``cert:…``, ``anonymous:…``. For the log and as the
    owner of games; no other caller is told."""
    may_create: bool = True
    """Games."""
    may_import: bool = False
    """Records of games that were played elsewhere."""
    refused_bots: frozenset[str] = frozenset()
    """Bot names that are kept for others; all others it may play under."""

    def check_may(self, permission: Permission) -> None:
        """Raises `Refusal` (NOT_ALLOWED) without the permission."""
        allowed = self.may_create if permission == "create" else self.may_import
        if not allowed:
            what = "create games" if permission == "create" else "import records"
            raise Refusal(
                Reason.NOT_ALLOWED,
                f"you may not {what} on this server: call with credentials that may, or ask its operator",
                permission=permission,
            )

    def may_play(self, bot_name: str) -> bool:
        """Whether nobody else plays under that bot's name."""
        return bot_name not in self.refused_bots

    def check_bot(self, bot_name: str) -> None:
        """Raises `Refusal` (NOT_ALLOWED) for the name of a bot that somebody else plays under."""
        if not self.may_play(bot_name):
            raise Refusal(
                Reason.NOT_ALLOWED,
                f"the name {bot_name!r} is kept for another caller: call with its credentials, or choose another name",
                permission="bot",
            )


ANYONE: Final = Caller("anonymous")
"""Whoever calls a server that knows no callers."""
