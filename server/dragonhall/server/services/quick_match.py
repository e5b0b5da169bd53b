"""FindGame: a seat beside others who want to play the same, in a game that waits or in a new one."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakValueDictionary

from dragonhall.rules import GAMES
from dragonhall.rules.chance import new_seed
from dragonhall.server.hub import Hub
from dragonhall.server.log import Created, CreatedSeat, SeatKind, SeatTaken, SeedSource
from dragonhall.server.matching import match_key
from dragonhall.server.operations.seats import Newcomer
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services import checks
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.creating import choices_of
from dragonhall.server.services.once import Done, Once
from dragonhall.server.services.rpc import caller, opening_game
from dragonhall.server.services.seating import game_with_seat, sit_down
from dragonhall.server.services.settings import settings_from_proto
from dragonhall.server.settings import Settings, StartPolicy, Visibility
from dragonhall.server.tokens import TokenMaker, token_hash
from dragonhall.v1 import game_service_pb2

JUST_GONE: Final = frozenset({Reason.SEAT_UNAVAILABLE, Reason.GAME_NOT_FOUND, Reason.GAME_NOT_RUNNING})
"""Another took the seat, or the game was ended or removed, since it was found; or this server cannot read it."""


class QuickMatch:
    """Brings those together who ask for the same.

    They are served one after another, so that two who come at once sit down in one game and do not wait in two.
    """

    def __init__(self, hub: Hub, catalogue: Catalogue) -> None:
        self._hub = hub
        self._catalogue = catalogue
        self._turns: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        """By match key, for as long as anybody waits for a turn."""
        self._under_way: set[asyncio.Task[Done]] = set()

    async def find_game(self, request: game_service_pb2.FindGameRequest) -> game_service_pb2.FindGameResponse:
        """A seat, and maybe the game's start."""
        once = Once.asked(self._hub, request, request.request_id)
        seat_token = TokenMaker(self._hub.store.secret, request.request_id).token("seat")

        async def find() -> Done:
            self._hub.check_new_games()
            seeking = self._in_turn(self._created(request), _newcomer(request, seat_token), once)
            return await asyncio.shield(self._keep(asyncio.create_task(seeking)))

        done = await once.do(find)
        game = await game_with_seat(self._hub, done, seat_token)
        return game_service_pb2.FindGameResponse(game=game, seat=done.seat, seat_token=seat_token)

    def _keep(self, task: asyncio.Task[Done]) -> asyncio.Task[Done]:
        """Lets a turn come to its end although its caller has gone: the next one has to see what it has written."""
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _in_turn(self, created: Created, newcomer: Newcomer, once: Once) -> Done:
        async with self._turns.setdefault(match_key(created), asyncio.Lock()):
            found = await self._in_a_waiting_game(created, newcomer, once)
            return found or await self._in_a_new_game(created, newcomer, once)

    async def _in_a_waiting_game(self, created: Created, newcomer: Newcomer, once: Once) -> Done | None:
        for line in await self._hub.store.find_match(match_key(created)):
            try:
                return await sit_down(self._hub, line.game_id, newcomer, once)
            except Refusal as refusal:
                if refusal.reason not in JUST_GONE:
                    raise
        return None

    async def _in_a_new_game(self, created: Created, newcomer: Newcomer, once: Once) -> Done:
        caller().check_may("create")
        taken = SeatTaken(0, newcomer.player_name, newcomer.nonce, newcomer.token_hash)
        async with opening_game(self._hub.store):
            game = await self._hub.create(created, lambda game_id: once.answered_by(game_id, 0, 2), taken)
        return Done(game.game_id, 0, 2)

    def _created(self, request: game_service_pb2.FindGameRequest) -> Created:
        choices = choices_of(self._catalogue, request.options, "", request.seats)
        return Created(
            game=choices.game,
            options=choices.options,
            components=choices.components,
            rules_version=GAMES[choices.game].rules_version,
            seats=(CreatedSeat(SeatKind.OPEN),) * request.seats,
            title="",
            seed=new_seed(),
            seed_source=SeedSource.SERVER,
            host_token_hash=b"",
            settings=_settings(request),
            owner=caller().name,
            substitute_wait_us=self._hub.substitute_wait_us,
            quick_match=True,
        )


def _settings(request: game_service_pb2.FindGameRequest) -> Settings:
    settings = settings_from_proto(request.settings)
    if settings.visibility is not Visibility.PUBLIC:
        raise invalid_field("settings.visibility", "a quick match is public: create a game for a private one")
    if settings.start is not StartPolicy.WHEN_FULL:
        raise invalid_field("settings.start", "a quick match has no host to start it")
    return settings


def _newcomer(request: game_service_pb2.FindGameRequest, seat_token: str) -> Newcomer:
    return Newcomer(
        seat=None,
        player_name=checks.player_name(request.player_name),
        nonce=checks.nonce(request.nonce),
        invitation_code="",
        bot_name="",
        token_hash=token_hash(seat_token),
    )
