"""The client: find, create and join games, and read their records."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from types import TracebackType
from typing import Final, Self, TypeVar

import grpc

from dragonhall.client.channel import OpenStreams, open_channel
from dragonhall.client.errors import DragonhallError
from dragonhall.client.health import is_serving
from dragonhall.client.lobby import watch_games
from dragonhall.client.observing import observe
from dragonhall.client.play import PlayConnection
from dragonhall.client.retry import Patience, repeat, repeat_change
from dragonhall.client.seat import ON_SNAPSHOT, Seat
from dragonhall.v1 import (
    game_pb2,
    game_service_pb2,
    game_service_pb2_grpc,
    games_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    record_pb2,
    record_service_pb2,
    record_service_pb2_grpc,
)

_Response = TypeVar("_Response")
_ABORTED: Final = game_pb2.GAME_STATUS_ABORTED
_PAGE_SIZE: Final = 200


def new_request_id() -> str:
    """A request_id that nobody can guess: 43 characters of 256 random bits."""
    return secrets.token_urlsafe(32)


def open_seat() -> game_service_pb2.SeatSpec:
    """A seat that anyone may take."""
    return game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_OPEN)


def invited_seat() -> game_service_pb2.SeatSpec:
    """A seat for whoever has its code (`CreateGameResponse.invitations`)."""
    return game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_INVITED)


def bot_seat(bot_name: str) -> game_service_pb2.SeatSpec:
    """A seat for the bot of that name: 1 to 64 characters of a-z, 0-9, "-", "_" and "."."""
    return game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_RESERVED, bot_name=bot_name)


class Client:
    """A connection to a Dragonhall server; an async context manager. Works with the messages of ``dragonhall.v1``.

    Every call is repeated while the server cannot be reached, as long as ``patience`` says; requests that change
    something carry a request_id or a decision_id, so that repeating them is safe. Every method raises
    `DragonhallError` when the server refuses (INVALID_FIELD and LIMIT_EXCEEDED are possible everywhere),
    `ServerUnavailable` when patience ends, and `ConnectionClosed` if the client is closed under it.
    """

    def __init__(
        self, target: str, *, patience: Patience | None = None, credentials: grpc.ChannelCredentials | None = None
    ) -> None:
        """``target``: ``HOST:PORT`` or a gRPC name. Connects when first used; plain text without ``credentials``."""
        self.target = target
        self.patience = patience or Patience()
        self._channel = open_channel(target, credentials)
        self._streams = OpenStreams()
        self._games: game_service_pb2_grpc.GameServiceAsyncStub = game_service_pb2_grpc.GameServiceStub(self._channel)
        self._play: play_service_pb2_grpc.PlayServiceAsyncStub = play_service_pb2_grpc.PlayServiceStub(self._channel)
        self._records: record_service_pb2_grpc.RecordServiceAsyncStub = record_service_pb2_grpc.RecordServiceStub(
            self._channel
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all calls and streams."""
        self._streams.end_all()
        await self._channel.close()

    # -- the catalogue ------------------------------------------------------------------------------------------------

    async def list_rules(self) -> list[game_service_pb2.Rules]:
        """The games that this server plays: seats, options, component sets."""
        request = game_service_pb2.ListRulesRequest()
        return list((await self._repeat(lambda limit: self._games.ListRules(request, timeout=limit))).rules)

    async def is_serving(self, service: str = "") -> bool:
        """Whether the server serves, or one of its services, as ``dragonhall.v1.PlayService``: gRPC's health protocol.

        Raises `DragonhallError` for a service that it does not know, and `ServerUnavailable`.
        """
        return await is_serving(self._channel, service, self.target, self.patience)

    # -- games --------------------------------------------------------------------------------------------------------

    async def create_game(
        self,
        options: games_pb2.GameOptions,
        seats: Sequence[game_service_pb2.SeatSpec],
        *,
        title: str = "",
        component_set_id: str = "",
        seed: bytes = b"",
        request_id: str | None = None,
    ) -> game_service_pb2.CreateGameResponse:
        """Creates a game that starts when its last seat is taken.

        ``seats``: one a player, clockwise, made by `open_seat`, `invited_seat` and `bot_seat`. ``seed``: exactly 32
        bytes to play the same deal again, else empty. ``request_id``: give one of your own to be able to ask for the
        same answer, tokens included, after this process has died.

        Raises `DragonhallError` (INVALID_FIELD, REQUEST_ID_REUSED, SEED_NOT_ALLOWED) and `ServerUnavailable`.
        """
        request = game_service_pb2.CreateGameRequest(
            request_id=request_id or new_request_id(),
            options=options,
            component_set_id=component_set_id,
            seats=seats,
            title=title,
            seed=seed,
        )
        return await self._repeat(lambda limit: self._games.CreateGame(request, timeout=limit))

    async def get_game(self, game_id: str) -> game_pb2.Game:
        """The game as everyone may know it. Raises `DragonhallError` (GAME_NOT_FOUND) and `ServerUnavailable`."""
        request = game_service_pb2.GetGameRequest(game_id=game_id)
        return (await self._repeat(lambda limit: self._games.GetGame(request, timeout=limit))).game

    async def list_games(
        self, *, statuses: Sequence[game_pb2.GameStatus.ValueType] = (), game: str = "", reserved_for: str = ""
    ) -> AsyncGenerator[game_pb2.Game, None]:
        """All games that match every condition given, newest first, fetched page by page.

        ``reserved_for``: has a free seat reserved for that bot. Raises `DragonhallError` and `ServerUnavailable`.
        """
        filter = game_service_pb2.GameFilter(statuses=statuses, game=game, reserved_for=reserved_for)
        request = game_service_pb2.ListGamesRequest(filter=filter, page_size=_PAGE_SIZE)
        while True:
            page = await self._repeat(lambda limit: self._games.ListGames(request, timeout=limit))
            for found in page.games:
                yield found
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch_games(
        self, *, statuses: Sequence[game_pb2.GameStatus.ValueType] = (), game: str = "", reserved_for: str = ""
    ) -> AsyncGenerator[game_service_pb2.WatchGamesResponse, None]:
        """The lobby as a stream without an end: the matching games, a message without a game ("synced"), then changes.

        Reconnects by itself and then starts over: the games come again, those that ceased to match meanwhile come with
        ``left_filter``, then "synced" again. Raises `DragonhallError` and `ServerUnavailable`.
        """
        filter = game_service_pb2.GameFilter(statuses=statuses, game=game, reserved_for=reserved_for)
        request = game_service_pb2.WatchGamesRequest(filter=filter)
        return watch_games(self._games, request, self.target, self.patience, self._streams)

    async def abort_game(self, game_id: str, host_token: str) -> game_pb2.Game:
        """Ends a game that is not finished; returns it as it is then.

        Raises `DragonhallError` (GAME_NOT_FOUND, TOKEN_INVALID, NOT_YOUR_ROLE, GAME_NOT_RUNNING) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.AbortGameRequest(game_id=game_id, host_token=host_token)

        async def aborted_before(error: DragonhallError) -> game_service_pb2.AbortGameResponse | None:
            game = await self.get_game(game_id)
            return game_service_pb2.AbortGameResponse(game=game) if game.status == _ABORTED else None

        response = await repeat_change(
            self.target,
            self.patience,
            lambda limit: self._games.AbortGame(request, timeout=limit),
            aborted_before,
        )
        return response.game

    async def record(self, game_id: str) -> record_pb2.GameRecord:
        """A finished game, whole.

        Raises `DragonhallError` (GAME_NOT_FOUND, RECORD_NOT_READY) and `ServerUnavailable`.
        """
        request = record_service_pb2.GetRecordRequest(game_id=game_id)
        return (await self._repeat(lambda limit: self._records.GetRecord(request, timeout=limit))).record

    # -- seats --------------------------------------------------------------------------------------------------------

    async def take_seat(
        self,
        game_id: str,
        player_name: str,
        *,
        seat: int | None = None,
        nonce: bytes = b"",
        invitation_code: str = "",
        bot_name: str = "",
        request_id: str | None = None,
    ) -> Seat:
        """Takes seat number ``seat``, or the first free one that the caller may take.

        The last seat taken starts the game. ``nonce`` (0 to 64 bytes) is the seat's share in the game's randomness.
        ``request_id``: give one of your own to be able to get the same seat again after this process has died;
        everything else must then be the same too.

        Raises `DragonhallError` (GAME_NOT_FOUND, SEAT_UNAVAILABLE, INVITATION_INVALID, GAME_NOT_RUNNING,
        REQUEST_ID_REUSED) and `ServerUnavailable`.
        """
        request = game_service_pb2.TakeSeatRequest(
            request_id=request_id or new_request_id(),
            game_id=game_id,
            seat=seat,
            player_name=player_name,
            nonce=nonce,
            invitation_code=invitation_code,
            bot_name=bot_name,
        )
        taken = await self._repeat(lambda limit: self._games.TakeSeat(request, timeout=limit))
        return Seat(self, game_id, taken.seat, taken.seat_token)

    def seat(self, game_id: str, number: int, token: str) -> Seat:
        """A seat that was taken before, from what `Seat` keeps. Asks the server nothing."""
        return Seat(self, game_id, number, token)

    async def leave_seat(self, game_id: str, token: str) -> game_pb2.Game:
        """As `Seat.leave`."""
        request = game_service_pb2.LeaveSeatRequest(game_id=game_id, seat_token=token)

        async def left_before(error: DragonhallError) -> game_service_pb2.LeaveSeatResponse | None:
            if error.reason != "TOKEN_INVALID":
                return None
            return game_service_pb2.LeaveSeatResponse(game=await self.get_game(game_id))

        response = await repeat_change(
            self.target,
            self.patience,
            lambda limit: self._games.LeaveSeat(request, timeout=limit),
            left_before,
        )
        return response.game

    # -- playing ------------------------------------------------------------------------------------------------------

    def observe(
        self,
        game_id: str,
        *,
        seat_token: str = "",
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        include_history: bool = False,
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """A game as a spectator sees it, or with ``seat_token`` as that seat does. `Seat.observe` has the promises."""
        request = play_service_pb2.ObserveRequest(
            game_id=game_id,
            seat_token=seat_token,
            from_revision=from_revision,
            view_delivery=view_delivery,
            include_history=include_history,
        )
        return observe(self._play, request, self.target, self.patience, self._streams)

    async def submit(self, request: play_service_pb2.SubmitRequest) -> play_service_pb2.SubmitResponse:
        """As `Seat.submit`, from a whole request."""
        return await self._repeat(lambda limit: self._play.Submit(request, timeout=limit))

    def play(self) -> PlayConnection:
        """A connection for playing many seats of many games over one stream; an async context manager."""
        return PlayConnection(self._play, self.target, self.patience)

    async def _repeat(self, attempt: Callable[[float], Awaitable[_Response]]) -> _Response:
        return await repeat(self.target, self.patience, attempt)
