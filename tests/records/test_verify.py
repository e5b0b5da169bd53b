"""What `verify_record` proves: nothing in a record can be changed without being told what."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.v1 import record_pb2
from dragonhall.wire.records import BadRecord, UnsupportedRecord, replay, verify_record
from tests.records.games import Played, dragonisles_set, record_of
from tests.records.mutations import Mutation, mutations

UNGUARDED = {
    "game_id",
    "rematch_of",
    "create_time.seconds",
    "create_time.nanos",
    "steps.time.seconds",
    "steps.time.nanos",
}
"""What `record.proto` says that nothing guards: the same game played again has others. (Of times, the order is.)"""

GAMES = {
    "three seats": Played(choices=2, draws=0.3),
    "hidden cards, first seat given": Played(options={"hidden_card": True, "first_seat": 2}, choices=3, draws=0.1),
    "Dragon's Interest": Played(game="dragons_interest", choices=103, draws=0.3),
}
LONG_GAMES = {
    "DragonIsles": Played(
        2, {"characters": ("trader", "monk")}, choices=5, draws=0, game="dragonisles", components=dragonisles_set()
    ),
}
"""Records of more changes than can all be tried."""


@pytest.fixture(scope="module", params=[*GAMES.values(), *LONG_GAMES.values()], ids=[*GAMES, *LONG_GAMES])
def record(request: pytest.FixtureRequest) -> record_pb2.GameRecord:
    played: Played = request.param
    return record_of(played)


def test_a_true_record_is_good(record: record_pb2.GameRecord) -> None:
    report = verify_record(record)
    assert report.ok
    assert report.decisions == sum(len(step.decisions) for step in record.steps)
    assert report.chance_outcomes == sum(len(step.chance) for step in record.steps)


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("options", [{}, {"extra_year": True, "open_piles": True, "hidden_card": True}])
def test_records_of_every_size_are_good(seats: int, options: dict[str, bool]) -> None:
    assert verify_record(record_of(Played(seats=seats, options=options))).findings == ()


@pytest.mark.parametrize("played", GAMES.values(), ids=GAMES)
def test_every_single_change_is_found_but_those_that_nothing_guards(played: Played) -> None:
    record = record_of(played)
    assert {mutation.name for mutation in mutations(record) if _accepted(mutation, record)} == UNGUARDED


@pytest.mark.parametrize("played", LONG_GAMES.values(), ids=LONG_GAMES)
def test_a_change_of_each_field_is_found_but_those_that_nothing_guards(played: Played) -> None:
    record, changes = record_of(played), dict[str, Mutation]()
    for mutation in Random(1).sample(found := list(mutations(record)), len(found)):
        changes.setdefault(mutation.name, mutation)
    assert {name for name, mutation in changes.items() if _accepted(mutation, record)} == UNGUARDED


def _accepted(mutation: Mutation, record: record_pb2.GameRecord) -> bool:
    try:
        return verify_record(mutation.of(record)).ok
    except UnsupportedRecord:
        assert mutation.name in (
            "format_version",
            "rules_version",
            "options",
            f"options.{record.options.WhichOneof('game')}",
        )
        return False


# -- what is said of one change ---------------------------------------------------------------------------------------


@pytest.fixture
def plain() -> record_pb2.GameRecord:
    return record_of(Played(choices=2))


def _findings(record: record_pb2.GameRecord) -> list[str]:
    return [str(finding) for finding in verify_record(record).findings]


def test_a_changed_card_of_a_shuffle_is_named(plain: record_pb2.GameRecord) -> None:
    card = next(outcome for outcome in plain.steps[0].chance if outcome.name == "dragons/treasure").dragons_cards.cards[
        16
    ]
    was = dragons_pb2.CardKind.Name(card.kind).removeprefix("CARD_KIND_").replace("_", " ").lower()
    card.CopyFrom(dragons_pb2.Card(kind=dragons_pb2.CARD_KIND_COINS, coins=9))
    [finding] = _findings(plain)
    assert finding.startswith("dragons/treasure, card 17 of 104: coins 9 in the record, ")
    assert was in finding


def test_two_cards_swapped_in_a_shuffle_are_named(plain: record_pb2.GameRecord) -> None:
    cards = next(outcome for outcome in plain.steps[0].chance if outcome.name == "dragons/treasure").dragons_cards.cards
    other = next(i for i in range(4, 104) if cards[i] != cards[3])
    kept = dragons_pb2.Card()
    kept.CopyFrom(cards[3])
    cards[3].CopyFrom(cards[other])
    cards[other].CopyFrom(kept)
    assert [finding.split(":")[0] for finding in _findings(plain)] == [
        "dragons/treasure, card 4 of 104",
        f"dragons/treasure, card {other + 1} of 104",
    ]


def test_an_answer_that_is_spelled_in_another_way_is_named() -> None:
    changed = record_of(LONG_GAMES["DragonIsles"])
    challenges = [step.decisions[0].action.dragonisles.challenge for step in changed.steps[1:]]
    cards = next(challenge.cards for challenge in challenges if len(set(challenge.cards)) > 1)
    first, *others = cards
    cards[:] = [*others, first]
    assert all(", answer, challenge, cards " in finding for finding in _findings(changed))
    assert len(_findings(changed)) == len(cards)


def test_a_changed_score_is_named(plain: record_pb2.GameRecord) -> None:
    result = plain.outcome.results[1]
    result.score += 1
    assert _findings(plain) == [
        f"result of seat 1, score: {result.score} in the record, {result.score - 1} by the replay"
    ]


def test_a_changed_line_of_a_breakdown_is_named(plain: record_pb2.GameRecord) -> None:
    plain.outcome.results[2].breakdown.dragons.polish += 4
    [finding] = _findings(plain)
    assert finding.startswith("result of seat 2, breakdown, polish: ")


def _steps_with(record: record_pb2.GameRecord, kind: str) -> Iterator[record_pb2.RecordStep]:
    for step in record.steps[1:]:
        if step.decisions[0].action.dragons.WhichOneof("action") == kind:
            yield step


def test_a_decision_changed_into_another_legal_one_is_named_with_what_was_done(plain: record_pb2.GameRecord) -> None:
    step = next(_steps_with(plain, "place"))
    place = step.decisions[0].action.dragons.place
    was, place.pile = place.pile, 0 if place.pile else 1
    where = f"decision {step.decisions[0].decision_id} of seat {step.decisions[0].seat}"
    assert _findings(plain) == [
        f"{where}: place pile {place.pile} in the record, but the events that follow are those of place pile {was}"
    ]


def test_an_illegal_decision_is_named_with_the_rule_that_forbids_it(plain: record_pb2.GameRecord) -> None:
    first, second = list(_steps_with(plain, "claim"))[:2]
    was = second.decisions[0].action.dragons.claim.pile
    second.decisions[0].action.dragons.claim.pile = first.decisions[0].action.dragons.claim.pile
    [finding] = _findings(plain)
    where = f"decision {second.decisions[0].decision_id} of seat {second.decisions[0].seat}"
    assert finding.startswith(f"{where}: claim pile {first.decisions[0].action.dragons.claim.pile} is not legal: ")
    assert "(rulebook: 2. Place Their Dragon); the events" in finding
    assert finding.endswith(f"the events that follow are those of claim pile {was}")


def test_a_decision_of_another_seat_is_named(plain: record_pb2.GameRecord) -> None:
    decision = plain.steps[5].decisions[0]
    was, decision.seat = decision.seat, (decision.seat + 1) % 3
    assert _findings(plain) == [
        f"decision 5 of seat {decision.seat}: was not asked here; what is asked: seat {was} (decision 5)"
    ]


def test_a_changed_event_is_named_and_not_the_decision_before_it(plain: record_pb2.GameRecord) -> None:
    step = next(_steps_with(plain, "draw"))
    step.events[0].event.dragons.card_drawn.card.CopyFrom(dragons_pb2.Card(kind=dragons_pb2.CARD_KIND_COINS, coins=9))
    [finding] = _findings(plain)
    where = f"decision {step.decisions[0].decision_id} of seat {step.decisions[0].seat}"
    assert finding.startswith(f"{where}, event 1, card drawn, card: coins 9 in the record, ")


def test_a_changed_audience_is_named(plain: record_pb2.GameRecord) -> None:
    plain.steps[3].events[0].everyone = False
    plain.steps[3].events[0].seats.append(0)
    [finding] = _findings(plain)
    assert finding.endswith("event 1, told to: seat 0 in the record, everyone by the replay")


def test_another_seed_is_told_from_another_commitment(plain: record_pb2.GameRecord) -> None:
    other = record_pb2.GameRecord()
    other.CopyFrom(plain)
    other.seed = bytes(32)
    assert any("not the seed that was promised" in finding for finding in _findings(other))
    plain.seed_commitment = bytes(32)
    assert any("the commitment was changed" in finding for finding in _findings(plain))


def test_an_option_that_changes_no_event_is_named(plain: record_pb2.GameRecord) -> None:
    plain.options.dragons.open_piles = True
    assert _findings(plain) == ["options, open piles: true in the record, false by the facts digest"]


def test_a_changed_count_of_a_component_set_is_named(plain: record_pb2.GameRecord) -> None:
    plain.component_set.dragons.cards[0].count += 1
    assert any("component set, cards 1, count: 11 in the record, 10 by" in finding for finding in _findings(plain))


def test_a_record_cut_short_is_found(plain: record_pb2.GameRecord) -> None:
    del plain.steps[-1]
    assert any("the record ends, but the game does not" in finding for finding in _findings(plain))


@pytest.mark.parametrize("field", ["create_time", "start_time", "end_time"])
def test_a_missing_time_is_named(plain: record_pb2.GameRecord, field: str) -> None:
    plain.ClearField(field)  # type: ignore[arg-type]  # a name that mypy does not follow
    where = {"create_time": "time of the creation"}.get(field, field.replace("_", " "))
    assert _findings(plain) == [f"{where}: is missing"]


def test_a_step_without_a_time_is_named(plain: record_pb2.GameRecord) -> None:
    plain.steps[4].ClearField("time")
    assert _findings(plain) == ["time of step 4: is missing"]


def test_a_start_and_an_end_that_are_not_the_steps_are_named(plain: record_pb2.GameRecord) -> None:
    plain.start_time.nanos += 1
    plain.end_time.nanos += 1
    assert _findings(plain) == [
        "start time: is not the first step's time",
        "end time: is not the last step's time",
    ]


def test_a_time_that_goes_back_is_named(plain: record_pb2.GameRecord) -> None:
    plain.steps[4].time.seconds -= 2
    plain.create_time.seconds += 2
    assert _findings(plain) == [
        "time of step 0: is before that of the creation",
        "time of step 4: is before that of step 3",
    ]


def test_times_may_stand_still(plain: record_pb2.GameRecord) -> None:
    plain.create_time.CopyFrom(plain.start_time)
    plain.steps[4].time.CopyFrom(plain.steps[3].time)
    assert _findings(plain) == []


# -- what is refused instead of judged --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [("format_version", 2, "format version 2"), ("rules_version", 999, "version 999 of the rules of dragons")],
)
def test_other_versions_are_refused(plain: record_pb2.GameRecord, field: str, value: int, says: str) -> None:
    setattr(plain, field, value)
    with pytest.raises(UnsupportedRecord, match=says):
        verify_record(plain)


def test_a_game_not_known_here_is_refused_with_those_that_are(plain: record_pb2.GameRecord) -> None:
    plain.options.ClearField("dragons")
    with pytest.raises(UnsupportedRecord, match="known: dragons"):
        verify_record(plain)


# -- the foreign reader -----------------------------------------------------------------------------------------------


def test_a_record_can_be_replayed_from_its_written_chance_alone(record: record_pb2.GameRecord) -> None:
    record.seed = bytes(32)  # as if there were none
    steps = list(replay(record))
    assert [step.decision_id for step in steps[1:]] == [
        decision.decision_id for step in record.steps[1:] for decision in step.decisions
    ]
    assert len(steps[-1].entries) == len(record.steps[-1].events)


def test_a_replay_stops_where_written_chance_does_not_fit(plain: record_pb2.GameRecord) -> None:
    plain.steps[0].chance[0].name = "dragons/other"
    with pytest.raises(BadRecord, match="dragons/other"):
        list(replay(plain))
