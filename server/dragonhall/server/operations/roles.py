"""Which role a token proves."""

from __future__ import annotations

from dragonhall.server.playthrough import Playthrough
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.tokens import MAX_TOKEN_LENGTH, find_hash


def viewer_of(game: Playthrough, token: str) -> int | None:
    """The seat that watches with ``token``. Raises `Refusal`.

    ``None``: a spectator, for no token, and for the host's: a host who plays has the seat's own token besides.
    """
    position = _role(game, token) if token else None
    return None if position == len(game.seats) else position


def seat_of(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves. Raises `Refusal`."""
    position = _role(game, token)
    if position == len(game.seats):
        raise Refusal(Reason.NOT_YOUR_ROLE, "this is the host's token; a seat's token is needed here")
    return position


def check_host(game: Playthrough, token: str) -> None:
    """Raises `Refusal` unless ``token`` proves the host."""
    position = _role(game, token)
    if position != len(game.seats):
        raise Refusal(Reason.NOT_YOUR_ROLE, "this is a seat's token; the host's token is needed here")


def _role(game: Playthrough, token: str) -> int:
    """The seat that ``token`` proves, or the number of seats for the host."""
    hashes = [seat.taken.token_hash if seat.taken else b"" for seat in game.seats]
    found = find_hash(token, [*hashes, game.created.host_token_hash]) if len(token) <= MAX_TOKEN_LENGTH else None
    if found is None:
        raise Refusal(Reason.TOKEN_INVALID, "the token is missing or not one of this game's: take a seat first")
    return found
