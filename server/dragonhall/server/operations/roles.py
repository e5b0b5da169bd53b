"""Which role a token proves, and what a role may do.

To whoever has none of a private game's tokens the game is as one that does not exist: the refusal is the same to the
letter. (Its id has 80 random bits, so that nobody asks about it by chance.)
"""

from __future__ import annotations

from dataclasses import dataclass

from dragonhall.server.happenings import Seat
from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal, game_not_found
from dragonhall.server.settings import Visibility
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, find_hash, matches


@dataclass(frozen=True, slots=True)
class Role:
    """What a token proves."""

    seat: int | None = None
    """``None``: it is no seat's."""
    is_substitute: bool = False
    """It is that of the seat's substitute, not that of whoever took the seat first."""
    is_host: bool = False

    @property
    def whose(self) -> str:
        """For messages: whose token it is."""
        if self.is_substitute:
            return "a substitute's"
        if self.seat is not None:
            return "a seat's"
        return "the host's" if self.is_host else "a spectator's"


def role_of(game: Playthrough, token: str) -> Role:
    """The role that ``token`` proves. Raises `Refusal`."""
    seats = game.seats
    hashes = [seat.taken.token_hash if seat.taken else b"" for seat in seats]
    hashes += [seat.substitute_taken.token_hash if seat.substitute_taken else b"" for seat in seats]
    hashes += [game.created.host_token_hash, game.created.spectator_token_hash]
    found = find_hash(token, hashes) if len(token) <= MAX_TOKEN_LENGTH else None
    if found is not None:
        return _role_at(found, len(seats))
    if is_private(game):
        raise game_not_found()
    raise Refusal(Reason.TOKEN_INVALID, "the token is missing or not one of this game's: take a seat first")


def _role_at(position: int, seats: int) -> Role:
    """The role of a position: takers, substitutes, host, spectator."""
    if position < 2 * seats:
        return Role(position % seats, is_substitute=position >= seats)
    return Role(is_host=position == 2 * seats)


def is_private(game: Playthrough) -> bool:
    """Whether only those with a token know of the game. Of one that was imported nobody has any."""
    return game.created.settings.visibility is Visibility.PRIVATE and not game.created.imported


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


def seat_role_of(game: Playthrough, token: str) -> tuple[int, bool]:
    """The seat that ``token`` proves, and whether it is its substitute's. Raises `Refusal`."""
    role = role_of(game, token)
    if role.seat is None:
        raise Refusal(Reason.NOT_YOUR_ROLE, f"this is {role.whose} token; a seat's token is needed here")
    return role.seat, role.is_substitute


def seat_of(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves, whether its taker's or its substitute's. Raises `Refusal`."""
    seat, _ = seat_role_of(game, token)
    return seat


def taker_of(game: Playthrough, token: str) -> int:
    """The seat that whoever has ``token`` took before the start. Raises `Refusal`."""
    seat, is_substitute = seat_role_of(game, token)
    if is_substitute:
        raise Refusal(Reason.NOT_YOUR_ROLE, "this is a substitute's token; that of the seat's player is needed here")
    return seat


def taker_of_or_host(game: Playthrough, token: str) -> int | None:
    """As `taker_of`, and ``None`` for the host."""
    return None if role_of(game, token).is_host else taker_of(game, token)


def check_host(game: Playthrough, token: str) -> None:
    """Raises `Refusal` unless ``token`` proves the host."""
    role = role_of(game, token)
    if not role.is_host:
        raise Refusal(Reason.NOT_YOUR_ROLE, f"this is {role.whose} token; the host's token is needed here")


def is_held_with(seat: Seat, token: str) -> bool:
    """Whether ``token`` proves ``seat`` as it is."""
    holders = (seat.taken, seat.substitute_taken)
    return any(holder is not None and matches(token, holder.token_hash) for holder in holders)
