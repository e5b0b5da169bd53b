"""Each reason of the table in errors.proto: status, reason, the offending field or rule; and nothing has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.server import Limits
from dragonhall.server.wall_clock import now_us
from dragonhall.v1 import (
    errors_pb2,
    game_pb2,
    game_service_pb2,
    games_pb2,
    play_service_pb2,
    record_pb2,
    record_service_pb2,
    sandbox_service_pb2,
)
from dragonhall.wire.records import facts_digest
from tests.sandbox.asking import knowledge_of
from tests.service.harness import OPEN, Refused, Running, Seated, dragons, invited, refused, reserved, running
from tests.service.lobbying import BY_HOST, abort, leave, rematch, settings, start, take_back

CODE = grpc.StatusCode


async def expect(attempt: Awaitable[Any], reason: str, code: grpc.StatusCode) -> Refused:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await attempt
    refusal = refused(caught.value)
    assert (refusal.reason, refusal.code) == (reason, code), refusal.message
    assert refusal.message
    return refusal


LONG = "x" * 1000
PER_DECISION = "settings.time_control.per_decision"
BANK_THAT_SHRINKS = game_pb2.TimeBank(initial=Duration(seconds=60), increment=Duration(seconds=-1))
SUBSTITUTE = game_pb2.ABSENCE_POLICY_SUBSTITUTE


def timed(**control: Any) -> game_pb2.GameSettings:
    return game_pb2.GameSettings(time_control=game_pb2.TimeControl(**control))


def limit(duration: Duration) -> game_pb2.TimePerDecision:
    return game_pb2.TimePerDecision(limit=duration)


BAD_CREATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "no options": ("options.game", {"options": games_pb2.GameOptions()}),
    "too few seats": ("seats", {"seats": 2}),
    "no seats": ("seats", {"seats": 0}),
    "too many seats": ("seats", {"seats": 7}),
    "far too many seats": ("seats", {"seats": 5000}),
    "seat without a kind": ("seats[1].kind", {"seats": [OPEN, game_service_pb2.SeatSpec(), OPEN]}),
    "bot without a name": ("seats[0].bot_name", {"seats": [reserved(""), OPEN, OPEN]}),
    "bot with a bad name": ("seats[0].bot_name", {"seats": [reserved("A b"), OPEN, OPEN]}),
    "bot's name on an open seat": (
        "seats[2].bot_name",
        {"seats": [OPEN, OPEN, game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_OPEN, bot_name="random")]},
    ),
    "first seat out of range": ("options.dragons.first_seat", {"options": dragons(first_seat=3)}),
    "absurd first seat": ("options.dragons.first_seat", {"options": dragons(first_seat=2**32 - 1)}),
    "unknown component set": ("component_set_id", {"component_set_id": "nonesuch"}),
    "long title": ("title", {"title": LONG}),
    "title with control characters": ("title", {"title": "a\nb"}),
    "short seed": ("seed", {"seed": b"short"}),
    "no time control": ("settings.time_control", {"settings": timed()}),
    "short limit": (f"{PER_DECISION}.limit", {"settings": timed(per_decision=limit(Duration(nanos=99_999_999)))}),
    "long limit": (f"{PER_DECISION}.limit", {"settings": timed(per_decision=limit(Duration(seconds=367 * 86400)))}),
    "absurd limit": (f"{PER_DECISION}.limit", {"settings": timed(per_decision=limit(Duration(seconds=2**62)))}),
    "no limit": (f"{PER_DECISION}.limit", {"settings": timed(per_decision=game_pb2.TimePerDecision())}),
    "no bank": ("settings.time_control.bank.initial", {"settings": timed(bank=game_pb2.TimeBank())}),
    "time taken away": ("settings.time_control.bank.increment", {"settings": timed(bank=BANK_THAT_SHRINKS)}),
    "unknown absence policy": ("settings.absence", {"settings": settings(absence=9)}),
    "unknown start policy": ("settings.start", {"settings": settings(start=3)}),
    "unknown visibility": ("settings.visibility", {"settings": settings(visibility=-1)}),
    "nobody to substitute": ("settings.substitute_bot", {"settings": settings(absence=SUBSTITUTE)}),
    "bad substitute": ("settings.substitute_bot", {"settings": settings(absence=SUBSTITUTE, substitute_bot="A b")}),
    "substitute for nothing": ("settings.substitute_bot", {"settings": settings(substitute_bot="greedy")}),
    "long spectator delay": ("settings.spectator_delay", {"settings": settings(spectator_delay=1001)}),
    "short request id": ("request_id", {"request_id": "short"}),
    "long request id": ("request_id", {"request_id": LONG}),
}


@pytest.mark.parametrize("what", BAD_CREATIONS)
async def test_a_bad_creation_names_its_field(server: Running, what: str) -> None:
    field, fields = BAD_CREATIONS[what]
    fields = dict(fields)
    refusal = await expect(server.create(fields.pop("seats", 3), **fields), "INVALID_FIELD", CODE.INVALID_ARGUMENT)
    assert refusal.fields == [field] == [refusal.metadata["field"]]
    assert not (await server.games.ListGames(game_service_pb2.ListGamesRequest())).games


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("player_name", {"name": ""}),
        ("player_name", {"name": "  "}),
        ("player_name", {"name": LONG}),
        ("player_name", {"name": "\x00"}),
        ("nonce", {"nonce": bytes(65)}),
        ("seat", {"seat": 3}),
        ("seat", {"seat": 2**32 - 1}),
        ("request_id", {"request_id": "short"}),
        ("invitation_code", {"invitation_code": LONG}),
        ("bot_name", {"bot_name": "No Bot"}),
    ],
)
async def test_a_bad_taking_of_a_seat_names_its_field(server: Running, field: str, fields: dict[str, Any]) -> None:
    game_id = (await server.create()).game.game_id
    refusal = await expect(server.take(game_id, **fields), "INVALID_FIELD", CODE.INVALID_ARGUMENT)
    assert refusal.fields == [field]
    assert (await server.game(game_id)).revision == 1


async def test_bad_pages_filters_and_deliveries_name_their_field(server: Running) -> None:
    game_id = (await server.create()).game.game_id
    lists = game_service_pb2.ListGamesRequest
    odd = game_service_pb2.GameFilter(statuses=[game_pb2.GAME_STATUS_RUNNING, 77])  # type: ignore[list-item]
    many = game_service_pb2.GameFilter(statuses=[game_pb2.GAME_STATUS_RUNNING] * 5)
    attempts: list[tuple[str, Awaitable[Any]]] = [
        ("filter.statuses", server.games.ListGames(lists(filter=many))),
        ("page_size", server.games.ListGames(lists(page_size=501))),
        ("page_token", server.games.ListGames(lists(page_token="nonsense"))),
        ("page_token", server.games.ListGames(lists(page_token="é"))),
        ("filter.statuses[1]", server.games.ListGames(lists(filter=odd))),
        ("filter.statuses[1]", _first(server.games.WatchGames(game_service_pb2.WatchGamesRequest(filter=odd)))),
        ("view_delivery", server.watch_first(game_id, view_delivery=9)),
    ]
    for field, attempt in attempts:
        refusal = await expect(attempt, "INVALID_FIELD", CODE.INVALID_ARGUMENT)
        assert refusal.fields == [field]


async def _first(call: Any) -> Any:
    return await anext(aiter(call))


async def test_bytes_that_are_no_message_are_refused(server: Running) -> None:
    submit: Any = server.channel.unary_unary("/dragonhall.v1.PlayService/Submit")
    refusal = await expect(submit(b"\xff\xff\xff"), "INVALID_FIELD", CODE.INVALID_ARGUMENT)
    assert "SubmitRequest" in refusal.message
    play: Any = server.channel.stream_stream("/dragonhall.v1.PlayService/Play")()
    await play.write(b"\xff\xff\xff")
    await expect(play.read(), "INVALID_FIELD", CODE.INVALID_ARGUMENT)


async def test_a_message_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_request_bytes=4096)) as server:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await server.create(title="x" * 5000)
        assert caught.value.code() == CODE.RESOURCE_EXHAUSTED
        assert (await server.create()).game.game_id


@pytest.mark.parametrize("game_id", ["", "nonesuch", LONG, "é"])
async def test_an_unknown_game_is_not_found(server: Running, game_id: str) -> None:
    attempts: list[Awaitable[Any]] = [
        server.game(game_id),
        server.take(game_id),
        server.watch_first(game_id),
        server.submit(Seated(game_id, "", ["token"]), 0, 1, 0),
        server.record(game_id),
        abort(server, game_id, ""),
        start(server, game_id, ""),
        leave(server, game_id, ""),
        take_back(server, game_id, ""),
        rematch(server, game_id, ""),
    ]
    for attempt in attempts:
        refusal = await expect(attempt, "GAME_NOT_FOUND", CODE.NOT_FOUND)
        assert refusal.metadata["game_id"] == game_id[:64]


async def test_a_token_that_is_not_this_games_is_invalid(server: Running) -> None:
    game, other = await server.seated(), await server.seated()
    for token in ("nonsense", LONG, other.tokens[0], other.host_token):
        await expect(server.watch_first(game.game_id, token), "TOKEN_INVALID", CODE.UNAUTHENTICATED)
        attempt = server.submit(Seated(game.game_id, "", [token]), 0, 1, 0)
        await expect(attempt, "TOKEN_INVALID", CODE.UNAUTHENTICATED)
        await expect(abort(server, game.game_id, token), "TOKEN_INVALID", CODE.UNAUTHENTICATED)
    attempt = server.submit(Seated(game.game_id, "", [""]), 0, 1, 0)
    await expect(attempt, "TOKEN_INVALID", CODE.UNAUTHENTICATED)


async def test_a_good_token_of_another_role_is_refused(server: Running) -> None:
    game = await server.seated()
    attempts: list[Awaitable[Any]] = [
        server.submit(Seated(game.game_id, "", [game.host_token]), 0, 1, 0),
        abort(server, game.game_id, game.tokens[0]),
        start(server, game.game_id, game.tokens[0]),
        leave(server, game.game_id, game.host_token),
        take_back(server, game.game_id, game.host_token),
    ]
    for attempt in attempts:
        await expect(attempt, "NOT_YOUR_ROLE", CODE.PERMISSION_DENIED)


async def test_seats_that_cannot_be_had(server: Running) -> None:
    created = await server.create([OPEN, reserved("greedy"), invited()])
    game_id = created.game.game_id
    await server.take(game_id, seat=0)
    attempts: list[tuple[dict[str, Any], str, grpc.StatusCode]] = [
        ({"seat": 0}, "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION),
        ({"seat": 1}, "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION),
        ({"seat": 1, "bot_name": "random"}, "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION),
        ({}, "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION),
        ({"seat": 2}, "INVITATION_INVALID", CODE.PERMISSION_DENIED),
        ({"seat": 2, "invitation_code": "wrong"}, "INVITATION_INVALID", CODE.PERMISSION_DENIED),
        ({"invitation_code": "wrong"}, "INVITATION_INVALID", CODE.PERMISSION_DENIED),
    ]
    for fields, reason, code in attempts:
        refusal = await expect(server.take(game_id, **fields), reason, code)
        assert refusal.metadata.get("seat") == (str(fields["seat"]) if "seat" in fields else None)
        assert refusal.metadata.get("status") == ("WAITING" if reason == "SEAT_UNAVAILABLE" else None)
    await server.take(game_id, bot_name="greedy")
    await server.take(game_id, invitation_code=created.invitations[0].code)
    refusal = await expect(server.take(game_id), "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION)
    assert refusal.metadata["status"] == "RUNNING"


async def test_what_only_a_running_game_takes(server: Running) -> None:
    created = await server.create()
    token = (await server.take(created.game.game_id)).seat_token
    waiting = Seated(created.game.game_id, created.host_token, [token])
    refusal = await expect(server.submit(waiting, 0, 1, 0), "GAME_NOT_RUNNING", CODE.FAILED_PRECONDITION)
    assert refusal.metadata["status"] == "WAITING"
    await abort(server, waiting.game_id, waiting.host_token)
    attempts: list[Awaitable[Any]] = [
        server.submit(waiting, 0, 1, 0),
        abort(server, waiting.game_id, waiting.host_token),
        start(server, waiting.game_id, waiting.host_token),
        leave(server, waiting.game_id, token),
        take_back(server, waiting.game_id, token),
    ]
    for attempt in attempts:
        refusal = await expect(attempt, "GAME_NOT_RUNNING", CODE.FAILED_PRECONDITION)
        assert refusal.metadata["status"] == "ABORTED"
    await expect(server.take(waiting.game_id), "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION)


async def test_a_rematch_of_a_game_that_is_not_over(server: Running) -> None:
    game = await server.seated()
    refusal = await expect(rematch(server, game.game_id, game.tokens[1]), "GAME_RUNNING", CODE.FAILED_PRECONDITION)
    assert refusal.metadata == {"game_id": game.game_id, "status": "RUNNING"}


async def test_a_game_that_is_to_be_started_before_all_seats_are_taken(server: Running) -> None:
    created = await server.create(4, settings=BY_HOST)
    await server.take(created.game.game_id, seat=2)
    attempt = start(server, created.game.game_id, created.host_token)
    refusal = await expect(attempt, "SEATS_FREE", CODE.FAILED_PRECONDITION)
    assert refusal.metadata == {"game_id": created.game.game_id, "seats": "0,1,3"}


async def test_a_seat_given_back_twice_is_told_that_its_token_is_worth_nothing(server: Running) -> None:
    game_id = (await server.create()).game.game_id
    token = (await server.take(game_id)).seat_token
    await leave(server, game_id, token)
    await expect(leave(server, game_id, token), "TOKEN_INVALID", CODE.UNAUTHENTICATED)


async def test_a_record_is_refused_until_the_game_is_finished(server: Running) -> None:
    game = await server.seated()
    refusal = await expect(server.record(game.game_id), "RECORD_NOT_READY", CODE.FAILED_PRECONDITION)
    assert refusal.metadata["status"] == "RUNNING"
    await abort(server, game.game_id, game.host_token)
    refusal = await expect(server.record(game.game_id), "RECORD_NOT_READY", CODE.FAILED_PRECONDITION)
    assert refusal.metadata["status"] == "ABORTED"


async def test_a_decision_that_was_never_asked_is_unknown(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    for decision_id in (0, prompt.decision_id + 1, 2**64 - 1):
        refusal = await expect(server.submit(game, seat, decision_id, 0), "DECISION_UNKNOWN", CODE.NOT_FOUND)
        assert refusal.metadata["decision_id"] == str(decision_id)
    other = (seat + 1) % 3
    await expect(server.submit(game, other, prompt.decision_id, 0), "DECISION_UNKNOWN", CODE.NOT_FOUND)


async def test_an_illegal_action_names_the_rule(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    place = games_pb2.GameAction(dragons=dragons_pb2.Action(place=dragons_pb2.Place(pile=0)))
    attempt = server.submit(game, seat, prompt.decision_id, action=place)
    refusal = await expect(attempt, "ILLEGAL_ACTION", CODE.INVALID_ARGUMENT)
    assert refusal.metadata["rule"]
    for index in (len(prompt.legal_actions), 2**32 - 1):
        attempt = server.submit(game, seat, prompt.decision_id, index)
        refusal = await expect(attempt, "ILLEGAL_ACTION", CODE.INVALID_ARGUMENT)
        assert refusal.metadata == {"game_id": game.game_id, "decision_id": str(prompt.decision_id)}
    assert (await server.game(game.game_id)).revision == 5


async def test_an_answer_that_says_nothing_is_invalid(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    empty = games_pb2.GameAction(dragons=dragons_pb2.Action())
    for field, action in (("answer", None), ("action", games_pb2.GameAction()), ("action.dragons.action", empty)):
        attempt = server.submit(game, seat, prompt.decision_id, action=action)
        assert (await expect(attempt, "INVALID_FIELD", CODE.INVALID_ARGUMENT)).fields == [field]


async def test_a_revision_in_the_future_is_out_of_range(server: Running) -> None:
    game_id = (await server.create()).game.game_id
    for revision in (3, 2**64 - 1):
        attempt = server.watch_first(game_id, from_revision=revision)
        refusal = await expect(attempt, "REVISION_IN_FUTURE", CODE.OUT_OF_RANGE)
        assert refusal.metadata == {"game_id": game_id, "revision": "1"}


async def test_every_refusal_of_a_request_that_names_a_game_has_its_id(server: Running) -> None:
    game_id = (await server.seated()).game_id
    seated = Seated(game_id, "", ["wrong"])
    attempts: list[tuple[str, Awaitable[Any]]] = [
        ("INVALID_FIELD", server.take(game_id, name="")),
        ("SEAT_UNAVAILABLE", server.take(game_id)),
        ("TOKEN_INVALID", leave(server, game_id, "")),
        ("TOKEN_INVALID", abort(server, game_id, "")),
        ("TOKEN_INVALID", start(server, game_id, "")),
        ("TOKEN_INVALID", take_back(server, game_id, "")),
        ("TOKEN_INVALID", rematch(server, game_id, "")),
        ("TOKEN_INVALID", server.submit(seated, 0, 1, 0)),
        ("TOKEN_INVALID", server.watch_first(game_id, "wrong")),
        ("RECORD_NOT_READY", server.record(game_id)),
    ]
    for reason, attempt in attempts:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await attempt
        refusal = refused(caught.value)
        assert (refusal.reason, refusal.metadata["game_id"]) == (reason, game_id)


async def test_more_open_games_than_the_limit(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_open_games=2)) as server:
        first = await server.create()
        await server.create()
        refusal = await expect(server.create(), "LIMIT_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
        assert "2 games" in refusal.message
        await abort(server, first.game.game_id, first.host_token)
        await server.create()


async def test_credentials_permissions_and_quotas_of_callers(tmp_path: Path) -> None:
    """What there is to them: `test_callers`, `test_oidc` and `test_quotas`."""
    auth = tmp_path / "auth.toml"
    auth.write_text("[anonymous]\ncreate = false\nstreams = 0\nsubmits_per_second = 0.001\nsubmits_burst = 1\n")
    async with running(tmp_path / "games.db", auth=auth) as server:
        rules: Any = server.channel.unary_unary("/dragonhall.v1.GameService/ListRules")
        attempt = rules(b"", metadata=(("authorization", "Bearer nobody's"),))
        await expect(attempt, "CREDENTIALS_INVALID", CODE.UNAUTHENTICATED)
        refusal = await expect(server.create(), "NOT_ALLOWED", CODE.PERMISSION_DENIED)
        assert refusal.metadata == {"permission": "create"}
        nowhere = Seated("any", "", ["any"])
        await expect(server.submit(nowhere, 0, 1, 0), "GAME_NOT_FOUND", CODE.NOT_FOUND)
        refusal = await expect(server.submit(nowhere, 0, 1, 0), "QUOTA_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
        assert (refusal.metadata["quota"], refusal.metadata["game_id"]) == ("submits", "any")
        assert 900 < refusal.retry_after <= 1000
        refusal = await expect(server.play.Play().read(), "QUOTA_EXCEEDED", CODE.RESOURCE_EXHAUSTED)
        assert (refusal.metadata, refusal.retry_after) == ({"quota": "streams"}, 0)


async def test_more_channels_than_the_limit(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", limits=Limits(max_channels=1)) as server:
        game_id = (await server.create()).game.game_id
        attach = play_service_pb2.AttachSeat(game_id=game_id)
        call: Any = server.play.Play()
        commands = [play_service_pb2.PlayCommand(channel=i, command_id=i, attach=attach) for i in (1, 2)]
        await call.write(play_service_pb2.PlayRequest(commands=commands))
        errors: list[errors_pb2.Error] = []
        while not errors:
            errors = [message.error for message in (await call.read()).messages if message.HasField("error")]
        assert errors[0].reason == errors_pb2.ERROR_REASON_LIMIT_EXCEEDED
        assert errors[0].code == CODE.RESOURCE_EXHAUSTED.value[0]
        call.cancel()


async def test_a_server_may_draw_all_seeds_itself(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", allow_host_seeds=False) as server:
        await expect(server.create(seed=bytes(32)), "SEED_NOT_ALLOWED", CODE.PERMISSION_DENIED)
        assert (await server.create()).game.seed_source == game_pb2.SEED_SOURCE_SERVER


async def test_a_request_id_that_is_reused(server: Running) -> None:
    await server.create(request_id="the-same-request-id")
    attempt = server.create(4, request_id="the-same-request-id")
    assert (await expect(attempt, "REQUEST_ID_REUSED", CODE.ALREADY_EXISTS)).fields == ["request_id"]


async def test_a_ticket_that_is_answered(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    stands = await server.submit(game, seat, prompt.decision_id, 1)
    for other in (0, 2, 2**32 - 1):  # also one that never was legal
        attempt = server.submit(game, seat, prompt.decision_id, other)
        refusal = await expect(attempt, "DECISION_ANSWERED", CODE.FAILED_PRECONDITION)
        assert refusal.metadata == {
            "game_id": game.game_id,
            "decision_id": str(prompt.decision_id),
            "revision": str(stands.revision),
            "action_index": "1",
        }


async def test_a_closing_server_says_so(server: Running) -> None:
    stream = asyncio.create_task(server.watch_to_end((await server.create()).game.game_id))
    lobby = asyncio.create_task(_to_end(server.games.WatchGames(game_service_pb2.WatchGamesRequest())))
    await asyncio.sleep(0.1)
    server.server.hub.close()
    for attempt in (stream, lobby, server.create(), server.play.Play().read()):
        refusal = await expect(attempt, "SHUTTING_DOWN", CODE.UNAVAILABLE)
        assert 1 <= refusal.retry_after <= 3, "around the server's setting, 2 s, so that not all come at once"
        assert abs(int(refusal.metadata["retry_after_ms"]) - 1000 * refusal.retry_after) < 1.001


async def _to_end(call: Any) -> None:
    async for _ in call:
        pass


async def test_a_store_that_is_gone(server: Running) -> None:
    await server.server.store.close()
    await expect(server.create(), "STORE_UNAVAILABLE", CODE.UNAVAILABLE)


async def test_a_fault_is_logged_with_an_id_and_tells_nothing(
    server: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the seed is swordfish")

    monkeypatch.setattr(server.server.hub, "line", broken)
    with caplog.at_level(logging.ERROR, "dragonhall.server"):
        refusal = await expect(server.game("any"), "INTERNAL", CODE.INTERNAL)
    assert "swordfish" not in refusal.message
    fault = refusal.message.rpartition(" ")[2]
    assert f"event=fault id={fault}" in caplog.text
    assert len(server.faults.messages) == 1
    server.faults.messages.clear()


async def test_an_answer_that_comes_too_late_is_refused(tmp_path: Path) -> None:
    late_us = 0
    limit = game_pb2.TimePerDecision(limit=Duration(seconds=1))
    timed = settings(time_control=game_pb2.TimeControl(per_decision=limit))
    async with running(tmp_path / "games.db", now_us=lambda: now_us() + late_us) as server:
        game = await server.seated(settings=timed)
        seat, prompt = await server.prompt(game)
        late_us = 2_000_000
        for _ in range(2):  # the second one finds it expired
            refusal = await expect(
                server.submit(game, seat, prompt.decision_id, 0), "TIME_RAN_OUT", CODE.FAILED_PRECONDITION
            )
            assert refusal.metadata["decision_id"] == str(prompt.decision_id)


async def test_a_seat_that_is_away_cannot_answer_before_it_is_taken_back(server: Running) -> None:
    held = settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy")
    game = await server.seated(settings=held)
    seat, prompt = await server.prompt(game)
    await leave(server, game.game_id, game.tokens[seat])
    attempt = server.submit(game, seat, prompt.decision_id, 0)
    refusal = await expect(attempt, "SEAT_AWAY", CODE.FAILED_PRECONDITION)
    assert refusal.metadata["seat"] == str(seat)
    await take_back(server, game.game_id, game.tokens[seat])
    assert (await server.submit(game, seat, prompt.decision_id, 0)).revision


async def test_a_seat_that_was_forfeited_is_not_to_be_had_again(server: Running) -> None:
    game = await server.seated(settings=settings(absence=game_pb2.ABSENCE_POLICY_FORFEIT))
    await leave(server, game.game_id, game.tokens[0])
    refusal = await expect(
        take_back(server, game.game_id, game.tokens[0]), "SEAT_UNAVAILABLE", CODE.FAILED_PRECONDITION
    )
    assert (refusal.metadata["seat"], refusal.metadata["status"]) == ("0", "RUNNING")


async def test_an_answer_that_cannot_be_taken_back_says_why(server: Running) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    await server.submit(game, seat, prompt.decision_id, 0)
    asked: dict[str, Any] = {
        "game_id": game.game_id,
        "seat_token": game.tokens[seat],
        "decision_id": prompt.decision_id,
    }
    for attempt in (
        server.play.AskUndo(play_service_pb2.AskUndoRequest(**asked)),
        server.play.AnswerUndo(play_service_pb2.AnswerUndoRequest(**asked, agree=True)),
        server.play.AnswerUndo(play_service_pb2.AnswerUndoRequest(**asked, agree=False)),
    ):
        refusal = await expect(attempt, "UNDO_NOT_POSSIBLE", CODE.FAILED_PRECONDITION)
        assert (refusal.metadata["why"], refusal.metadata["decision_id"]) == ("NOT_ALLOWED", str(prompt.decision_id))


@pytest.fixture
async def importing(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(tmp_path / "importing.db", allow_imports=True) as server:
        yield server


async def finished_record(server: Running) -> record_pb2.GameRecord:
    game = await server.seated()
    await server.play_out(game)
    return await server.record(game.game_id)


def importing_of(record: record_pb2.GameRecord) -> record_service_pb2.ImportRecordRequest:
    return record_service_pb2.ImportRecordRequest(record=record)


def _worse_score(record: record_pb2.GameRecord) -> None:
    record.outcome.results[1].score += 1


def _other_rules(record: record_pb2.GameRecord) -> None:
    record.rules_version = 99


def _no_calendar(record: record_pb2.GameRecord) -> None:
    record.end_time.seconds = 2**60


def _no_steps(record: record_pb2.GameRecord) -> None:
    del record.steps[:]


BAD_RECORDS: dict[Callable[[record_pb2.GameRecord], None], tuple[str, str]] = {
    _worse_score: ("result of seat 1, score", "the record does not verify"),
    _other_rules: ("record", "version 99 of the rules"),
    _no_calendar: ("record", "is not a time"),
    _no_steps: ("steps", "there are none"),
}


@pytest.mark.parametrize("change", BAD_RECORDS, ids=lambda change: change.__name__)
async def test_a_record_that_does_not_verify_is_not_imported(
    server: Running, importing: Running, change: Callable[[record_pb2.GameRecord], None]
) -> None:
    record = await finished_record(server)
    change(record)
    attempt = importing.records.ImportRecord(importing_of(record))
    refusal = await expect(attempt, "RECORD_INVALID", CODE.INVALID_ARGUMENT)
    where, message = BAD_RECORDS[change]
    assert refusal.metadata == {"where": where, "game_id": record.game_id}
    assert message in refusal.message
    assert not (await importing.games.ListGames(game_service_pb2.ListGamesRequest())).games


@pytest.mark.parametrize(
    ("field", "value"),
    [("game_id", ""), ("game_id", LONG), ("game_id", "a/b"), ("title", "a\nb"), ("title", "x" * 201)],
)
async def test_a_record_with_texts_that_are_taken_nowhere_is_not_imported(
    server: Running, importing: Running, field: str, value: str
) -> None:
    record = await finished_record(server)
    setattr(record, field, value)
    record.facts_digest = facts_digest(record)
    attempt = importing.records.ImportRecord(importing_of(record))
    refusal = await expect(attempt, "INVALID_FIELD", CODE.INVALID_ARGUMENT)
    assert refusal.fields == [f"record.{field}"]


async def test_another_game_of_the_same_id_is_not_imported(server: Running, importing: Running) -> None:
    record = await finished_record(server)
    record.game_id = (await importing.create()).game.game_id
    attempt = importing.records.ImportRecord(importing_of(record))
    refusal = await expect(attempt, "GAME_EXISTS", CODE.ALREADY_EXISTS)
    assert refusal.metadata == {"game_id": record.game_id}
    assert (await importing.game(record.game_id)).status == game_pb2.GAME_STATUS_WAITING
    record.game_id = "travels"
    await importing.records.ImportRecord(importing_of(record))
    record.title = "Another title"
    record.facts_digest = facts_digest(record)
    await expect(importing.records.ImportRecord(importing_of(record)), "GAME_EXISTS", CODE.ALREADY_EXISTS)
    assert (await importing.game("travels")).title == ""


async def test_records_are_imported_only_where_the_operator_allows_it(server: Running) -> None:
    record = await finished_record(server)
    attempt = server.records.ImportRecord(importing_of(record))
    refusal = await expect(attempt, "NOT_ALLOWED", CODE.PERMISSION_DENIED)
    assert refusal.metadata == {"permission": "import", "game_id": record.game_id}


async def test_what_no_game_can_have_shown_is_not_thought_about(server: Running) -> None:
    game = await server.seated()
    knowledge = knowledge_of((await server.watch_first(game.game_id, game.tokens[0], 0, include_history=True)).snapshot)
    knowledge.history.pop()
    request = sandbox_service_pb2.ExploreRequest(knowledge=knowledge, lines=[sandbox_service_pb2.Line()])
    refusal = await expect(server.sandbox.Explore(request).read(), "KNOWLEDGE_INCONSISTENT", CODE.INVALID_ARGUMENT)
    assert refusal.metadata == {}


def test_every_reason_has_a_test_above() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    reasons = [name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.keys()]  # noqa: SIM118 - it is no dict
    untested = [reason for reason in reasons if f'"{reason}", CODE.' not in source]
    assert untested == ["UNSPECIFIED"]
