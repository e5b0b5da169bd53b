"""Play: many seats of many games on one stream."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc

from dragonhall.v1.play_service_pb2 import (
    AttachSeat,
    DetachSeat,
    PlayAnswer,
    PlayCommand,
    PlayMessage,
    PlayRequest,
    SubmitRequest,
)
from tests.service.harness import Running, running
from tests.service.promises import Recorded, check_resumed
from tests.service.streams import errors, stream_of


async def test_many_seats_of_many_games_are_played_over_one_stream(server: Running) -> None:
    games = [await server.seated(3 + i % 4) for i in range(12)]
    async with stream_of(server) as stream:
        seats = [(game, seat) for game in games for seat in range(len(game.tokens))]
        await stream.send(*(stream.attach(game, seat, channel) for channel, (game, seat) in enumerate(seats)))
        await stream.play_all(choices=3)
        observations = sum(len(recorded.messages) for recorded in stream.channels.values())
        assert stream.writes < observations / 4  # whatever is ready goes out in one message
        for recorded in stream.channels.values():
            token = next(g.tokens[recorded.seat or 0] for g in games if g.game_id == recorded.game_id)
            first = recorded.updates[0].revision
            whole = await server.watch_to_end(recorded.game_id, token, recorded.seat, from_revision=first)
            check_resumed(whole, Recorded(recorded.game_id, recorded.seat, first, recorded.messages))


async def test_an_error_of_one_command_leaves_the_others_alone(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    answer = PlayAnswer(decision_id=prompt.decision_id, action_index=0)
    other = PlayAnswer(decision_id=prompt.decision_id, action_index=1)
    nothing = PlayAnswer(decision_id=prompt.decision_id)
    async with stream_of(server) as stream:
        await stream.send(
            PlayCommand(channel=9, command_id=1, answer=answer),
            PlayCommand(channel=9, command_id=2),
            PlayCommand(channel=9, command_id=3, attach=AttachSeat(game_id="nonesuch")),
            PlayCommand(channel=9, command_id=4, attach=AttachSeat(game_id=game.game_id, seat_token="wrong")),
            stream.attach(game, seat, 1),
            stream.attach(game, None, 2),
            PlayCommand(channel=1, command_id=5, attach=AttachSeat(game_id=game.game_id)),
            PlayCommand(channel=2, command_id=6, answer=answer),
            PlayCommand(channel=1, command_id=7, answer=nothing),
            PlayCommand(channel=1, command_id=8, answer=answer),
            PlayCommand(channel=1, command_id=9, answer=other),
            PlayCommand(channel=1, command_id=10, answer=answer),
        )
        messages: list[PlayMessage] = []
        while sum(message.command_id > 0 for message in messages) < 10:
            messages += await stream.receive()
    assert sorted(errors(messages)) == [
        (1, "INVALID_FIELD"),
        (2, "INVALID_FIELD"),
        (3, "GAME_NOT_FOUND"),
        (4, "TOKEN_INVALID"),
        (5, "INVALID_FIELD"),
        (6, "NOT_YOUR_ROLE"),
        (7, "INVALID_FIELD"),
        (9, "DECISION_ANSWERED"),
    ]
    results = {message.command_id: message.result for message in messages if message.HasField("result")}
    assert {command: result.repeated for command, result in results.items()} == {8: False, 10: True}
    assert results[8].revision == results[10].revision


async def test_a_detached_channel_is_closed_and_its_number_is_free_again(server: Running) -> None:
    game = await server.seated()
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, 0, 5))
        await stream.receive_until("observation")
        await stream.send(PlayCommand(channel=5, command_id=77, detach=DetachSeat()))
        closed = await stream.receive_until("closed")
        assert (closed.channel, closed.command_id) == (5, 77)
        await stream.send(PlayCommand(channel=5, command_id=78, detach=DetachSeat()))
        assert errors([await stream.receive_until("error")]) == [(78, "INVALID_FIELD")]
        await stream.send(stream.attach(game, 1, 5))
        await stream.receive_until("observation")


async def test_a_seat_attached_from_the_newest_revision_is_greeted_and_misses_nothing(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    newest = (await server.game(game.game_id)).revision
    async with stream_of(server) as stream:
        await stream.send(stream.attach(game, seat, 1, from_revision=newest + 1))
        greeting = await stream.receive_until("observation")
        assert greeting.observation.HasField("heartbeat")
        assert greeting.observation.revision == newest
        await server.submit(game, seat, prompt.decision_id, 0)
        assert (await stream.receive_until("observation")).observation.revision == newest + 1


async def test_the_client_ends_the_stream_and_everything_begun_is_answered(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    async with stream_of(server) as stream:
        answer = PlayAnswer(decision_id=prompt.decision_id, action_index=0)
        await stream.send(stream.attach(game, seat, 1), PlayCommand(channel=1, command_id=1, answer=answer))
        await stream.call.done_writing()
        assert (await stream.receive_until("result")).command_id == 1
        while await stream.receive():
            pass
        assert await stream.call.code() == grpc.StatusCode.OK


async def test_a_stream_that_breaks_off_loses_no_answer(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    async with stream_of(server) as stream:
        answer = PlayAnswer(decision_id=prompt.decision_id, action_index=0)
        await stream.send(stream.attach(game, seat, 1), PlayCommand(channel=1, command_id=1, answer=answer))
        await stream.receive_until("result")
    request = SubmitRequest(
        game_id=game.game_id, seat_token=game.tokens[seat], decision_id=prompt.decision_id, action_index=0
    )
    assert (await server.play.Submit(request)).repeated


async def test_a_client_that_does_not_read_is_not_read_from_for_ever(tmp_path: Path) -> None:
    """Commands are cheap to send; their answers must not pile up in the server's memory."""
    async with running(tmp_path / "games.db") as server:
        game = await server.seated()
        call: Any = server.play.Play()
        bad = PlayCommand(channel=1, command_id=1, detach=DetachSeat())
        requests = 0
        while requests < 2000 and await takes_more(call, PlayRequest(commands=[bad] * 1000)):
            requests += 1
        assert 10 <= requests < 2000
        call.cancel()
        await server.play_out(game)  # nobody else was slowed down or lost


async def takes_more(call: Any, request: PlayRequest) -> bool:
    """Whether the server takes another request."""
    try:
        await asyncio.wait_for(call.write(request), 2.0)
    except TimeoutError:
        return False
    return True
