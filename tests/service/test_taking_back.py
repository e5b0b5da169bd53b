"""Taking back by consent over the wire: who is asked, what everyone is told, what is refused and why.

Afterwards everyone is shown what was shown before the answer, to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import grpc
import pytest

from dragonhall.v1 import play_service_pb2
from dragonhall.v1.play_service_pb2 import (
    AnswerUndoRequest,
    AnswerUndoResponse,
    AskUndoRequest,
    AskUndoResponse,
    ObserveResponse,
    Snapshot,
)
from dragonhall.wire.records import verify_record
from tests.service.harness import (
    Client,
    Refused,
    Running,
    Seated,
    dragonisles,
    dragons,
    dragons_interest,
    number_of_actions,
    refused,
    running,
)
from tests.service.lobbying import settings

UNDO: Final = settings(allow_undo=True)
GAMES: Final = {"dragons": dragons(), "dragons_interest": dragons_interest(), "dragonisles": dragonisles()}
MOST_TRIES: Final = 200


async def ask(client: Client, game: Seated, seat: int, decision_id: int) -> AskUndoResponse:
    request = AskUndoRequest(game_id=game.game_id, seat_token=game.tokens[seat], decision_id=decision_id)
    return await client.play.AskUndo(request)


async def say(client: Client, game: Seated, seat: int, decision_id: int, agree: bool = True) -> AnswerUndoResponse:
    request = AnswerUndoRequest(
        game_id=game.game_id, seat_token=game.tokens[seat], decision_id=decision_id, agree=agree
    )
    return await client.play.AnswerUndo(request)


async def refusal_of(attempt: Any) -> Refused:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await attempt
    return refused(caught.value)


async def why_not(attempt: Any) -> str:
    """Why an answer cannot be taken back."""
    refusal = await refusal_of(attempt)
    assert refusal.reason == "UNDO_NOT_POSSIBLE"
    assert refusal.code == grpc.StatusCode.FAILED_PRECONDITION
    return refusal.metadata["why"]


async def shown(client: Client, game: Seated) -> list[bytes]:
    """What every seat and a spectator is shown, with its history: all but revisions, ids of decisions and deadlines."""
    viewers: list[int | None] = [*range(len(game.tokens)), None]
    return [
        _without_numbers(await snapshot(client, game, viewer)).SerializeToString(deterministic=True)
        for viewer in viewers
    ]


async def snapshot(client: Client, game: Seated, viewer: int | None) -> Snapshot:
    token = "" if viewer is None else game.tokens[viewer]
    return (await client.watch_first(game.game_id, token, viewer, include_history=True)).snapshot


def _without_numbers(message: Snapshot) -> Snapshot:
    message.game.ClearField("revision")
    for asked in (*message.waiting, *([message.decision] if message.HasField("decision") else [])):
        for field in ("decision_id", "deadline", "remaining"):
            if any(field == descriptor.name for descriptor in asked.DESCRIPTOR.fields):
                asked.ClearField(field)
    return message


async def answer_at_random(client: Client, game: Seated, rng: Random) -> tuple[int, int]:
    """One of the seats that are asked answers; the seat and the decision's id."""
    waiting = rng.choice((await client.watch_first(game.game_id)).snapshot.waiting)
    decision = (await snapshot(client, game, waiting.seat)).decision
    await client.submit(game, waiting.seat, decision.decision_id, rng.randrange(number_of_actions(decision)))
    return waiting.seat, decision.decision_id


async def until_asked(client: Client, game: Seated, rng: Random) -> tuple[int, int, list[bytes]]:
    """Plays until it is asked to take back an answer, and others have to agree: by whom, which, and what was before."""
    for _ in range(MOST_TRIES):
        before, asked_before = await shown(client, game), len((await snapshot(client, game, None)).waiting)
        seat, decision_id = await answer_at_random(client, game, rng)
        if asked_before > 1:
            continue  # nobody would have to agree
        try:
            asked = await ask(client, game, seat, decision_id)
        except grpc.aio.AioRpcError as error:
            if refused(error).reason != "UNDO_NOT_POSSIBLE":
                raise
        else:
            if not asked.undone:
                return seat, decision_id, before
    raise AssertionError("nothing was ever to be taken back")


