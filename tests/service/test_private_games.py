"""Private games: there for those who have a token, and for everyone else as if they did not exist."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import product
from pathlib import Path
from typing import Any

from dragonhall.v1 import errors_pb2, game_pb2, game_service_pb2, play_service_pb2, record_service_pb2
from tests.service.harness import OPEN, Running, Seated, dragons, invited, reserved
from tests.service.lobbying import PRIVATE, abort, get, leave, listed, refusal_of, rematch, settings, start, take_back
from tests.service.test_callers import BOTS, WEB, bearer, knowing
from tests.service.test_lobby import SYNCED, Watcher

Content = play_service_pb2.StreamContent.ValueType
REQUEST = "a-request-id-of-the-tests"


async def first_of(call: Any) -> Any:
    return await anext(aiter(call))


def attempts(server: Running, token: str) -> dict[str, Callable[[str], Awaitable[Any]]]:
    """Everything that can be asked of a game, by its id, with a token that is none of it (or with none)."""
    records, plays = record_service_pb2, play_service_pb2
    return {
        "get": lambda game_id: get(server, game_id, token),
        "take a seat": lambda game_id: server.take(game_id, seat=0),
        "take a seat that it does not have": lambda game_id: server.take(game_id, seat=99),
        "take a seat with a wrong code": lambda game_id: server.take(game_id, invitation_code="wrong"),
        "take a bot's seat": lambda game_id: server.take(game_id, bot_name="greedy"),
        "leave": lambda game_id: leave(server, game_id, token),
        "take back": lambda game_id: take_back(server, game_id, token),
        "start": lambda game_id: start(server, game_id, token),
        "abort": lambda game_id: abort(server, game_id, token),
        "rematch": lambda game_id: rematch(server, game_id, token),
        "observe": lambda game_id: server.watch_first(game_id, token),
        "observe from a revision": lambda game_id: server.watch_first(game_id, token, from_revision=99),
        "observe what there is not": lambda game_id: server.watch_first(game_id, token, content=99),
        "observe in no way that there is": lambda game_id: server.watch_first(game_id, token, view_delivery=99),
        "observe a snapshot of the past": lambda game_id: server.watch_first(
            game_id, token, content=plays.STREAM_CONTENT_SNAPSHOT, from_revision=2
        ),
        "submit": lambda game_id: server.submit(Seated(game_id, "", [token]), 0, 1, 0),
        "ask to take back": lambda game_id: server.play.AskUndo(
            plays.AskUndoRequest(game_id=game_id, seat_token=token)
        ),
        "answer it": lambda game_id: server.play.AnswerUndo(plays.AnswerUndoRequest(game_id=game_id, seat_token=token)),
        "record": lambda game_id: server.records.GetRecord(records.GetRecordRequest(game_id=game_id, token=token)),
        "perspective": lambda game_id: server.records.GetPerspective(
            records.GetPerspectiveRequest(game_id=game_id, token=token)
        ),
        "replay": lambda game_id: first_of(
            server.records.ReplayGame(records.ReplayGameRequest(game_id=game_id, token=token, speed=1.0))
        ),
    }


async def test_without_a_token_a_private_game_is_as_one_that_does_not_exist(server: Running) -> None:
    """Waiting, running, finished; the refusals are the same to the letter but for the id."""
    other = await server.seated(3)
    waiting = await server.create([invited(), invited(), invited()], settings=PRIVATE)
    running = await server.seated(3, settings=PRIVATE)
    finished = await server.seated(3, settings=PRIVATE)
    await server.play_out(finished)
    ids = (waiting.game.game_id, running.game_id, finished.game_id)
    for token in ("", "nonsense", other.tokens[0], other.host_token):
        for what, attempt in attempts(server, token).items():
            unknown = await refusal_of(attempt("0" * len(ids[0])))
            for game_id in ids:
                refusal = await refusal_of(attempt(game_id))
                assert refusal.reason == "GAME_NOT_FOUND", what
                assert refusal.metadata.pop("game_id") == game_id
                assert (refusal.code, refusal.message) == (unknown.code, unknown.message), what
                assert refusal.metadata.keys() == unknown.metadata.keys() - {"game_id"}, what


async def test_a_play_stream_tells_no_more_of_a_private_game(server: Running) -> None:
    game = await server.seated(3, settings=PRIVATE)
    ids = (game.game_id, "0" * len(game.game_id))
    call: Any = server.play.Play()
    commands = [
        play_service_pb2.PlayCommand(
            channel=i,
            command_id=i,
            attach=play_service_pb2.AttachSeat(game_id=game_id, seat_token=token, content=Content(content)),
        )
        for i, (game_id, (token, content)) in enumerate(product(ids, product(("", "nonsense"), (0, 99))), start=1)
    ]
    await call.write(play_service_pb2.PlayRequest(commands=commands))
    errors: dict[int, errors_pb2.Error] = {}
    while len(errors) < len(commands):
        errors |= {message.command_id: message.error for message in (await call.read()).messages}
    call.cancel()
    for number, error in errors.items():
        assert error.reason == errors_pb2.ERROR_REASON_GAME_NOT_FOUND
        assert error.metadata == {"game_id": ids[(number - 1) // 4]}
    assert len({(error.code, error.message) for error in errors.values()}) == 1


async def test_any_of_its_tokens_opens_a_private_game(server: Running) -> None:
    created = await server.create(3, settings=PRIVATE)
    assert created.spectator_token
    game = await server.fill(created)
    for token in (created.host_token, created.spectator_token, *game.tokens):
        assert (await get(server, game.game_id, token)).settings.visibility == game_pb2.VISIBILITY_PRIVATE
        seat = game.tokens.index(token) if token in game.tokens else None
        snapshot = (await server.watch_first(game.game_id, token, seat)).snapshot
        assert (snapshot.seat if snapshot.HasField("seat") else None) == seat
        refusal = await refusal_of(server.record(game.game_id))
        assert refusal.reason == "GAME_NOT_FOUND"
    assert (await refusal_of(abort(server, game.game_id, created.spectator_token))).reason == "NOT_YOUR_ROLE"
    assert (await refusal_of(leave(server, game.game_id, created.spectator_token))).reason == "NOT_YOUR_ROLE"
    await server.play_out(game)
    for token in (created.spectator_token, game.tokens[1]):
        request = record_service_pb2.GetRecordRequest(game_id=game.game_id, token=token)
        assert (await server.records.GetRecord(request)).record.game_id == game.game_id


async def test_a_public_game_has_no_token_for_spectators(server: Running) -> None:
    assert not (await server.create(3)).spectator_token


async def test_open_seats_of_a_private_game_take_whoever_knows_its_id(server: Running) -> None:
    created = await server.create([OPEN, invited(), OPEN], settings=PRIVATE)
    game_id = created.game.game_id
    seated = await server.take(game_id, "Friend", request_id=REQUEST)
    assert (await get(server, game_id, seated.seat_token)).seats[0].player_name == "Friend"
    assert (await server.take(game_id, invitation_code=created.invitations[0].code)).seat == 1
    assert (await server.take(game_id)).game.status == game_pb2.GAME_STATUS_RUNNING
    assert (await refusal_of(server.take(game_id))).reason == "GAME_NOT_FOUND"
    assert await server.take(game_id, "Friend", request_id=REQUEST) == seated  # although nothing is free any more


async def test_a_repeated_creation_returns_the_same_spectators_token(server: Running) -> None:
    first = await server.create(3, settings=PRIVATE, request_id=REQUEST)
    assert await server.create(3, settings=PRIVATE, request_id=REQUEST) == first


async def test_a_private_game_is_listed_only_for_the_bots_that_it_has_seats_for(server: Running) -> None:
    public = (await server.create([reserved("greedy"), OPEN, OPEN])).game.game_id
    everything, bots, others = (
        Watcher(server),
        Watcher(server, reserved_for="greedy"),
        Watcher(server, reserved_for="x"),
    )
    assert await everything.next() == (public, game_pb2.GAME_STATUS_WAITING, False)
    assert await bots.next() == (public, game_pb2.GAME_STATUS_WAITING, False)
    for watcher in (everything, bots, others):
        assert await watcher.next() == SYNCED
    private = (await server.create([reserved("greedy"), OPEN, OPEN], settings=PRIVATE)).game.game_id
    assert await listed(server) == [public]
    assert await listed(server, open_seat=True) == [public]
    assert await listed(server, reserved_for="random") == []
    assert await listed(server, reserved_for="greedy") == [private, public]
    assert await bots.next() == (private, game_pb2.GAME_STATUS_WAITING, False)
    await server.take(private, bot_name="greedy")
    assert await bots.next() == (private, game_pb2.GAME_STATUS_WAITING, True)
    assert await everything.nothing_more()
    assert await others.nothing_more()


async def test_a_private_game_is_not_listed_for_a_bot_that_the_caller_may_not_play(tmp_path: Path) -> None:
    async with knowing(tmp_path) as server:
        seats = [OPEN, OPEN, reserved("greedy")]
        create = game_service_pb2.CreateGameRequest(options=dragons(), seats=seats, settings=PRIVATE)
        game_id = (await server.games.CreateGame(create, metadata=bearer(WEB))).game.game_id
        request = game_service_pb2.ListGamesRequest(filter=game_service_pb2.GameFilter(reserved_for="greedy"))
        for metadata, expected in (((), []), (bearer(WEB), []), (bearer(BOTS), [game_id])):
            page = await server.games.ListGames(request, metadata=metadata)
            assert [game.game_id for game in page.games] == expected


async def test_a_private_game_is_started_and_its_settings_are_told(server: Running) -> None:
    wanted = settings(
        visibility=game_pb2.VISIBILITY_PRIVATE,
        start=game_pb2.START_POLICY_BY_HOST,
        absence=game_pb2.ABSENCE_POLICY_FORFEIT,
        spectator_delay=7,
        allow_undo=True,
    )
    created = await server.create(3, settings=wanted)
    assert created.game.settings == wanted
    game = await server.fill(created)
    assert (await start(server, game.game_id, created.host_token)).status == game_pb2.GAME_STATUS_RUNNING


async def test_bots_that_watch_do_not_hear_of_what_becomes_of_a_private_game(server: Running) -> None:
    """Not of its start either, once their seat is taken."""
    watcher = Watcher(server, statuses=[game_pb2.GAME_STATUS_RUNNING])
    assert await watcher.next() == SYNCED
    created = await server.create([reserved("greedy"), OPEN, OPEN], settings=PRIVATE)
    await server.take(created.game.game_id, bot_name="greedy")
    await server.take(created.game.game_id)
    await server.take(created.game.game_id)
    assert await watcher.nothing_more()
    request = game_service_pb2.ListGamesRequest()
    assert not (await server.games.ListGames(request)).games
