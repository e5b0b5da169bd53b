"""A real server on a real port, and players with nothing but stubs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

import grpc
from google.rpc import error_details_pb2, status_pb2

from dragonhall.dragonisles.v1 import dragonisles_pb2
from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.dragons_interest.v1 import dragons_interest_pb2
from dragonhall.server import Server, ServerConfig
from dragonhall.server.playthrough import ChanceOf, seeded_chance
from dragonhall.server.wall_clock import now_us
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
    sandbox_service_pb2_grpc,
)
from tests.service.promises import Recorded
from tests.service.recording import RecordingChannel, check_with_server, note_token

OPEN = game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_OPEN)
ON_SNAPSHOT = play_service_pb2.VIEW_DELIVERY_ON_SNAPSHOT
ALWAYS = play_service_pb2.VIEW_DELIVERY_ALWAYS

Choose = Callable[[play_service_pb2.Decision], int]
"""How a player chooses among a prompt's legal actions."""


def dragons(**options: Any) -> games_pb2.GameOptions:
    """Options of a game of Dragons."""
    return games_pb2.GameOptions(dragons=dragons_pb2.Options(**options))


def dragons_interest(**options: Any) -> games_pb2.GameOptions:
    """Options of a game of Dragon's Interest."""
    return games_pb2.GameOptions(dragons_interest=dragons_interest_pb2.Options(**options))


def dragonisles(**options: Any) -> games_pb2.GameOptions:
    """Options of a game of DragonIsles."""
    return games_pb2.GameOptions(dragonisles=dragonisles_pb2.Options(**options))


def invited() -> game_service_pb2.SeatSpec:
    """A seat for whoever has its code."""
    return game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_INVITED)


def reserved(bot: str) -> game_service_pb2.SeatSpec:
    """A seat for a bot."""
    return game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_RESERVED, bot_name=bot)


@dataclass
class Seated:
    """A game whose seats are taken."""

    game_id: str
    host_token: str
    tokens: list[str]


@dataclass
class Client:
    """Stubs over one connection."""

    channel: RecordingChannel

    @property
    def streams(self) -> list[Recorded]:
        """Every stream that was observed over the connection."""
        return self.channel.streams

    def __post_init__(self) -> None:
        channel = cast(grpc.aio.Channel, self.channel)
        self.games = game_service_pb2_grpc.GameServiceStub(channel)
        self.play = play_service_pb2_grpc.PlayServiceStub(channel)
        self.records = record_service_pb2_grpc.RecordServiceStub(channel)
        self.sandbox = sandbox_service_pb2_grpc.SandboxServiceStub(channel)

    async def create(
        self, seats: int | Sequence[game_service_pb2.SeatSpec] = 3, **fields: Any
    ) -> game_service_pb2.CreateGameResponse:
        """A new game that waits for players."""
        specs = [OPEN] * seats if isinstance(seats, int) else seats
        fields.setdefault("options", dragons())
        return await self.games.CreateGame(game_service_pb2.CreateGameRequest(seats=specs, **fields))

    async def catalogue(self) -> dict[str, game_service_pb2.Rules]:
        """The games that the server plays, by name."""
        response = await self.games.ListRules(game_service_pb2.ListRulesRequest())
        return {rules.game: rules for rules in response.rules}

    async def take(self, game_id: str, name: str = "Someone", **fields: Any) -> game_service_pb2.TakeSeatResponse:
        """A seat of a game."""
        return await self.games.TakeSeat(game_service_pb2.TakeSeatRequest(game_id=game_id, player_name=name, **fields))

    async def seated(self, seats: int = 3, **fields: Any) -> Seated:
        """A new game with all seats taken: it has started."""
        return await self.fill(await self.create(seats, **fields))

    async def fill(self, created: game_service_pb2.CreateGameResponse) -> Seated:
        """Takes all seats of a new game."""
        game = created.game
        tokens = [
            (await self.take(game.game_id, f"Player {seat.seat}", nonce=b"%d" % seat.seat)).seat_token
            for seat in game.seats
        ]
        return Seated(game.game_id, created.host_token, tokens)

    async def game(self, game_id: str) -> game_pb2.Game:
        """A game, as everyone may know it."""
        return (await self.games.GetGame(game_service_pb2.GetGameRequest(game_id=game_id))).game

    async def record(self, game_id: str) -> record_pb2.GameRecord:
        """A finished game's record."""
        return (await self.records.GetRecord(record_service_pb2.GetRecordRequest(game_id=game_id))).record

    async def observe(
        self, game_id: str, token: str = "", seat: int | None = None, **fields: Any
    ) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
        """A stream. Like every other it is recorded for the checks at the test's end."""
        request = play_service_pb2.ObserveRequest(game_id=game_id, seat_token=token, **fields)
        note_token(token, seat)
        call = self.play.Observe(request)
        try:
            async for message in call:
                yield message
        finally:
            call.cancel()

    async def watch_first(
        self, game_id: str, token: str = "", seat: int | None = None, **fields: Any
    ) -> play_service_pb2.ObserveResponse:
        """A stream's first message."""
        async for message in self.observe(game_id, token, seat, **fields):
            return message
        raise AssertionError("the stream ended without a message")

    async def watch_to_end(self, game_id: str, token: str = "", seat: int | None = None, **fields: Any) -> Recorded:
        """Everything that a stream sends until the game is over."""
        number = len(self.streams)
        async for _ in self.observe(game_id, token, seat, **fields):
            pass
        return self.streams[number]

    async def submit(
        self,
        game: Seated,
        seat: int,
        decision_id: int,
        index: int | None = None,
        action: games_pb2.GameAction | None = None,
    ) -> play_service_pb2.SubmitResponse:
        """One answer, by index or spelled out."""
        request = play_service_pb2.SubmitRequest(
            game_id=game.game_id, seat_token=game.tokens[seat], decision_id=decision_id, action=action
        )
        if index is not None:
            request.action_index = index
        return await self.play.Submit(request)

    async def play_seat(self, game: Seated, seat: int, choose: Choose, **fields: Any) -> None:
        """Plays one seat to the game's end, as a person's frontend would."""
        answered = 0  # A decision comes again with every update until all who are asked together have answered.
        async for message in self.observe(game.game_id, game.tokens[seat], seat, **fields):
            prompt = prompt_of(message)
            if prompt is not None and prompt.decision_id > answered:
                answered = prompt.decision_id
                await self.submit(game, seat, prompt.decision_id, choose(prompt))

    async def play_out(self, game: Seated, choices: int = 1, **fields: Any) -> None:
        """Plays all seats to the game's end, at random."""
        rng = Random(choices)
        seats = range(len(game.tokens))
        await asyncio.gather(*(self.play_seat(game, seat, at_random(rng), **fields) for seat in seats))

    async def prompt(self, game: Seated) -> tuple[int, play_service_pb2.Decision]:
        """The seat that is asked now, and its prompt."""
        seat = (await self.watch_first(game.game_id)).snapshot.waiting[0].seat
        return seat, (await self.watch_first(game.game_id, game.tokens[seat], seat)).snapshot.decision


