"""What is tried of whole games of every game."""

from __future__ import annotations

from collections.abc import Sequence

from dragonhall.wire.records import verify_record
from tests.service.harness import Running, Seated
from tests.service.promises import Recorded, check_atomic, check_resumed
from tests.service.streams import stream_of


async def check_told_what_is_recorded(server: Running, game_id: str, streams: Sequence[Recorded]) -> None:
    """The record of a game that is over verifies, and whole streams of it told what it says."""
    record = await server.record(game_id)
    assert verify_record(record).findings == ()
    for stream in streams:
        check_atomic(stream, record)


def check_finished_alike(streams: Sequence[Recorded]) -> None:
    """All were told the same end."""
    finished = [stream.messages[-1].update.events[-1].game_finished for stream in streams]
    assert all(event == finished[0] for event in finished)


async def check_played_over_one_stream(server: Running, game: Seated) -> None:
    """All seats are played over one stream of `Play`, by random choices."""
    async with stream_of(server) as stream:
        await stream.send(*(stream.attach(game, seat, 1 + seat) for seat in range(len(game.tokens))))
        await stream.play_all(choices=5)
        await check_told_what_is_recorded(server, game.game_id, list(stream.channels.values()))


async def check_resumed_anywhere(server: Running, game: Seated, seats: Sequence[int]) -> None:
    """Once the game is over: streams of these seats and of a spectator that begin later are the rest of the whole."""
    newest = (await server.game(game.game_id)).revision
    for seat, token in [*((seat, game.tokens[seat]) for seat in seats), (None, "")]:
        whole = await server.watch_to_end(game.game_id, token, seat, from_revision=1)
        assert [message.revision for message in whole.messages] == list(range(1, newest + 1))
        for revision in range(2, newest + 2):
            check_resumed(whole, await server.watch_to_end(game.game_id, token, seat, from_revision=revision))
