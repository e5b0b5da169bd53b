"""GameService: finding, creating and joining games."""

from __future__ import annotations

from typing import Final

import grpc

from dragonhall.server.game import Plan
from dragonhall.server.hub import Hub
from dragonhall.server.operations.games import abort
from dragonhall.server.operations.seats import leave_seat
from dragonhall.server.services import seating
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.creating import Creating
from dragonhall.server.services.lobby import list_games, watch_games
from dragonhall.server.services.once import game_then
from dragonhall.server.services.render import game_message
from dragonhall.server.services.rpc import Methods
from dragonhall.v1 import game_pb2, game_service_pb2

SERVICE: Final = "dragonhall.v1.GameService"


class GameService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub, catalogue: Catalogue, allow_host_seeds: bool) -> None:
        self._hub = hub
        self._catalogue = catalogue
        self._creating = Creating(hub, catalogue, allow_host_seeds)

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        messages = game_service_pb2
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "ListRules": methods.unary(messages.ListRulesRequest, self.list_rules),
                "CreateGame": methods.unary(messages.CreateGameRequest, self._creating.create_game),
                "GetGame": methods.unary(messages.GetGameRequest, self.get_game),
                "ListGames": methods.unary(messages.ListGamesRequest, lambda request: list_games(self._hub, request)),
                "WatchGames": methods.server_stream(
                    messages.WatchGamesRequest, lambda request: watch_games(self._hub, request)
                ),
                "TakeSeat": methods.unary(messages.TakeSeatRequest, lambda request: seating.take(self._hub, request)),
                "LeaveSeat": methods.unary(messages.LeaveSeatRequest, self.leave_seat),
                "AbortGame": methods.unary(messages.AbortGameRequest, self.abort_game),
            },
        )

    async def list_rules(self, _: game_service_pb2.ListRulesRequest) -> game_service_pb2.ListRulesResponse:
        """The catalogue."""
        return game_service_pb2.ListRulesResponse(rules=self._catalogue.rules())

    async def get_game(self, request: game_service_pb2.GetGameRequest) -> game_service_pb2.GetGameResponse:
        """One game, as everyone may know it."""
        line = await self._hub.line(request.game_id)
        return game_service_pb2.GetGameResponse(game=game_message(line.summary, line.revision))

    async def leave_seat(self, request: game_service_pb2.LeaveSeatRequest) -> game_service_pb2.LeaveSeatResponse:
        """A seat given back."""
        game = await self._after(request.game_id, leave_seat(request.seat_token))
        return game_service_pb2.LeaveSeatResponse(game=game)

    async def abort_game(self, request: game_service_pb2.AbortGameRequest) -> game_service_pb2.AbortGameResponse:
        """A game ended by its host."""
        return game_service_pb2.AbortGameResponse(game=await self._after(request.game_id, abort(request.host_token)))

    async def _after(self, game_id: str, plan: Plan[int]) -> game_pb2.Game:
        """The game after an operation whose result is the revision that it made."""
        game = await self._hub.game(game_id)
        return await game_then(self._hub, game_id, await game.carry_out(plan))
