"""GameService: finding, creating and joining games."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, new_seed
from dragonhall.rules.errors import InvalidOptions
from dragonhall.server.hub import Hub
from dragonhall.server.log import Created, CreatedSeat, SeatKind, SeedSource
from dragonhall.server.operations.games import abort
from dragonhall.server.operations.seats import Newcomer, leave_seat, take_seat
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services import checks
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.lobby import list_games, watch_games
from dragonhall.server.services.messages import read
from dragonhall.server.services.render import game_message
from dragonhall.server.services.rpc import Methods
from dragonhall.server.store.base import NO_SEAT, Request, RequestTaken
from dragonhall.server.tokens import TokenMaker, token_hash
from dragonhall.v1 import game_pb2, game_service_pb2
from dragonhall.wire import CODECS, game_of

SERVICE: Final = "dragonhall.v1.GameService"

MOST_SEATS: Final = max(game.max_seats for game in GAMES.values())


class GameService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub, catalogue: Catalogue, allow_host_seeds: bool) -> None:
        self._hub = hub
        self._catalogue = catalogue
        self._allow_host_seeds = allow_host_seeds

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        messages = game_service_pb2
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "ListRules": methods.unary(messages.ListRulesRequest, self.list_rules),
                "CreateGame": methods.unary(messages.CreateGameRequest, self.create_game),
                "GetGame": methods.unary(messages.GetGameRequest, self.get_game),
                "ListGames": methods.unary(messages.ListGamesRequest, lambda request: list_games(self._hub, request)),
                "WatchGames": methods.server_stream(
                    messages.WatchGamesRequest, lambda request: watch_games(self._hub, request)
                ),
                "TakeSeat": methods.unary(messages.TakeSeatRequest, self.take_seat),
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

    async def create_game(self, request: game_service_pb2.CreateGameRequest) -> game_service_pb2.CreateGameResponse:
        """A new game."""
        if len(request.seats) > MOST_SEATS:
            raise invalid_field("seats", f"no game has more than {MOST_SEATS} seats, this has {len(request.seats)}")
        once = Once(self._hub, request, checks.request_id(request.request_id))
        tokens = TokenMaker(self._hub.store.secret, request.request_id)
        host_token = tokens.token("host")
        codes = {
            i: tokens.token(f"invitation/{i}")
            for i, spec in enumerate(request.seats)
            if spec.kind == game_pb2.SEAT_KIND_INVITED
        }

        async def create() -> Done:
            created = self._created(request, host_token, codes)
            game = await self._hub.create(created, lambda game_id: once.answered_by(game_id, NO_SEAT, 1))
            return Done(game.game_id, NO_SEAT, 1)

        done = await once.do(create)
        return game_service_pb2.CreateGameResponse(
            game=await self._game_at(done.game_id, done.revision),
            host_token=host_token,
            invitations=[game_service_pb2.Invitation(seat=seat, code=code) for seat, code in codes.items()],
        )

    def _created(self, request: game_service_pb2.CreateGameRequest, host_token: str, codes: dict[int, str]) -> Created:
        name = read("options", game_of, request.options)
        components = self._catalogue.components(name, request.component_set_id)
        options = read(f"options.{name}", CODECS[name].options_from_proto, request.options)
        _check_playable(name, components, options, len(request.seats))
        seed = checks.seed(request.seed)
        if seed and not self._allow_host_seeds:
            raise Refusal(Reason.SEED_NOT_ALLOWED, "this server draws all seeds itself: leave the seed empty")
        return Created(
            game=name,
            options=options,
            components=components,
            rules_version=GAMES[name].rules_version,
            seats=tuple(_created_seat(i, spec, codes) for i, spec in enumerate(request.seats)),
            title=checks.text("title", request.title, checks.MAX_TITLE),
            seed=seed or new_seed(),
            seed_source=SeedSource.HOST if seed else SeedSource.SERVER,
            host_token_hash=token_hash(host_token),
        )

    async def take_seat(self, request: game_service_pb2.TakeSeatRequest) -> game_service_pb2.TakeSeatResponse:
        """A seat, and maybe the game's start."""
        once = Once(self._hub, request, checks.request_id(request.request_id))
        seat_token = TokenMaker(self._hub.store.secret, request.request_id).token("seat")

        async def take() -> Done:
            newcomer = Newcomer(
                seat=request.seat if request.HasField("seat") else None,
                player_name=checks.player_name(request.player_name),
                nonce=checks.nonce(request.nonce),
                invitation_code=checks.invitation_code(request.invitation_code),
                bot_name=request.bot_name and checks.bot_name("bot_name", request.bot_name),
                token_hash=token_hash(seat_token),
            )
            game = await self._hub.game(request.game_id)
            seated = await game.carry_out(
                take_seat(newcomer, lambda seat, revision: once.answered_by(game.game_id, seat, revision))
            )
            return Done(game.game_id, seated.seat, seated.revision)

        done = await once.do(take)
        return game_service_pb2.TakeSeatResponse(
            game=await self._game_at(done.game_id, done.revision), seat=done.seat, seat_token=seat_token
        )

    async def leave_seat(self, request: game_service_pb2.LeaveSeatRequest) -> game_service_pb2.LeaveSeatResponse:
        """A seat given back."""
        game = await self._hub.game(request.game_id)
        revision = await game.carry_out(leave_seat(request.seat_token))
        return game_service_pb2.LeaveSeatResponse(game=await self._game_at(request.game_id, revision))

    async def abort_game(self, request: game_service_pb2.AbortGameRequest) -> game_service_pb2.AbortGameResponse:
        """A game ended by its host."""
        game = await self._hub.game(request.game_id)
        revision = await game.carry_out(abort(request.host_token))
        return game_service_pb2.AbortGameResponse(game=await self._game_at(request.game_id, revision))

    async def _game_at(self, game_id: str, revision: int) -> game_pb2.Game:
        """The game as it was at a revision, so that a repeated request gets the first answer to the byte."""
        game = await self._hub.game(game_id)
        frame = await game.at(revision)
        return game_message(frame.summary, revision)


