"""Reviews of real games by the real search, with few simulations."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from dragonhall.bots.mcts.budget import Budget
from dragonhall.bots.mcts.methods import METHODS
from dragonhall.review import Manner, NotThere, Review, Verdict, moments, review, review_data
from dragonhall.review.judge import LEAST_LOSS, SURE, judge
from dragonhall.v1 import record_pb2
from dragonhall.wire.records import BadRecord
from tests.records.games import Played, dragonisles_set, record_of
from tests.review.found import made_up, verdict

PLAYED = {
    "dragons": Played(options={"hidden_card": True}),
    "dragons_interest": Played(game="dragons_interest", draws=0.2),
    "dragonisles": Played(game="dragonisles", components=dragonisles_set(), choices=3),
}
FEW = Manner(Budget(simulations=24))


@cache
def record(game: str) -> record_pb2.GameRecord:
    return record_of(PLAYED[game])


@cache
def of_seat_0(processes: int = 1, seed: str = "") -> Review:
    return review(record("dragons"), replace(FEW, processes=processes, seed=seed), seat=0)


def test_the_same_seed_finds_the_same_by_however_many_processes() -> None:
    alone, together, other = of_seat_0(), of_seat_0(processes=2), of_seat_0(seed="another")
    assert review_data(together) == review_data(alone)
    assert review_data(other)["decisions"] != review_data(alone)["decisions"]


def test_a_decision_by_itself_is_judged_as_in_the_whole_game() -> None:
    chosen = of_seat_0().verdicts[3]
    [alone] = review_data(review(record("dragons"), FEW, decision_id=chosen.decision_id))["decisions"]
    assert alone == review_data(of_seat_0())["decisions"][3]


def test_whose_decisions_were_looked_at_is_known() -> None:
    at_3 = review(record("dragons"), FEW, decision_id=3)
    assert [player.seat for player in of_seat_0().judged] == [0]
    assert {player.seat for player in at_3.judged} == {verdict.seat for verdict in at_3.verdicts}
    assert made_up().judged == made_up().players


def test_every_decision_of_the_seat_is_there() -> None:
    found = of_seat_0()
    asked = [moment for moment in moments(record("dragons")) if moment.seat == 0]
    assert [verdict.decision_id for verdict in found.verdicts] == [m.decision_id for m in asked if m.is_choice]
    assert found.forced == sum(not moment.is_choice for moment in asked)


def test_where_there_was_one_answer_nothing_is_judged() -> None:
    [forced, *_] = [moment for moment in moments(record("dragons_interest")) if not moment.is_choice]
    found = review(record("dragons_interest"), FEW, decision_id=forced.decision_id)
    assert (found.verdicts, found.forced) == ((), 1)


@pytest.mark.parametrize("game", METHODS)
def test_what_was_played_is_judged_in_every_game(game: str) -> None:
    for moment in list(moments(record(game)))[5:90:17]:
        if not moment.is_choice:
            continue
        found = judge(moment, FEW.budget, "", b"")
        [played] = [option for option in found.options if option.is_played]
        assert played.words == found.played == moment.words(moment.played)
        assert found.best == found.options[0].words
        assert found.agrees == (found.options[0] == played)
        assert 1 <= found.expected_rank <= 3
        assert 0 <= found.win <= 1
        assert (found.error > 0) != found.agrees or found.loss == 0


@pytest.mark.parametrize("game", ["dragons_interest", "dragonisles"])
def test_actions_that_the_search_would_not_look_at_are_judged_too(game: str) -> None:
    """Amounts and sets of cards are too many for it: some that were played are none of its candidates."""
    for moment in moments(record(game)):
        if len(moment.actions) < 30:
            continue
        problem = METHODS[game].problem(moment.knowledge)
        unlikely = moment.runs[-1].first + moment.runs[-1].size - 1
        found = judge(replace(moment, played=unlikely), FEW.budget, "", b"")
        assert any(option.is_played for option in found.options)
        assert found.agrees or found.error >= 0
        assert problem.seats == 3
        return
    pytest.fail("the game has no decision with many answers")


def test_a_loss_has_to_be_beyond_the_noise_and_of_account() -> None:
    assert verdict(1, 0, loss=0.3, error=0.1).is_loss
    assert not verdict(1, 0, loss=0.3, error=0.3 / SURE).is_loss
    assert not verdict(1, 0, loss=LEAST_LOSS / 2, error=0.0).is_loss
    assert not verdict(1, 0, loss=-0.3, error=0.0).is_loss
    assert not verdict(1, 0).is_loss


def test_the_worst_come_first_and_doubtful_ones_after_all_that_are_sure() -> None:
    doubtful = verdict(11, 0, loss=2.0, error=1.0)
    found = made_up()
    found = replace(found, verdicts=(*found.verdicts, doubtful))
    assert [verdict.decision_id for verdict in found.worst][:4] == [5, 3, 11, 6]
    assert len(found.worst) == len(found.verdicts)
    assert [verdict.decision_id for verdict in found.losses] == [5, 3]


def test_default_actions_are_nobodys_decisions() -> None:
    found = made_up()
    by_clock = found.verdicts[4]
    assert by_clock.is_loss
    assert not by_clock.is_chosen
    tally = found.tally(by_clock.seat)
    assert (tally.decisions, tally.losses, tally.lost) == (2, 0, 0)
    assert found.tally(0).lost == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("seat", "decision_id", "says"),
    [
        (3, None, "there is no seat 3; the game has seats 0 to 2"),
        (None, 999, "there is no decision 999; the game has decisions 1 to"),
        (0, 1, "decision 1 was seat 2's, not seat 0's"),
    ],
)
def test_what_is_not_there_is_said(seat: int | None, decision_id: int | None, says: str) -> None:
    with pytest.raises(NotThere, match=says):
        review(record("dragons"), FEW, seat, decision_id)


def test_a_record_whose_outcome_is_none_is_refused() -> None:
    broken = record_of(PLAYED["dragons"])
    broken.outcome.results[0].rank = 0
    with pytest.raises(BadRecord, match=r"outcome: results\[0\].rank"):
        review(broken, FEW)
    del broken.outcome.results[:]
    with pytest.raises(BadRecord, match="the outcome has 0 results, the game 3 seats"):
        review(broken, FEW)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    found: list[Verdict] = []
    found += review(record("dragons"), FEW, seat=0, progress=lambda *now: told.append(now)).verdicts
    assert told == [(done, len(found)) for done in range(len(found) + 1)]
