"""What Play promises of its commands: each is answered exactly once, and a channel's messages come in their order."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import grpc
import pytest

from dragonhall.server.services import play_stream
from dragonhall.v1.play_service_pb2 import AttachSeat, DetachSeat, PlayAnswer, PlayCommand, PlayMessage
from tests.service.harness import Running, Seated, prompt_of, refused
from tests.service.streams import Stream, errors, stream_of


def told(messages: Iterable[PlayMessage]) -> list[tuple[int, str]]:
    """Whose command each message answers, and its kind."""
    return [(message.command_id, message.WhichOneof("message") or "") for message in messages]


def detach(channel: int, command_id: int) -> PlayCommand:
    return PlayCommand(channel=channel, command_id=command_id, detach=DetachSeat())


def answer(channel: int, command_id: int, decision_id: int, index: int = 0) -> PlayCommand:
    given = PlayAnswer(decision_id=decision_id, action_index=index)
    return PlayCommand(channel=channel, command_id=command_id, answer=given)


async def test_an_attach_is_answered_by_the_first_observation_and_no_other(server: Running) -> None:
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, 1, 7, from_revision=1))
        messages = await stream.receive()
        assert told(messages) == [(1007, "observation")] + [(0, "observation")] * 4
        seat, prompt = await server.prompt(game)
        await server.submit(game, seat, prompt.decision_id, 0)
        assert told(await stream.receive()) == [(0, "observation")]


async def test_an_attach_that_a_detach_overtakes_is_answered_by_a_closed_of_its_own(server: Running) -> None:
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, 0, 7), detach(7, 1), stream.attach(game, 1, 7), detach(7, 2))
        messages = await stream.receive_to_end()
    assert told(messages) == [(1007, "closed"), (1, "closed"), (1007, "closed"), (2, "closed")]


async def test_an_attach_past_the_end_of_a_game_is_answered_by_closed(server: Running) -> None:
    game = await server.seated()
    await server.play_out(game)
    newest = (await server.game(game.game_id)).revision
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, 0, 7, from_revision=newest + 1))
        assert told(await stream.receive()) == [(1007, "closed")]
        await stream.send(stream.attach(game, 0, 7))  # its number is free again
        assert told(await stream.receive_to_end()) == [(1007, "observation"), (0, "closed")]


async def test_closed_comes_after_the_results_of_the_answers_before_a_detach(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    async with stream_of(server) as stream:
        await stream.send(
            stream.attach(game, seat, 7),
            answer(7, 1, prompt.decision_id),
            answer(7, 2, 1_000_000),
            answer(7, 3, prompt.decision_id),
            detach(7, 4),
            answer(7, 5, prompt.decision_id),
            stream.attach(game, seat, 7),
        )
        messages = await stream.receive_to_end()
        stream.channels.clear()  # a number was used again
    before, after = messages[: told(messages).index((4, "closed"))], messages[-2:]
    assert [kind for kind in told(before) if kind != (0, "observation")] == [
        (1007, "observation"),
        (1, "result"),
        (2, "error"),
        (3, "result"),
    ]
    assert told(after) == [(5, "error"), (1007, "observation")]
    assert after[0].error.metadata["field"] == "channel"


async def test_closed_comes_after_the_results_of_answers_when_the_game_ends(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await server.seated()
    results_are_late(monkeypatch)
    async with stream_of(server) as stream:
        await stream.send(*(stream.attach(game, seat, seat) for seat in range(3)))
        await asyncio.wait_for(stream.play_all(choices=5), 30)
        await stream.receive_to_end()
        messages = [message for message in stream.log if message.WhichOneof("message") in ("result", "closed")]
    last_messages = {message.channel: message.WhichOneof("message") for message in messages}
    assert last_messages == dict.fromkeys(range(3), "closed")


def results_are_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """What became of an answer is learnt some time after the game has gone on."""
    on_time = play_stream.PlayStream._answered

    def late(*arguments: Any) -> None:
        asyncio.get_running_loop().call_later(0.005, on_time, *arguments)

    monkeypatch.setattr(play_stream.PlayStream, "_answered", late)


async def test_an_answer_repeated_with_an_attach_finds_its_channel_open(server: Running) -> None:
    game = await server.seated()
    last = await play_to_the_last_answer(server, game)
    newest = (await server.game(game.game_id)).revision
    idle = [PlayCommand(channel=9, command_id=i) for i in range(2000, 3000)]  # others have their turn between
    async with stream_of(server) as stream:
        attach = stream.attach(game, last[0], 7, from_revision=newest + 1)
        await stream.send(attach, *idle, answer(7, 1, last[1], last[2]))
        messages = [message for message in await stream.receive_to_end() if message.channel == 7]
        assert told(messages) == [(1, "result"), (1007, "closed")]
        assert messages[0].result.repeated


async def play_to_the_last_answer(server: Running, game: Seated) -> tuple[int, int, int]:
    """Plays a game to its end; the last answer's seat, decision and index."""
    while (await server.watch_first(game.game_id)).snapshot.waiting:
        seat, prompt = await server.prompt(game)
        index = len(prompt.legal_actions) - 1
        await server.submit(game, seat, prompt.decision_id, index)
    return seat, prompt.decision_id, index


