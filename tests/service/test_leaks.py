"""The leak proof over the wire: games that differ only in what a reader does not know send it the same bytes.

The worlds are those of the rules' own leak proofs. Here a real server plays them, and what is compared is what the
socket brings: updates with views, by Observe and by Play, snapshots with history, perspectives, results and refusals,
with deadlines and clocks; and what the server logs. Time passes as the test says, the same in all worlds.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from dragonhall.rules.chance import Chance, RecordedChance
from dragonhall.rules.dragonisles.facts import Options as IslesOptions
from dragonhall.rules.dragons.facts import Options
from dragonhall.rules.dragons_interest.facts import Options as InterestOptions
from dragonhall.server.game import LiveGame
from dragonhall.server.log import Created, LogEntry
from dragonhall.server.playthrough import Frame
from dragonhall.v1 import game_pb2
from dragonhall.v1.play_service_pb2 import (
    AttachSeat,
    ObserveRequest,
    ObserveResponse,
    PlayCommand,
    PlayRequest,
    PlayResponse,
    Snapshot,
    SubmitRequest,
)
from dragonhall.v1.record_service_pb2 import GetPerspectiveRequest
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import actions_from_proto
from tests.leaks import dragonisles_worlds as isles
from tests.leaks import dragons_interest_worlds as interest
from tests.leaks import dragons_worlds as dragons
from tests.leaks.worlds import Answer, Playing, Proof, Twin, Viewer, World, viewers
from tests.service.harness import ALWAYS, Running, Seated, running
from tests.service.stopped import START_US, Clock, bank

SEATS = 4


@dataclass(frozen=True)
class Secret:
    """Something that a reader does not know, and random games in which it is otherwise."""

    random_game: Callable[[Random], World]
    attempts: Sequence[Any]
    twin: Callable[[Proof, Viewer, Random], Twin]


def dragons_cards(options: Options) -> Secret:
    """Cards that lie face down, and in other hands."""
    return Secret(
        lambda rng: dragons.random_game(SEATS, options, rng),
        dragons.ATTEMPTS,
        lambda proof, viewer, rng: dragons.with_unseen_cards_moved(
            proof, rng.randrange(len(proof.states)), viewer, rng
        ),
    )


def interest_secret(twin: Callable[[Proof, Viewer, Random], Twin]) -> Secret:
    """A secret of Dragon's Interest."""
    return Secret(lambda rng: interest.random_game(SEATS, InterestOptions(), rng), interest.ATTEMPTS, twin)


def isles_cards(options: IslesOptions) -> Secret:
    """Cards that lie face down, in other hands, and on offer to others."""
    return Secret(
        lambda rng: isles.random_game(SEATS, options, rng),
        isles.ATTEMPTS,
        lambda proof, viewer, rng: isles.Reader(proof, viewer).with_unseen_cards_moved(
            range(1 + rng.randrange(len(proof.states))), rng
        ),
    )


SECRETS = {
    "dragons-cards": dragons_cards(Options()),
    "dragons-cards-in-hand": dragons_cards(Options(hidden_card=True)),
    "dragons-cards-open-piles": dragons_cards(Options(hidden_card=True, open_piles=True)),
    "dragons-card-played": Secret(
        lambda rng: dragons.random_game(SEATS, Options(hidden_card=True), rng),
        dragons.ATTEMPTS,
        lambda proof, viewer, rng: dragons.with_the_other_card_played(
            proof, rng.choice(dragons.plays_with_two_cards(proof, viewer))
        ),
    ),
    "dragons_interest-tiles": interest_secret(
        lambda proof, viewer, rng: interest.with_unseen_tiles_moved(proof, rng.randrange(len(proof.states)), rng)
    ),
    "dragons_interest-answers": interest_secret(
        lambda proof, viewer, rng: interest.with_other_secrets(
            proof, rng.choice(interest.secret_choices(proof)), viewer, rng
        )
    ),
    "dragons_interest-amounts": interest_secret(
        lambda proof, viewer, rng: interest.with_another_amount(
            proof, rng.choice(interest.exchanges_between_others(proof, viewer)), rng
        )
    ),
    "dragonisles-cards": isles_cards(IslesOptions()),
    "dragonisles-cards-and-draft": isles_cards(IslesOptions(draft=True)),
}