def at_random(rng: Random) -> Choose:
    """Any legal action."""
    return lambda prompt: rng.randrange(number_of_actions(prompt))


def number_of_actions(prompt: play_service_pb2.Decision) -> int:
    """How many legal actions a prompt has, each amount of a range counted."""
    last = prompt.legal_actions[-1]
    return last.index + 1 + last.amounts.max - last.amounts.min


def prompt_of(message: play_service_pb2.ObserveResponse) -> play_service_pb2.Decision | None:
    """What the reader's own seat is asked."""
    decision = message.snapshot.decision if message.HasField("snapshot") else message.update.decision
    return decision if decision.decision_id else None


@dataclass
class Running(Client):
    """A server in this process, and a client of it."""

    server: Server = field(kw_only=True)
    port: int = field(kw_only=True)
    faults: Faults = field(kw_only=True)


@asynccontextmanager
async def running(
    store: Path, chance_of: ChanceOf = seeded_chance, now_us: Callable[[], int] = now_us, **settings: Any
) -> AsyncIterator[Running]:
    """A server on ``store`` until the block is left; then it has had no fault, and every stream kept its promises."""
    settings = {"heartbeat": timedelta(seconds=30), "grace": timedelta(seconds=2), **settings}
    server = Server(ServerConfig(listen="127.0.0.1:0", store=store, **settings), chance_of, now_us)
    port = await server.start()
    faults = Faults()
    try:
        async with connected(port) as channel:
            client = Running(channel, server=server, port=port, faults=faults)
            yield client
            await check_with_server(channel, port, with_records=chance_of is seeded_chance)
    finally:
        await server.stop()
        faults.end()
    assert faults.messages == []


class Faults(logging.Handler):
    """Collects what the server logs as its own fault."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []
        logging.getLogger("dragonhall.server").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        if "event=fault" in record.getMessage():
            self.messages.append(logging.Formatter().format(record))

    def end(self) -> None:
        """Collects no more."""
        logging.getLogger("dragonhall.server").removeHandler(self)


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[RecordingChannel]:
    """A connection of its own, which records the streams that are opened over it."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options) as channel:
        yield RecordingChannel(channel, port)


@dataclass(frozen=True)
class Refused:
    """How a request was refused."""

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: dict[str, str]
    fields: list[str]
    retry_after: float = 0.0
    """Seconds; 0: nothing is said of it."""


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """The typed details of a refusal."""
    # iter: the keys() of the metadata of grpcio 1.76 are pairs, over which `dict` alone stumbles.
    trailers = dict(iter(error.trailing_metadata() or ()))
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    info, request, retry = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
    for detail in status.details:
        detail.Unpack(info) or detail.Unpack(request) or detail.Unpack(retry)
    assert info.domain == "dragonhall"
    assert status.code == error.code().value[0]
    fields = [violation.field for violation in request.field_violations]
    seconds = retry.retry_delay.ToTimedelta().total_seconds()
    return Refused(error.code(), info.reason, status.message, dict(info.metadata), fields, seconds)
