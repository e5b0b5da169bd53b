"""GameService: finding, creating and joining games."""

from __future__ import annotations

from functools import partial
from typing import Final

import grpc

from dragonhall.server.game import Plan
from dragonhall.server.hub import Hub
from dragonhall.server.operations.games import abort, start
from dragonhall.server.operations.roles import check_may_watch
from dragonhall.server.operations.seats import leave_seat, take_back_seat
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.creating import Creating
from dragonhall.server.services.lobby import list_games, watch_games
from dragonhall.server.services.once import game_then
from dragonhall.server.services.quick_match import QuickMatch
from dragonhall.server.services.rematch import rematch
from dragonhall.server.services.render import game_message
from dragonhall.server.services.rpc import Methods
from dragonhall.server.services.seating import take
from dragonhall.server.unreadable import UnreadableGame
from dragonhall.v1 import game_pb2, game_service_pb2

SERVICE: Final = "dragonhall.v1.GameService"


class GameService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub, catalogue: Catalogue, allow_host_seeds: bool) -> None:
        self._hub = hub
        self._catalogue = catalogue
        self._creating = Creating(hub, catalogue, allow_host_seeds)
        self._quick_match = QuickMatch(hub, catalogue)

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        messages = game_service_pb2
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "ListRules": methods.unary(messages.ListRulesRequest, self.list_rules),
                "CreateGame": methods.unary(messages.CreateGameRequest, self._creating.create_game),
                "GetGame": methods.unary(messages.GetGameRequest, self.get_game),
                "FindGame": methods.unary(messages.FindGameRequest, self._quick_match.find_game),
                "ListGames": methods.unary(messages.ListGamesRequest, partial(list_games, self._hub)),
                "WatchGames": methods.server_stream(messages.WatchGamesRequest, partial(watch_games, self._hub)),
                "TakeSeat": methods.unary(messages.TakeSeatRequest, partial(take, self._hub)),
                "LeaveSeat": methods.unary(messages.LeaveSeatRequest, self.leave_seat),
                "TakeBackSeat": methods.unary(messages.TakeBackSeatRequest, self.take_back_seat),
                "StartGame": methods.unary(messages.StartGameRequest, self.start_game),
                "Rematch": methods.unary(messages.RematchRequest, partial(rematch, self._hub)),
                "AbortGame": methods.unary(messages.AbortGameRequest, self.abort_game),
            },
        )

    async def list_rules(self, _: game_service_pb2.ListRulesRequest) -> game_service_pb2.ListRulesResponse:
        """The catalogue."""
        return game_service_pb2.ListRulesResponse(rules=self._catalogue.rules())

    async def get_game(self, request: game_service_pb2.GetGameRequest) -> game_service_pb2.GetGameResponse:
        """One game, as everyone may know it who may know of it."""
        line = await self._hub.line(request.game_id)
        if line.private:
            await self._check_may_watch(request.game_id, request.token)
        return game_service_pb2.GetGameResponse(game=game_message(line.summary, line.revision))

    async def _check_may_watch(self, game_id: str, token: str) -> None:
        """Raises `Refusal` unless whoever shows ``token`` may know of a game, also of an unreadable one."""
        try:
            game = await self._hub.game(game_id)
        except UnreadableGame as unreadable:
            if not unreadable.is_for(token):
                raise
        else:
            check_may_watch(game.playthrough, token)

    async def leave_seat(self, request: game_service_pb2.LeaveSeatRequest) -> game_service_pb2.LeaveSeatResponse:
        """A seat given back, or left in the running game."""
        game = await self._after(request.game_id, leave_seat(request.seat_token))
        return game_service_pb2.LeaveSeatResponse(game=game)

    async def take_back_seat(
        self, request: game_service_pb2.TakeBackSeatRequest
    ) -> game_service_pb2.TakeBackSeatResponse:
        """A seat of a running game, played by whoever took it first again."""
        game = await self._after(request.game_id, take_back_seat(request.seat_token))
        return game_service_pb2.TakeBackSeatResponse(game=game)

    async def start_game(self, request: game_service_pb2.StartGameRequest) -> game_service_pb2.StartGameResponse:
        """A game started by its host."""
        return game_service_pb2.StartGameResponse(game=await self._after(request.game_id, start(request.host_token)))

    async def abort_game(self, request: game_service_pb2.AbortGameRequest) -> game_service_pb2.AbortGameResponse:
        """A game ended by its host."""
        return game_service_pb2.AbortGameResponse(game=await self._after(request.game_id, abort(request.host_token)))

    async def _after(self, game_id: str, plan: Plan[int]) -> game_pb2.Game:
        """The game after an operation whose result is the revision that it made."""
        game = await self._hub.game(game_id)
        return await game_then(self._hub, game_id, await game.carry_out(plan))