@dataclass
class Sent:
    """Everything that one reader was sent in one world, message by message."""

    updates: dict[int, bytes] = field(default_factory=dict)
    """By revision."""
    channel: dict[int, bytes] = field(default_factory=dict)
    """The same over a channel of Play."""
    at_the_end: list[bytes] = field(default_factory=list)
    """A snapshot with history, a resumed stream's greeting, what was known at some revisions, and the answers to
    everything that the seat may try."""


class Worlds:
    """A server that deals given worlds."""

    def __init__(self) -> None:
        self._worlds: dict[str, World] = {}
        self.clock = Clock()
        self.server: Running
        self._news = asyncio.Event()

    def chance_of(self, created: Created, nonces: Sequence[bytes]) -> Chance:
        return RecordedChance(self._worlds[created.title].chance)

    async def begin(self, world: World, settings: game_pb2.GameSettings | None) -> Seated:
        """A game in which ``world`` is dealt. It begins at the same time in each."""
        self.clock.time_us = START_US
        title = f"world {len(self._worlds)}"
        self._worlds[title] = world
        options = CODECS[world.game.name].options_to_proto(world.options)
        return await self.server.seated(world.seats, options=options, title=title, seed=bytes(32), settings=settings)

    async def answer(self, game: Seated, playing: Playing, answer: Answer) -> None:
        """What a seat answers in its world, a second after the answer before."""
        self.clock.tick()
        decision_id = playing.table.tickets[answer.seat].decision_id
        action = CODECS[playing.world.game.name].action_to_proto(answer.action)
        await self.server.submit(game, answer.seat, decision_id, action=action)
        playing.answer(answer)

    async def sent_in(
        self,
        world: World,
        readers: Sequence[Viewer],
        moment: int,
        attempts: Sequence[Any],
        settings: game_pb2.GameSettings | None = None,
    ) -> dict[Viewer, Sent]:
        """Plays ``world`` for so many answers: what each reader is sent, its own tries at the end included."""
        game = await self.begin(world, settings)
        last = world.seats + 2 + moment
        sent = {reader: Sent() for reader in readers}
        reading = [
            asyncio.create_task(read(game, reader, last, into))
            for reader, told in sent.items()
            for read, into in ((self._updates, told.updates), (self._channel, told.channel))
        ]
        playing = Playing(world)
        for number, answer in enumerate(world.answers[:moment], 1):
            await self._until_all_are_told(sent.values(), number)
            await self.answer(game, playing, answer)
        await asyncio.gather(*reading)
        for reader in readers:
            sent[reader].at_the_end = [
                await self._snapshot(game, reader),
                await self._greeting(game, reader, last + 1),
                *[await self._perspective(game, reader, last - ago) for ago in (0, moment // 2)],
                *await self._tries(game, reader, world.game.name, attempts),
            ]
        return sent

    async def _until_all_are_told(self, sent: Iterable[Sent], revisions: int) -> None:
        """So that what is sent is written at the same time in all worlds: it tells how much time is left."""
        async with asyncio.timeout(10):
            while any(len(told.updates) < revisions or len(told.channel) < revisions for told in sent):
                self._news.clear()
                await self._news.wait()

    def _raw_stream(self, request: ObserveRequest) -> Any:
        observe: Any = self.server.channel.unary_stream("/dragonhall.v1.PlayService/Observe")
        return observe(request.SerializeToString())

    async def _updates(self, game: Seated, viewer: Viewer, last: int, updates: dict[int, bytes]) -> None:
        token = "" if viewer is None else game.tokens[viewer]
        first = len(game.tokens) + 2  # the start
        call = self._raw_stream(
            ObserveRequest(game_id=game.game_id, seat_token=token, from_revision=first, view_delivery=ALWAYS)
        )
        while len(updates) <= last - first:
            updates[first + len(updates)] = await call.read()
            self._news.set()
        call.cancel()

    async def _channel(self, game: Seated, viewer: Viewer, last: int, updates: dict[int, bytes]) -> None:
        """What Play brings. How many messages come in one response is chance, and nothing of the game's."""
        first = len(game.tokens) + 2
        token = "" if viewer is None else game.tokens[viewer]
        attach = AttachSeat(game_id=game.game_id, seat_token=token, from_revision=first, view_delivery=ALWAYS)
        play: Any = self.server.channel.stream_stream("/dragonhall.v1.PlayService/Play")
        call = play()
        await call.write(PlayRequest(commands=[PlayCommand(channel=1, attach=attach)]).SerializeToString())
        while len(updates) <= last - first:
            for message in PlayResponse.FromString(await call.read()).messages:
                if message.HasField("observation"):
                    updates[message.observation.revision] = message.SerializeToString(deterministic=True)
            self._news.set()
        call.cancel()

    async def _perspective(self, game: Seated, viewer: Viewer, revision: int) -> bytes:
        token = "" if viewer is None else game.tokens[viewer]
        request = GetPerspectiveRequest(game_id=game.game_id, token=token, seat=viewer, revision=revision)
        response = await self.server.records.GetPerspective(request)
        return without_what_differs_anyway(response.snapshot)

    async def _snapshot(self, game: Seated, viewer: Viewer) -> bytes:
        token = "" if viewer is None else game.tokens[viewer]
        call = self._raw_stream(ObserveRequest(game_id=game.game_id, seat_token=token, include_history=True))
        message = ObserveResponse.FromString(await call.read())
        call.cancel()
        return without_what_differs_anyway(message.snapshot)

    async def _greeting(self, game: Seated, viewer: Viewer, first: int) -> bytes:
        """The heartbeat of a stream that resumes; nothing after the game's end."""
        token = "" if viewer is None else game.tokens[viewer]
        call = self._raw_stream(ObserveRequest(game_id=game.game_id, seat_token=token, from_revision=first))
        message = await call.read()
        call.cancel()
        return b"" if message is grpc.aio.EOF else bytes(message)

    async def _tries(self, game: Seated, viewer: Viewer, name: str, attempts: Sequence[Any]) -> list[bytes]:
        """What the seat is answered to all actions, and to one action as the answer to decisions of any seat."""
        if viewer is None:
            return []
        snapshot = (await self.server.watch_first(game.game_id, game.tokens[viewer], viewer)).snapshot
        own = snapshot.decision.decision_id
        legal = actions_from_proto(snapshot.decision.legal_actions, CODECS[name])
        newest = max((waiting.decision_id for waiting in snapshot.waiting), default=own)
        tried = [(own or newest, action) for action in attempts if not own or action not in legal]
        tried += [(other, attempts[0]) for other in range(max(1, newest - SEATS), newest + 2) if other != own]
        return [
            await self._answer_to(
                game,
                SubmitRequest(
                    game_id=game.game_id,
                    seat_token=game.tokens[viewer],
                    decision_id=decision_id,
                    action=CODECS[name].action_to_proto(action),
                ),
            )
            for decision_id, action in tried
        ]

    async def _answer_to(self, game: Seated, request: SubmitRequest) -> bytes:
        """A refusal's whole status; or the result, if the seat has answered just so before."""
        try:
            response = await self.server.play.Submit(request)
        except grpc.aio.AioRpcError as refused:
            trailers = dict(iter(refused.trailing_metadata() or ()))
            status = bytes(trailers["grpc-status-details-bin"])
            return status.replace(game.game_id.encode(), b"the game")
        assert response.repeated
        return response.SerializeToString(deterministic=True)


def without_what_differs_anyway(snapshot: Snapshot) -> bytes:
    """A snapshot without its game's id and title."""
    for field_name in ("game_id", "title"):
        snapshot.game.ClearField(field_name)
    return snapshot.SerializeToString(deterministic=True)


@asynccontextmanager
async def worlds(store: Path) -> AsyncIterator[Worlds]:
    dealt = Worlds()
    async with running(store, dealt.chance_of, dealt.clock) as dealt.server:
        yield dealt


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Takes the lines logged since the last call, without what differs from game to game anyway.

    Nor with what differs from machine to machine: that the server got nothing of the processor for a while.
    """
    caplog.set_level(logging.INFO, "dragonhall.server")

    def take() -> list[str]:
        lines = [re.sub(r"game=\w+|seconds=\S+", "", record.getMessage()) for record in caplog.records]
        caplog.clear()
        return [line for line in lines if not line.startswith("event=stood_still")]

    return take


UNTIMED = ("dragons-cards", "dragonisles-cards")
"""Games without clocks send less, so that a few suffice."""


@pytest.mark.parametrize("name", SECRETS)
async def test_a_secret_changes_nothing_that_a_reader_is_sent_and_nothing_that_is_logged(
    tmp_path: Path, name: str, logged: Callable[[], list[str]]
) -> None:
    secret, settings = SECRETS[name], game_pb2.GameSettings(time_control=None if name in UNTIMED else bank(600, 2))
    rng = Random("secret")
    proof = Proof(secret.random_game(rng), secret.attempts)
    async with worlds(tmp_path / "games.db") as dealt:
        for reader in (*rng.sample(range(SEATS), 1 if name.startswith("dragonisles") else 2), None):
            twin = secret.twin(proof, reader, rng)
            assert twin.world != proof.world
            moment = twin.moments.stop - 1
            logged()
            sent = await dealt.sent_in(proof.world, [reader], moment, secret.attempts, settings)
            lines = logged()
            assert await dealt.sent_in(twin.world, [reader], moment, secret.attempts, settings) == sent
            assert len(sent[reader].updates) == len(sent[reader].channel) == moment + 1
            assert logged() == lines
            assert any("event=game_started" in line for line in lines)


async def test_a_planted_line_in_the_log_is_found(
    tmp_path: Path, logged: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = LiveGame._publish

    def leaking(self: LiveGame, entries: list[LogEntry], frames: list[Frame]) -> None:
        logging.getLogger("dragonhall.server").info("event=answered cause=%s", entries[0].cause)
        honest(self, entries, frames)

    monkeypatch.setattr(LiveGame, "_publish", leaking)
    secret, rng = SECRETS["dragons_interest-answers"], Random("planted")
    proof = Proof(secret.random_game(rng), secret.attempts)
    twin = secret.twin(proof, None, rng)
    async with worlds(tmp_path / "games.db") as dealt:
        lines = []
        for world in (proof.world, twin.world):
            await dealt.sent_in(world, [], twin.moments.stop - 1, [])
            lines.append([line for line in logged() if "cause=Answered" in line])
        assert lines[0] != lines[1]


async def test_a_card_in_hand_is_told_to_its_seat_and_to_nobody_else(tmp_path: Path) -> None:
    """The proof finds what a reader does see; else it would prove nothing."""
    world = dragons.random_game(SEATS, Options(hidden_card=True), Random("seen"))
    everyone = viewers(SEATS)
    async with worlds(tmp_path / "games.db") as dealt:
        sent = await dealt.sent_in(world, everyone, 0, dragons.ATTEMPTS)
        for holder in range(SEATS):
            others = await dealt.sent_in(with_another_card_held(world, holder), everyone, 0, dragons.ATTEMPTS)
            assert [viewer for viewer in everyone if others[viewer] != sent[viewer]] == [holder]


def with_another_card_held(world: World, seat: int) -> World:
    """The same game, but for the card that ``seat`` is dealt first and one far down in the deck."""
    order = list(dragons.treasure(world))
    held = world.states()[0].held[seat]
    other = max(position for position, face in enumerate(order) if face != order[held])
    order[held], order[other] = order[other], order[held]
    return dragons.with_treasure(world, order)