async def test_the_hosts_channel_is_a_spectators(server: Running) -> None:
    game = await server.seated()
    attach = AttachSeat(game_id=game.game_id, seat_token=game.host_token)
    async with stream_of(server) as stream:
        stream.attach(game, None, 7)
        await stream.send(PlayCommand(channel=7, command_id=1, attach=attach), answer(7, 2, 1))
        messages = await stream.receive_to_end()
    assert told(messages) == [(1, "observation"), (2, "error")]
    assert not messages[0].observation.snapshot.HasField("seat")
    assert errors(messages) == [(2, "NOT_YOUR_ROLE")]


async def test_errors_name_the_game_that_the_command_was_for(server: Running) -> None:
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(
            PlayCommand(channel=1, command_id=1, attach=AttachSeat(game_id=game.game_id, seat_token="wrong")),
            stream.attach(game, 0, 1),
            answer(1, 2, 1_000_000),
            answer(9, 3, 1),
        )
        named = {
            message.command_id: message.error.metadata.get("game_id", "")
            for message in await stream.receive_to_end()
            if message.HasField("error")
        }
    assert named == {1: game.game_id, 2: game.game_id, 3: ""}


async def test_no_response_is_larger_than_the_limit(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_stream, "MAX_RESPONSE_BYTES", 2_000)
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(*(stream.attach(game, None, channel) for channel in range(50)))
        await stream.send(*(answer(99, i, 1) for i in range(1, 50)))
        await stream.call.done_writing()
        sizes: list[int] = []
        count = 0
        while messages := await stream.receive():
            count += len(messages)
            sizes.append(stream.last_size)
    assert count == 99
    assert max(sizes) <= 2_000
    assert len(sizes) < 99 / 2


async def test_what_takes_long_to_put_together_is_written_in_parts(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_stream, "ENOUGH_SECONDS", 0)
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(*(stream.attach(game, None, channel) for channel in range(10)))
        assert len(await stream.receive_to_end()) == 10
        assert stream.writes == 10


@pytest.mark.parametrize("seed", range(4))
async def test_every_command_is_answered_exactly_once_in_the_order_of_its_channel(server: Running, seed: int) -> None:
    rng = Random(seed)
    games = [await server.seated() for _ in range(3)]
    others = [asyncio.create_task(play_against_the_stream(server, game, rng)) for game in games[:2]]
    async with stream_of(server) as stream:
        commands: dict[int, PlayCommand] = {}
        received: list[PlayMessage] = []
        reading = asyncio.create_task(read(stream, received))
        for _ in range(60):
            batch = [command(rng, games, len(commands) + i + 1) for i in range(rng.randrange(1, 8))]
            commands.update((each.command_id, each) for each in batch)
            await stream.send(*batch)
            await asyncio.sleep(rng.choice((0, 0, 0.01)))
        await asyncio.gather(*others)
        await stream.call.done_writing()
        await reading
    assert Counter(message.command_id for message in received if message.command_id) == dict.fromkeys(commands, 1)
    for channel in range(4):
        check_channel([message for message in received if message.channel == channel], commands)


async def read(stream: Stream, received: list[PlayMessage]) -> None:
    while messages := await stream.receive():
        received += messages


async def play_against_the_stream(server: Running, game: Seated, rng: Random) -> None:
    """Plays all seats to the game's end; the stream's own answers may be there first."""

    async def play(seat: int) -> None:
        async for message in server.observe(game.game_id, game.tokens[seat], seat):
            if (prompt := prompt_of(message)) is not None:
                try:
                    await server.submit(game, seat, prompt.decision_id, rng.randrange(len(prompt.legal_actions)))
                except grpc.aio.AioRpcError as error:
                    if refused(error).reason != "DECISION_ANSWERED":
                        raise

    await asyncio.gather(*map(play, range(3)))


def command(rng: Random, games: list[Seated], command_id: int) -> PlayCommand:
    """Any command, for one of a few channels."""
    channel = rng.randrange(4)
    kind = rng.choice(("attach", "attach", "answer", "answer", "answer", "detach", "nothing"))
    if kind == "attach":
        game = rng.choice(games)
        attach = AttachSeat(game_id=game.game_id, seat_token=rng.choice([*game.tokens, "", "wrong"]))
        attach.from_revision = rng.choice((0, 1, 5, 6, 9, 30))
        return PlayCommand(channel=channel, command_id=command_id, attach=attach)
    if kind == "answer":
        return answer(channel, command_id, rng.randrange(1, 12), rng.randrange(3))
    if kind == "detach":
        return detach(channel, command_id)
    return PlayCommand(channel=channel, command_id=command_id)


def check_channel(messages: list[PlayMessage], commands: dict[int, PlayCommand]) -> None:
    """An opening, then whatever comes while the channel is open, then its closed."""
    is_open = False
    overtaken = False
    for message in messages:
        kind = message.WhichOneof("message")
        answered = commands[message.command_id].WhichOneof("command") if message.command_id else None
        if kind == "observation":
            assert answered == (None if is_open else "attach"), message
            is_open = True
        elif kind == "result":
            assert is_open, message
            assert answered == "answer"
        elif kind == "closed":
            assert is_open or answered == "attach" or (overtaken and answered == "detach"), message
            overtaken = answered == "attach"
            is_open = False
        else:
            assert kind == "error"
            assert message.command_id in commands
