"""Which role a token proves, and what a role may do.

To whoever has none of a private game's tokens the game is as one that does not exist: the refusal is the same to the
letter. (Its id has 80 random bits, so that nobody asks about it by chance.)
"""

from __future__ import annotations

from dataclasses import dataclass

from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal, game_not_found
from dragonhall.server.settings import Visibility
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, find_hash, matches


@dataclass(frozen=True, slots=True)
class Role:
    """What a token proves."""

    seat: int | None = None
    """``None``: it is no seat's."""
    is_host: bool = False

    @property
    def whose(self) -> str:
        """For messages: whose token it is."""
        if self.seat is not None:
            return "a seat's"
        return "the host's" if self.is_host else "a spectator's"


def role_of(game: Playthrough, token: str) -> Role:
    """The role that ``token`` proves. Raises `Refusal`."""
    seats = game.seats
    hashes = [seat.taken.token_hash if seat.taken else b"" for seat in seats]
    roles = [Role(seat.seat) for seat in seats] + [Role(is_host=True), Role()]
    hashes += [game.created.host_token_hash, game.created.spectator_token_hash]
    found = find_hash(token, hashes) if len(token) <= MAX_TOKEN_LENGTH else None
    if found is not None:
        return roles[found]
    if is_private(game):
        raise game_not_found()
    raise Refusal(Reason.TOKEN_INVALID, "the token is missing or not one of this game's: take a seat first")


def is_private(game: Playthrough) -> bool:
    """Whether only those with a token know of the game."""
    return game.created.settings.visibility is Visibility.PRIVATE


def check_may_watch(game: Playthrough, token: str) -> None:
    """Raises `Refusal` unless whoever shows ``token`` may know of the game: anyone of a public one."""
    if is_private(game):
        role_of(game, token)


def viewer_of(game: Playthrough, token: str) -> int | None:
    """The seat that watches with ``token``. Raises `Refusal`.

    ``None``: a spectator, for no token, the spectators', and the host's: a host who plays has the seat's own besides.
    """
    check_may_watch(game, token)
    return role_of(game, token).seat if token else None


def seat_of(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves. Raises `Refusal`."""
    role = role_of(game, token)
    if role.seat is None:
        raise Refusal(Reason.NOT_YOUR_ROLE, f"this is {role.whose} token; a seat's token is needed here")
    return role.seat


def check_host(game: Playthrough, token: str) -> None:
    """Raises `Refusal` unless ``token`` proves the host."""
    role = role_of(game, token)
    if not role.is_host:
        raise Refusal(Reason.NOT_YOUR_ROLE, f"this is {role.whose} token; the host's token is needed here")


def holds_seat(game: Playthrough, seat: int, token: str) -> bool:
    """Whether ``token`` proves ``seat`` now."""
    taken = game.seats[seat].taken
    return taken is not None and matches(token, taken.token_hash)
