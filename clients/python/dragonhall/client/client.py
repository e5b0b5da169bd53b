"""The client: find, create and join games, watch them, and read their records."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Final, Self

import grpc

from dragonhall.client.access import Access, Tls, TokenProvider, is_loopback
from dragonhall.client.channel import open_channel
from dragonhall.client.connection import Connection
from dragonhall.client.errors import DragonhallError, UnsafeCredentials
from dragonhall.client.health import is_serving
from dragonhall.client.lobby import game_filter, watch_games
from dragonhall.client.observing import observe
from dragonhall.client.play import PlayConnection
from dragonhall.client.replaying import replay
from dragonhall.client.retry import Patience
from dragonhall.client.sandbox import answers
from dragonhall.client.seat import ON_SNAPSHOT, SNAPSHOT_AND_UPDATES, Seat, observation_of
from dragonhall.v1 import (
    game_pb2,
    game_service_pb2,
    games_pb2,
    play_service_pb2,
    record_pb2,
    record_service_pb2,
    sandbox_service_pb2,
)

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
    something carry a request_id or a decision_id, or change nothing when they are repeated. Every method raises
    `DragonhallError` when the server refuses (INVALID_FIELD, LIMIT_EXCEEDED, CREDENTIALS_INVALID and QUOTA_EXCEEDED are
    possible everywhere), `ServerUnavailable` when patience ends, and `ConnectionClosed` if the client is closed under
    it.
    """

    def __init__(
        self,
        target: str,
        *,
        patience: Patience | None = None,
        api_key: str | None = None,
        token: str | TokenProvider | None = None,
        tls: Tls | bool = False,
        credentials: grpc.ChannelCredentials | None = None,
        allow_plain_text: bool = False,
    ) -> None:
        """``target``: ``HOST:PORT`` or a gRPC name. Connects when first used.

        ``api_key`` or ``token`` tell the server who calls; ``token`` may be a function, also an asynchronous one, that
        returns the newest JSON Web Token: it is asked before every call and stream. ``tls``: ``True`` for a server
        whose certificate a public authority vouches for, else a `Tls`; plain text without. ``credentials``: anything
        else that gRPC can do, in place of ``tls``.

        Raises `UnsafeCredentials` instead of sending a key or token in plain text to another machine, unless
        ``allow_plain_text``, and `ValueError` for arguments that contradict each other.
        """
        if tls and credentials is not None:
            raise ValueError("give tls or credentials, not both")
        settings = Tls() if tls is True else tls or None
        if settings is not None:
            credentials = settings.credentials()
        access = Access(api_key, token)
        if access.is_named and credentials is None and not (allow_plain_text or is_loopback(target)):
            raise UnsafeCredentials(
                f"the API key or token would go to {target} in plain text: use tls=True or tls=Tls(…);"
                " in a network that you trust, allow_plain_text=True"
            )
        channel = open_channel(target, credentials, settings.server_name if settings is not None else "")
        self._connection = Connection(target, patience or Patience(), channel, access)

    @property
    def target(self) -> str:
        """As it was given."""
        return self._connection.target

    @property
    def patience(self) -> Patience:
        """As it was given."""
        return self._connection.patience

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all calls and streams."""
        await self._connection.close()

    # -- the catalogue ------------------------------------------------------------------------------------------------

    async def list_rules(self) -> list[game_service_pb2.Rules]:
        """The games that this server plays: seats, options, component sets."""
        request = game_service_pb2.ListRulesRequest()
        return list((await self._connection.call(self._connection.games.ListRules, request)).rules)

    async def is_serving(self, service: str = "") -> bool:
        """Whether the server serves, or one of its services, as ``dragonhall.v1.PlayService``: gRPC's health protocol.

        Raises `DragonhallError` for a service that it does not know, and `ServerUnavailable`.
        """
        return await is_serving(self._connection, service)

    # -- games --------------------------------------------------------------------------------------------------------

    async def create_game(
        self,
        options: games_pb2.GameOptions,
        seats: Sequence[game_service_pb2.SeatSpec],
        *,
        settings: game_pb2.GameSettings | None = None,
        title: str = "",
        component_set_id: str = "",
        seed: bytes = b"",
        request_id: str | None = None,
    ) -> game_service_pb2.CreateGameResponse:
        """Creates a game that starts when its last seat is taken, or as ``settings`` say.

        ``seats``: one a player, clockwise, made by `open_seat`, `invited_seat` and `bot_seat`. ``settings``: time
        control (`per_decision`, `bank`), what happens to absent players, who may watch. ``seed``: exactly 32 bytes to
        play the same deal again, else empty. ``request_id``: give one of your own to be able to ask for the same
        answer, tokens included, after this process has died.

        Raises `DragonhallError` (INVALID_FIELD, REQUEST_ID_REUSED, SEED_NOT_ALLOWED, NOT_ALLOWED) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.CreateGameRequest(
            request_id=request_id or new_request_id(),
            options=options,
            component_set_id=component_set_id,
            seats=seats,
            title=title,
            seed=seed,
            settings=settings,
        )
        return await self._connection.call(self._connection.games.CreateGame, request)

    async def find_game(
        self,
        options: games_pb2.GameOptions,
        seats: int,
        player_name: str,
        *,
        settings: game_pb2.GameSettings | None = None,
        nonce: bytes = b"",
        request_id: str | None = None,
    ) -> Seat:
        """Quick match: a seat among others who look for the same game with so many seats and the same settings.

        ``nonce`` and ``request_id`` as in `take_seat`. Raises `DragonhallError` (REQUEST_ID_REUSED, NOT_ALLOWED) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.FindGameRequest(
            request_id=request_id or new_request_id(),
            options=options,
            seats=seats,
            settings=settings,
            player_name=player_name,
            nonce=nonce,
        )
        found = await self._connection.call(self._connection.games.FindGame, request)
        return Seat(self._connection, found.game.game_id, found.seat, found.seat_token)

    async def get_game(self, game_id: str, token: str = "") -> game_pb2.Game:
        """The game as everyone may know it. ``token``: any of the game's, for a private one.

        Raises `DragonhallError` (GAME_NOT_FOUND) and `ServerUnavailable`.
        """
        request = game_service_pb2.GetGameRequest(game_id=game_id, token=token)
        return (await self._connection.call(self._connection.games.GetGame, request)).game

    async def list_games(
        self,
        *,
        statuses: Sequence[game_pb2.GameStatus.ValueType] = (),
        game: str = "",
        reserved_for: str = "",
        open_seat: bool = False,
        seats: int = 0,
    ) -> AsyncGenerator[game_pb2.Game, None]:
        """All public games that match every condition given, newest first, fetched page by page.

        ``reserved_for``: has a free seat reserved for that bot, or a vacant one that it is the substitute for.
        ``open_seat``: has a free seat that anyone may take. ``seats``: has so many seats. Raises `DragonhallError` and
        `ServerUnavailable`.
        """
        filter = game_filter(statuses, game, reserved_for, open_seat, seats)
        request = game_service_pb2.ListGamesRequest(filter=filter, page_size=_PAGE_SIZE)
        while True:
            page = await self._connection.call(self._connection.games.ListGames, request)
            for found in page.games:
                yield found
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch_games(
        self,
        *,
        statuses: Sequence[game_pb2.GameStatus.ValueType] = (),
        game: str = "",
        reserved_for: str = "",
        open_seat: bool = False,
        seats: int = 0,
    ) -> AsyncGenerator[game_service_pb2.WatchGamesResponse, None]:
        """The lobby as a stream without an end: the matching games, a message without a game ("synced"), then changes.

        Conditions as in `list_games`. Reconnects by itself and then starts over: the games come again, those that
        ceased to match meanwhile come with ``left_filter``, then "synced" again. Raises `DragonhallError` and
        `ServerUnavailable`.
        """
        filter = game_filter(statuses, game, reserved_for, open_seat, seats)
        return watch_games(self._connection, game_service_pb2.WatchGamesRequest(filter=filter))

    async def start_game(self, game_id: str, host_token: str) -> game_pb2.Game:
        """Starts a game of START_POLICY_BY_HOST; returns it as it is then.

        Raises `DragonhallError` (SEATS_FREE, GAME_NOT_FOUND, TOKEN_INVALID, NOT_YOUR_ROLE, GAME_NOT_RUNNING) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.StartGameRequest(game_id=game_id, host_token=host_token)
        return (await self._connection.call(self._connection.games.StartGame, request)).game

    async def abort_game(self, game_id: str, host_token: str) -> game_pb2.Game:
        """Ends a game that is not finished; returns it as it is then.

        Raises `DragonhallError` (GAME_NOT_FOUND, TOKEN_INVALID, NOT_YOUR_ROLE, GAME_NOT_RUNNING) and
        `ServerUnavailable`.
        """
        request = game_service_pb2.AbortGameRequest(game_id=game_id, host_token=host_token)

        async def aborted_before(error: DragonhallError) -> game_service_pb2.AbortGameResponse | None:
            game = await self.get_game(game_id, host_token)
            return game_service_pb2.AbortGameResponse(game=game) if game.status == _ABORTED else None

        return (await self._connection.change(self._connection.games.AbortGame, request, aborted_before)).game

    async def rematch(self, game_id: str, host_token: str) -> game_service_pb2.RematchResponse:
        """After a game, for its host: the same once more, with the new game's tokens. Players: `Seat.rematch`.

        Raises `DragonhallError` (GAME_NOT_FOUND, GAME_RUNNING, TOKEN_INVALID) and `ServerUnavailable`.
        """
        request = game_service_pb2.RematchRequest(game_id=game_id, token=host_token)
        return await self._connection.call(self._connection.games.Rematch, request)

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
        """Takes seat number ``seat``, or the first free one that the caller may take; with ``bot_name`` also a vacant
        one of a running game, as its substitute.

        ``nonce`` (0 to 64 bytes) is the seat's share in the game's randomness. ``request_id``: give one of your own to
        be able to get the same seat again after this process has died; everything else must then be the same too.

        Raises `DragonhallError` (GAME_NOT_FOUND, SEAT_UNAVAILABLE, INVITATION_INVALID, GAME_NOT_RUNNING,
        REQUEST_ID_REUSED, NOT_ALLOWED) and `ServerUnavailable`.
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
        taken = await self._connection.call(self._connection.games.TakeSeat, request)
        return Seat(self._connection, game_id, taken.seat, taken.seat_token)

    def seat(self, game_id: str, number: int, token: str) -> Seat:
        """A seat that was taken before, from what `Seat` keeps. Asks the server nothing."""
        return Seat(self._connection, game_id, number, token)

    # -- playing and watching -----------------------------------------------------------------------------------------

    def play(self) -> PlayConnection:
        """A connection for playing many seats of many games over one stream; an async context manager."""
        return PlayConnection(self._connection)

    def observe(
        self,
        game_id: str,
        *,
        token: str = "",
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        include_history: bool = False,
        content: play_service_pb2.StreamContent.ValueType = SNAPSHOT_AND_UPDATES,
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """A game as a spectator sees it; of a private one, with its spectators' or its host's ``token``.

        `Seat.observe` has the promises and the other parameters.
        """
        request = play_service_pb2.ObserveRequest(
            game_id=game_id,
            seat_token=token,
            from_revision=from_revision,
            view_delivery=view_delivery,
            include_history=include_history,
            content=content,
        )
        return observe(self._connection, self._connection.play.Observe, request, observation_of)

    # -- what was played ----------------------------------------------------------------------------------------------

    async def record(self, game_id: str, token: str = "") -> record_pb2.GameRecord:
        """A finished game, whole. ``token``: any of the game's, for a private one.

        Raises `DragonhallError` (GAME_NOT_FOUND, RECORD_NOT_READY) and `ServerUnavailable`.
        """
        request = record_service_pb2.GetRecordRequest(game_id=game_id, token=token)
        return (await self._connection.call(self._connection.records.GetRecord, request)).record

    async def import_record(self, record: record_pb2.GameRecord) -> game_pb2.Game:
        """Brings in a game that was played elsewhere; returns it as it is here.

        Raises `DragonhallError` (RECORD_INVALID, see `DragonhallError.where`; GAME_EXISTS, NOT_ALLOWED) and
        `ServerUnavailable`.
        """
        request = record_service_pb2.ImportRecordRequest(record=record)
        return (await self._connection.call(self._connection.records.ImportRecord, request)).game

    async def perspective(
        self, game_id: str, *, seat: int | None = None, token: str = "", revision: int = 0
    ) -> record_service_pb2.GetPerspectiveResponse:
        """What a seat (``None``: a spectator) knew at a revision (0: the newest), with its history.

        A seat's own while the game runs is `Seat.perspective`; of a game that is over, everyone's is everyone's. Raises
        `DragonhallError` (GAME_NOT_FOUND, REVISION_IN_FUTURE, TOKEN_INVALID) and `ServerUnavailable`.
        """
        request = record_service_pb2.GetPerspectiveRequest(game_id=game_id, seat=seat, token=token, revision=revision)
        return await self._connection.call(self._connection.records.GetPerspective, request)

    def replay(
        self,
        game_id: str,
        *,
        seat: int | None = None,
        token: str = "",
        from_revision: int = 0,
        view_delivery: play_service_pb2.ViewDelivery.ValueType = ON_SNAPSHOT,
        speed: float | None = None,
        interval: timedelta | None = None,
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """A finished game once more, as a seat (``None``: a spectator) saw it, to its end.

        ``speed``: so many times as fast as it was played; ``interval``: the same time between any two revisions, up to
        a minute; neither: as fast as it goes. Reconnects by itself and goes on where it was.

        Raises `ValueError` for both, `DragonhallError` (GAME_NOT_FOUND, RECORD_NOT_READY) and `ServerUnavailable`.
        """
        request = record_service_pb2.ReplayGameRequest(
            game_id=game_id, seat=seat, token=token, from_revision=from_revision, view_delivery=view_delivery
        )
        return replay(self._connection, request, speed, interval)

    # -- thinking -----------------------------------------------------------------------------------------------------

    async def get_sandbox(self) -> sandbox_service_pb2.GetSandboxResponse:
        """What the server's sandbox can do, and how much of it.

        Raises `DragonhallError` (NOT_ALLOWED if it has none) and `ServerUnavailable`.
        """
        request = sandbox_service_pb2.GetSandboxRequest()
        return await self._connection.call(self._connection.sandbox.GetSandbox, request)

    def explore(
        self, request: sandbox_service_pb2.ExploreRequest
    ) -> AsyncGenerator[sandbox_service_pb2.ExploreResponse, None]:
        """Positions in worlds that fit what a seat knows (`knowledge_of`); what is asked for is in the request.

        Reconnects by itself and goes on where it was. Raises `DragonhallError` (KNOWLEDGE_INCONSISTENT, LIMIT_EXCEEDED,
        QUOTA_EXCEEDED, NOT_ALLOWED) and `ServerUnavailable`.
        """
        return answers(self._connection, self._connection.sandbox.Explore, request)

    def roll_out(
        self, request: sandbox_service_pb2.RollOutRequest
    ) -> AsyncGenerator[sandbox_service_pb2.RollOutResponse, None]:
        """How games end that are played on from such positions; as `explore`. End it when you have seen enough."""
        return answers(self._connection, self._connection.sandbox.RollOut, request)