@dataclass(frozen=True, slots=True)
class Done:
    """What a request came to: the game, the seat (or `NO_SEAT`) and the newest revision that it made."""

    game_id: str
    seat: int
    revision: int


class Once:
    """Carries a request out once, however often it is repeated under its request id."""

    def __init__(self, hub: Hub, request: Message, request_id: str) -> None:
        self._store = hub.store
        self._id_hash = token_hash(request_id) if request_id else None
        contents = request.SerializeToString(deterministic=True)
        self._digest = hashlib.sha256(request.DESCRIPTOR.name.encode() + b"\0" + contents).digest()

    def answered_by(self, game_id: str, seat: int, revision: int) -> Request | None:
        """What the store notes with the write that carries the request out."""
        if self._id_hash is None:
            return None
        return Request(self._id_hash, self._digest, game_id, seat, revision)

    async def do(self, carry_out: Callable[[], Awaitable[Done]]) -> Done:
        """The first time what ``carry_out`` does, later what it did. Raises `Refusal` for another request's id."""
        done = await self._done_before()
        if done is not None:
            return done
        try:
            return await carry_out()
        except (Refusal, RequestTaken):
            # The same request may have been under way: what it changed is why this one is refused.
            done = await self._done_before()
            if done is None:
                raise
            return done

    async def _done_before(self) -> Done | None:
        if self._id_hash is None:
            return None
        request = await self._store.find_request(self._id_hash)
        if request is None:
            return None
        if request.digest != self._digest:
            raise Refusal(
                Reason.REQUEST_ID_REUSED,
                "this request_id was used for another request; use a fresh one",
                field="request_id",
            )
        return Done(request.game_id, request.seat, request.revision)


def _check_playable(name: str, components: Any, options: Any, seats: int) -> None:
    """Sets a game up and throws it away: the rules say whether they can. Raises `Refusal`."""
    try:
        GAMES[name].new(components, options, seats, SeededChance(new_seed()), None)
    except InvalidOptions as error:
        field = "seats" if error.field == "seats" else f"options.{name}.{error.field}"
        raise invalid_field(field, error.message) from error


def _created_seat(i: int, spec: game_service_pb2.SeatSpec, codes: dict[int, str]) -> CreatedSeat:
    if spec.kind not in (kind.value for kind in SeatKind):
        raise invalid_field(f"seats[{i}].kind", "takes SEAT_KIND_OPEN, SEAT_KIND_INVITED or SEAT_KIND_RESERVED")
    if spec.kind == game_pb2.SEAT_KIND_RESERVED:
        return CreatedSeat(SeatKind.RESERVED, bot_name=checks.bot_name(f"seats[{i}].bot_name", spec.bot_name))
    if spec.bot_name:
        raise invalid_field(f"seats[{i}].bot_name", "is only for SEAT_KIND_RESERVED")
    return CreatedSeat(SeatKind(spec.kind), invitation_hash=token_hash(codes[i]) if i in codes else b"")