def others(game: Seated, seat: int) -> list[int]:
    return [other for other in range(len(game.tokens)) if other != seat]


async def test_in_a_simultaneous_decision_that_is_open_it_is_done_at_once(server: Running) -> None:
    game = await server.seated(options=dragons_interest(), settings=UNDO)
    before = await shown(server, game)
    first = (await snapshot(server, game, 1)).decision
    await server.submit(game, 1, first.decision_id, 2)
    answered = await shown(server, game)
    undone = await ask(server, game, 1, first.decision_id)
    assert undone.undone
    assert await shown(server, game) == before != answered
    anew = (await snapshot(server, game, 1)).decision
    assert anew.decision_id not in {
        first.decision_id,
        *(w.decision_id for w in (await snapshot(server, game, 0)).waiting if w.seat != 1),
    }
    assert await ask(server, game, 1, first.decision_id) == undone  # as often as it is asked
    assert (await server.game(game.game_id)).revision == undone.revision
    await server.submit(game, 1, anew.decision_id, 3)


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
async def test_when_all_have_agreed_everyone_is_shown_what_was_before(server: Running, options: Any) -> None:
    rng = Random(1)
    game = await server.seated(options=options, settings=UNDO)
    for _ in range(3):
        seat, decision_id, before = await until_asked(server, game, rng)
        request = (await snapshot(server, game, None)).undo_asked
        assert (request.seat, request.decision_id) == (seat, decision_id)
        assert list(request.missing) == others(game, seat)
        asked = await ask(server, game, seat, decision_id)
        assert (asked.revision, asked.undone) == (request.undone_revision + 1, False)
        for i, other in enumerate(others(game, seat)):
            agreed = await say(server, game, other, decision_id)
            assert agreed.undone == (i == 1)
            assert (await say(server, game, other, decision_id)).undone == agreed.undone
        assert await shown(server, game) == before
        refusal = await refusal_of(server.submit(game, seat, decision_id, 0))
        assert (refusal.reason, refusal.metadata["decision_id"]) == ("DECISION_UNKNOWN", str(decision_id))
        assert "taken back" in refusal.message
    await server.play_out(game)
    record = await server.record(game.game_id)
    assert verify_record(record).findings == ()
    assert sum(incident.HasField("undone") for step in record.steps for incident in step.incidents) == 3


async def test_everyone_is_told_with_the_whole_view(server: Running) -> None:
    game = await server.seated(options=dragonisles(), settings=UNDO)
    seat, decision_id, _ = await until_asked(server, game, Random(2))
    first = (await server.game(game.game_id)).revision
    one, other = others(game, seat)
    await say(server, game, one, decision_id)
    revision = (await say(server, game, other, decision_id)).revision
    for viewer in (0, 1, 2, None):
        told = await updates(server, game, viewer, first, revision)
        kinds = [message.update.events[0].WhichOneof("event") for message in told]
        assert kinds == ["undo_asked", "undo_agreed", "undo_agreed", "undone"]
        asked, *agreed, undone = (message.update.events[0] for message in told)
        assert (asked.undo_asked.seat, list(asked.undo_asked.missing)) == (seat, [one, other])
        assert [event.undo_agreed.seat for event in agreed] == [one, other]
        assert undone.undone == play_service_pb2.Undone(seat=seat, decision_id=decision_id, undone_revision=first - 1)
        assert [message.update.HasField("view") for message in told] == [False, False, False, True]
        assert told[-1].update.view == (await snapshot(server, game, viewer)).view


async def updates(client: Client, game: Seated, viewer: int | None, first: int, last: int) -> Sequence[ObserveResponse]:
    token = "" if viewer is None else game.tokens[viewer]
    told: list[ObserveResponse] = []
    async for message in client.observe(game.game_id, token, viewer, from_revision=first):
        told.append(message)
        if message.revision == last:
            break
    return told


