"""A game's log as the store keeps it: every cause comes back as it was, and logs of older servers are read."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from dragonhall.rules import GAMES
from dragonhall.server.encoding import FORMS, decode, encode
from dragonhall.server.log import (
    Aborted,
    Answered,
    AnswerUndone,
    Cause,
    Created,
    CreatedSeat,
    LogEntry,
    Outage,
    SeatKind,
    SeatLeft,
    SeatSubstituted,
    SeatTaken,
    SeatTakenBack,
    SeatVacated,
    SeedSource,
    Started,
    UndoAgreed,
    UndoAsked,
    UndoEnded,
    UnreadableLog,
)
from dragonhall.server.settings import (
    STANDARD,
    AbortCause,
    AbsenceCause,
    AbsencePolicy,
    AnsweredBy,
    Bank,
    PerDecision,
    Settings,
    StartPolicy,
    Visibility,
)
from dragonhall.storage.v1 import log_pb2
from dragonhall.wire import CODECS

RULES = GAMES["dragons"]
PLAIN = Created(
    game="dragons",
    options=RULES.make_options({}),
    components=RULES.default_components(),
    rules_version=RULES.rules_version,
    seats=(
        CreatedSeat(SeatKind.OPEN),
        CreatedSeat(SeatKind.RESERVED, "greedy"),
        CreatedSeat(SeatKind.INVITED, "", b"i"),
    ),
    title="A game",
    seed=bytes(range(32)),
    seed_source=SeedSource.SERVER,
    host_token_hash=b"h",
)
HELD_OTHERWISE = replace(
    PLAIN,
    settings=Settings(
        time_control=Bank(90_000_000, 1_500_000),
        absence=AbsencePolicy.SUBSTITUTE,
        substitute_bot="greedy",
        start=StartPolicy.BY_HOST,
        visibility=Visibility.PRIVATE,
        spectator_delay=3,
        allow_undo=True,
    ),
    spectator_token_hash=b"s",
    owner="someone",
    rematch_of="another",
    quick_match=True,
    imported=True,
    substitute_wait_us=5_000_000,
)
CAUSES: tuple[Cause, ...] = (
    PLAIN,
    HELD_OTHERWISE,
    replace(PLAIN, settings=Settings(PerDecision(100_000), AbsencePolicy.FORFEIT)),
    SeatTaken(0, "Someone", b"nonce", b"hash"),
    SeatLeft(0),
    Started(),
    Answered(0, 1, 2**64 - 1, None),
    Answered(2, 7, 0, 0, AnsweredBy.TIME, arrived_us=5, thought_us=0),
    Aborted(),
    Aborted(AbortCause.EXPIRED),
    Aborted(AbortCause.LEFT),
    SeatVacated(0, AbsenceCause.TIME),
    SeatVacated(0, AbsenceCause.TIME, (2, 3)),
    SeatSubstituted(0, "A bot", b"hash"),
    SeatTakenBack(0),
    Outage(3, 9),
    UndoAsked(0, 12),
    UndoAgreed(0),
    UndoEnded(0),
    AnswerUndone(40),
)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: type(cause).__name__)
def test_every_cause_comes_back_as_it_was(cause: Cause) -> None:
    assert decode(encode(LogEntry(17, cause))) == LogEntry(17, cause)


def test_every_cause_has_a_form_and_is_tried() -> None:
    causes = set(get_args(Cause))
    assert set(FORMS) == causes == {type(cause) for cause in CAUSES}
    fields = [field.name for field in log_pb2.LogEntry.DESCRIPTOR.oneofs_by_name["cause"].fields]
    assert sorted(field for field, _, _ in FORMS.values()) == sorted(fields)


def test_entries_of_older_servers_are_read_with_defaults() -> None:
    codec = CODECS["dragons"]
    created = log_pb2.GameCreated(
        options=codec.options_to_proto(PLAIN.options),
        component_set=codec.components_to_proto(PLAIN.components, with_contents=True),
        rules_version=PLAIN.rules_version,
        seats=[log_pb2.CreatedSeat(kind=1), log_pb2.CreatedSeat(kind=1)],  # type: ignore[arg-type]
        title="Old",
        seed=bytes(32),
        seed_source=1,  # type: ignore[arg-type]
        host_token_hash=b"h",
    )
    older: dict[Cause, log_pb2.LogEntry] = {
        replace(
            PLAIN, seats=(CreatedSeat(SeatKind.OPEN),) * 2, title="Old", seed=bytes(32), settings=STANDARD
        ): log_pb2.LogEntry(time_us=1, created=created),
        Answered(1, 3, 20, 4): log_pb2.LogEntry(
            time_us=1, answered=log_pb2.Answered(seat=1, decision_id=3, code=20, index=4)
        ),
        Answered(1, 3, 20, None): log_pb2.LogEntry(
            time_us=1, answered=log_pb2.Answered(seat=1, decision_id=3, code=20)
        ),
        Aborted(AbortCause.HOST): log_pb2.LogEntry(time_us=1, aborted=log_pb2.GameAborted()),
        SeatVacated(2, AbsenceCause.TIME): log_pb2.LogEntry(
            time_us=1,
            seat_vacated=log_pb2.SeatVacated(seat=2, cause=1),  # type: ignore[arg-type]
        ),
    }
    for cause, message in older.items():
        assert decode(message.SerializeToString()) == LogEntry(1, cause)


def test_what_no_server_wrote_is_refused() -> None:
    with pytest.raises(UnreadableLog, match="newer server"):
        decode(log_pb2.LogEntry(time_us=1).SerializeToString())
    with pytest.raises(UnreadableLog):
        decode(b"\xff\xff\xff")
    with pytest.raises(UnreadableLog):
        decode(log_pb2.LogEntry(answered=log_pb2.Answered(by=99)).SerializeToString())  # type: ignore[arg-type]
