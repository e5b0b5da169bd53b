"""Games that this server has and cannot go on with, as those of other rules versions, and who may be told so.

A private one is still there for those alone who have one of its tokens. Whose those are is read off the stored entries
as they are, without the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, find_hash
from dragonhall.storage.v1 import log_pb2

EVERYONE: Final = None
"""May be told: of a public game, and of one that was imported, of which nobody has tokens."""


class UnreadableGame(Refusal):
    """The game is here, but cannot be gone on with. What is refused besides is for the services to decide: `is_for`."""

    def __init__(self, why: str, hashes: Collection[bytes] | None) -> None:
        """``hashes``: of the tokens of those who may be told; `EVERYONE`."""
        super().__init__(Reason.GAME_NOT_RUNNING, f"this game cannot be gone on with here: {why}")
        self._hashes = hashes

    def is_for(self, token: str) -> bool:
        """Whether whoever shows ``token`` may know of the game."""
        if self._hashes is EVERYONE:
            return True
        return len(token) <= MAX_TOKEN_LENGTH and find_hash(token, self._hashes) is not None

    def for_everyone(self) -> Refusal:
        """The same, for who was found to have a right to the game otherwise."""
        return Refusal(self.reason, self.message)


def token_hashes(stored: Iterable[bytes]) -> Collection[bytes] | None:
    """The hashes of a private game's tokens that prove something at its log's end; of an imported one `EVERYONE`."""
    always: set[bytes] = set()
    takers: dict[int, bytes] = {}
    substitutes: dict[int, bytes] = {}
    for entry in map(_entry_of, stored):
        match entry.WhichOneof("cause"):
            case "created":
                if entry.created.imported:
                    return EVERYONE
                always |= {entry.created.host_token_hash, entry.created.spectator_token_hash}
            case "seat_taken":
                takers[entry.seat_taken.seat] = entry.seat_taken.token_hash
            case "seat_left":
                takers.pop(entry.seat_left.seat, None)
            case "seat_substituted":
                substitutes[entry.seat_substituted.seat] = entry.seat_substituted.token_hash
            case "seat_vacated":
                substitutes.pop(entry.seat_vacated.seat, None)
            case "seat_taken_back":
                substitutes.pop(entry.seat_taken_back.seat, None)
    return {*always, *takers.values(), *substitutes.values()}


def _entry_of(data: bytes) -> log_pb2.LogEntry:
    """An entry; an empty one if it is damaged."""
    try:
        return log_pb2.LogEntry.FromString(data)
    except Exception:
        return log_pb2.LogEntry()
