"""Exactly once: a request that is repeated under its request id is answered alike, and carried out no second time."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from google.protobuf.message import Message

from dragonhall.server.hub import Hub
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services import checks
from dragonhall.server.services.render import game_message
from dragonhall.server.store.base import Request, RequestTaken
from dragonhall.server.tokens import derived, token_hash
from dragonhall.server.unreadable import UnreadableGame
from dragonhall.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class Done:
    """What a request came to: the game, the seat (or `NO_SEAT`) and the newest revision that it made."""

    game_id: str
    seat: int
    revision: int


class Once:
    """Carries a request out once, however often it is repeated under its request id.

    The store notes with the write that carries it out what came of it, so that this holds over a crash at any moment.
    """

    def __init__(self, hub: Hub, id_hash: bytes | None, digest: bytes) -> None:
        """``id_hash``: of the request id; ``None``: the request has none and is carried out each time.

        ``digest``: of the request's contents, which have to be the same each time.
        """
        self._store = hub.store
        self._id_hash = id_hash
        self._digest = digest

    @classmethod
    def asked(cls, hub: Hub, request: Message, request_id: str) -> Once:
        """A client's request. Raises `Refusal` for a request id that is none."""
        id_hash = token_hash(checks.request_id(request_id)) if request_id else None
        contents = request.SerializeToString(deterministic=True)
        return cls(hub, id_hash, hashlib.sha256(request.DESCRIPTOR.name.encode() + b"\0" + contents).digest())

    @classmethod
    def ever(cls, hub: Hub, what: str) -> Once:
        """Something that happens once in the store's life, whoever asks for it: nobody can know its request id."""
        return cls(hub, token_hash(derived(hub.store.secret, "once", what)), hashlib.sha256(what.encode()).digest())

    def answered_by(self, game_id: str, seat: int, revision: int) -> Request | None:
        """What the store notes with the write that carries the request out."""
        if self._id_hash is None:
            return None
        return Request(self._id_hash, self._digest, game_id, seat, revision)

    async def do(self, carry_out: Callable[[], Awaitable[Done]]) -> Done:
        """The first time what ``carry_out`` does, later what it did. Raises `Refusal` for another request's id."""
        done = await self.done_before()
        if done is not None:
            return done
        try:
            return await carry_out()
        except (Refusal, RequestTaken):
            # The same request may have been under way: what it changed is why this one is refused.
            done = await self.done_before()
            if done is None:
                raise
            return done

    async def done_before(self) -> Done | None:
        """What came of it, if it was carried out. Raises as `do`."""
        if self._id_hash is None:
            return None
        request = await self._store.find_request(self._id_hash)
        if request is None:
            return None
        if request.digest != self._digest:
            raise reused("this request_id was used for another request; use a fresh one")
        return Done(request.game_id, request.seat, request.revision)


def reused(message: str) -> Refusal:
    """A request id that is of no use for this."""
    return Refusal(Reason.REQUEST_ID_REUSED, message, field="request_id")


async def game_then(hub: Hub, game_id: str, revision: int) -> game_pb2.Game:
    """The game as it was at a revision, so that a repeated request gets the first answer to the byte."""
    try:
        game = await hub.game(game_id)
    except UnreadableGame as unreadable:  # whoever gets this far has shown that the game, or the seat, is theirs
        raise unreadable.for_everyone() from unreadable
    frame = await game.at(revision)
    return game_message(frame.summary, revision)