async def test_a_seat_that_refuses_ends_the_request(server: Running) -> None:
    game = await server.seated(options=dragonisles(), settings=UNDO)
    seat, decision_id, _ = await until_asked(server, game, Random(3))
    one, other = others(game, seat)
    await say(server, game, one, decision_id)
    ended = await say(server, game, other, decision_id, agree=False)
    assert not ended.undone
    (told,) = await updates(server, game, None, ended.revision, ended.revision)
    assert told.update.events[0].undo_ended.seat == other
    assert not (await snapshot(server, game, seat)).HasField("undo_asked")
    for agree in (True, False):
        assert await why_not(say(server, game, one, decision_id, agree)) == "NOT_ASKED"
    repeated = await ask(server, game, seat, decision_id)  # may be asked again
    assert (repeated.revision, repeated.undone) == (ended.revision + 1, False)


async def test_an_answer_ends_the_request(server: Running) -> None:
    game = await server.seated(options=dragonisles(), settings=UNDO)
    seat, decision_id, _ = await until_asked(server, game, Random(4))
    asked = await server.game(game.game_id)
    answering, _ = await answer_at_random(server, game, Random(4))
    ended, _ = await updates(server, game, None, asked.revision + 1, asked.revision + 2)
    assert ended.update.events[0].undo_ended.seat == answering
    assert await why_not(say(server, game, others(game, seat)[0], decision_id)) == "NOT_ASKED"
    assert await why_not(ask(server, game, seat, decision_id)) == "NOT_NEWEST"


async def test_a_request_and_what_was_undone_outlast_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        game = await server.seated(options=dragonisles(), settings=UNDO)
        seat, decision_id, before = await until_asked(server, game, Random(5))
        one, other = others(game, seat)
        agreed = await say(server, game, one, decision_id)
    async with running(tmp_path / "games.db") as server:
        assert await say(server, game, one, decision_id) == agreed
        undone = await say(server, game, other, decision_id)
        assert undone.undone
        assert await shown(server, game) == before
    async with running(tmp_path / "games.db") as server:
        assert await shown(server, game) == before
        assert await say(server, game, other, decision_id) == undone
        assert (await ask(server, game, seat, decision_id)).revision == undone.revision
        assert (await refusal_of(server.submit(game, seat, decision_id, 0))).reason == "DECISION_UNKNOWN"


async def test_what_cannot_be_taken_back_is_refused_with_the_reason(server: Running) -> None:
    game = await server.seated(options=dragons(), settings=UNDO)
    seat, prompt = await server.prompt(game)
    refusal = await refusal_of(ask(server, game, seat, prompt.decision_id))
    assert refusal.reason == "DECISION_UNKNOWN"  # it is not answered yet
    await server.submit(game, seat, prompt.decision_id, 0)
    before = (await server.game(game.game_id)).revision
    assert await why_not(ask(server, game, seat, prompt.decision_id)) == "REVEAL"  # the next card
    assert await why_not(ask(server, game, (seat + 1) % 3, prompt.decision_id)) == "NOT_YOURS"
    assert await why_not(say(server, game, (seat + 1) % 3, prompt.decision_id)) == "NOT_ASKED"
    await answer_at_random(server, game, Random(1))
    assert await why_not(ask(server, game, seat, prompt.decision_id)) == "NOT_NEWEST"
    assert (await server.game(game.game_id)).revision == before + 1


async def test_dice_are_not_taken_back(server: Running) -> None:
    game = await server.seated(options=dragonisles(), settings=UNDO)
    rng, reasons = Random(6), set[str]()
    while "CHANCE" not in reasons:
        seat, decision_id = await answer_at_random(server, game, rng)
        try:
            await ask(server, game, seat, decision_id)
        except grpc.aio.AioRpcError as error:
            reasons.add(refused(error).metadata["why"])


async def test_in_a_game_without_it_nothing_is_taken_back(server: Running) -> None:
    game = await server.seated(options=dragons_interest())
    decision_id = (await snapshot(server, game, 0)).decision.decision_id
    await server.submit(game, 0, decision_id, 0)
    assert await why_not(ask(server, game, 0, decision_id)) == "NOT_ALLOWED"
    assert await why_not(say(server, game, 1, decision_id)) == "NOT_ALLOWED"


async def test_who_was_told_nothing_has_no_say(server: Running) -> None:
    game = await server.seated(options=dragonisles(), settings=UNDO)
    seat, decision_id, _ = await until_asked(server, game, Random(7))
    assert await why_not(say(server, game, seat, decision_id)) == "NOT_ASKED"  # nor does who asks
