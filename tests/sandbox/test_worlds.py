"""What is shown of worlds: they fit what the seat knows, and moves in them do what the rules say."""

from __future__ import annotations

import pytest

from dragonhall.v1 import errors_pb2, games_pb2
from dragonhall.v1.sandbox_service_pb2 import (
    POSITION_VIEWS_ALL,
    POSITION_VIEWS_ASKED,
    GetSandboxRequest,
    Line,
    Move,
    WorldRange,
)
from tests.sandbox.asking import asked_of_one, explore, known, line, line_for_each, roll_out
from tests.sandbox.situations import GAMES, played
from tests.service.harness import Running, dragons

each_game = pytest.mark.parametrize("name", GAMES)


async def test_the_sandbox_says_what_it_can_do(server: Running) -> None:
    told = await server.sandbox.GetSandbox(GetSandboxRequest())
    assert {game.game: list(game.policies) for game in told.games} == {
        name: ["random", "greedy"] for name in ("dragons", "dragons_interest", "dragonisles")
    }
    rules = await server.catalogue()
    assert {game.game: game.rules_version for game in told.games} == {
        name: each.rules_version for name, each in rules.items()
    }
    assert (told.limits.playouts, told.limits.calls) == (1_000_000, 32)


@each_game
@pytest.mark.parametrize("answers", [0, 7, 25])
async def test_every_world_shows_the_seat_what_it_sees_and_asks_it_the_same(
    server: Running, name: str, answers: int
) -> None:
    game = await played(server, name, answers)
    seat, prompt, knowledge = await asked_of_one(server, game)
    wanted = {"views": POSITION_VIEWS_ALL, "legal_actions": True}
    positions = await explore(server, knowledge, [line(count=20)], seed=7, **wanted)
    assert [position.world for position in positions] == list(range(20))
    others = set()
    for position in positions:
        assert [view.seat for view in position.views] == list(range(GAMES[name][0]))
        assert position.views[seat].view == knowledge.view
        others.add(b"".join(view.SerializeToString() for view in position.views))
        asked = {each.seat: each for each in position.asked}
        assert asked[seat].decision == prompt.decision
        assert asked[seat].legal_actions == prompt.legal_actions
    nothing_hidden = name == "open dragons" or (name == "dragons_interest" and not answers)
    assert (len(others) == 1) == nothing_hidden


@each_game
async def test_a_spectator_can_think_too(server: Running, name: str) -> None:
    game = await played(server, name, 12)
    positions = await explore(server, await known(server, game), [line(count=3)], views=POSITION_VIEWS_ASKED)
    waiting = (await server.watch_first(game.game_id)).snapshot.waiting
    for position in positions:
        assert [asked.seat for asked in position.asked] == [each.seat for each in waiting]
        assert [view.seat for view in position.views] == [each.seat for each in waiting]
        assert not position.asked[0].legal_actions
        assert not position.HasField("standing")


async def test_moves_do_in_a_world_what_they_do_in_the_game(server: Running) -> None:
    """With open piles and without hidden cards the worlds differ only in what is still to be drawn."""
    game = await server.seated(3, options=dragons(open_piles=True))
    seat, prompt, knowledge = await asked_of_one(server, game)
    claims = [each.index for each in prompt.legal_actions if each.action.dragons.WhichOneof("action") == "claim"]
    (position,) = await explore(server, knowledge, [line((seat, claims[0]))], views=POSITION_VIEWS_ALL)
    await server.submit(game, seat, prompt.decision_id, claims[0])
    assert position.views[seat].view == (await known(server, game, seat)).view
    next_seat, _ = await server.prompt(game)
    assert [asked.seat for asked in position.asked] == [next_seat]


@each_game
async def test_a_line_of_moves_leads_step_by_step_to_where_its_moves_lead(server: Running, name: str) -> None:
    """A line of n moves, and the answers of n looks each one move further, meet the same questions."""
    game = await played(server, name, 5)
    _, _, knowledge = await asked_of_one(server, game)
    moves: list[tuple[int, int]] = []
    for _ in range(12):
        (position,) = await explore(server, knowledge, [line(*moves, first=3)], seed=11, legal_actions=True)
        if not position.asked:
            break
        asked = position.asked[-1]  # of several who choose together the last one may go first
        moves.append((asked.seat, asked.legal_actions[len(moves) % len(asked.legal_actions)].index))
    lines = [line(*moves[:n], first=3) for n in range(len(moves) + 1)]
    positions = await explore(server, knowledge, lines, seed=11, legal_actions=True)
    assert len(moves) > 3
    for n, (seat, index) in enumerate(moves):
        assert not positions[n].HasField("error")
        asked = next(each for each in positions[n].asked if each.seat == seat)
        assert index in [each.index for each in asked.legal_actions]


async def test_an_action_can_be_spelled_out(server: Running) -> None:
    game = await played(server, "dragonisles", 0)
    seat, prompt, knowledge = await asked_of_one(server, game)
    entry = prompt.legal_actions[-1]
    spelled = Line(moves=[Move(seat=seat, action=entry.action)])
    told, meant = await explore(
        server, knowledge, [spelled, line((seat, entry.index))], views=POSITION_VIEWS_ALL, legal_actions=True
    )
    told.line = meant.line
    assert told == meant


async def test_what_is_not_legal_in_a_world_is_told_in_its_place(server: Running) -> None:
    game = await played(server, "dragons", 0)
    seat, prompt, knowledge = await asked_of_one(server, game)
    other = (seat + 1) % 3
    draw, claim = line((seat, 0)), Line(moves=[Move(seat=seat, action=prompt.legal_actions[-1].action)])
    twice = Line(moves=[claim.moves[0], Move(seat=other, action=claim.moves[0].action)])
    lines = [draw, line((other, 0)), line((seat, 999)), twice, line((seat, 0), (seat, 998), first=4)]
    positions = await explore(server, knowledge, lines)
    errors = [position.error for position in positions]
    assert [position.HasField("error") for position in positions] == [False, True, True, True, True]
    assert {error.reason for error in errors[1:]} == {errors_pb2.ERROR_REASON_ILLEGAL_ACTION}
    assert {error.code for error in errors[1:]} == {3}
    assert [(error.metadata["field"], error.metadata["world"]) for error in errors[1:]] == [
        ("lines[1].moves[0]", "0"),
        ("lines[2].moves[0]", "0"),
        ("lines[3].moves[1]", "0"),
        ("lines[4].moves[1]", "4"),
    ]
    assert errors[3].metadata["rule"]
    assert not positions[1].asked
    totals = await roll_out(server, knowledge, lines, playouts=3)
    assert [(each.playouts, each.refused_worlds) for each in totals] == [(3, 0), (0, 1), (0, 1), (0, 1), (0, 1)]
    assert [each.error for each in totals] == errors


async def test_a_move_after_the_games_end_is_told_as_such(server: Running) -> None:
    game = await played(server, "dragons", 10_000)
    assert (await server.game(game.game_id)).HasField("outcome")
    knowledge = await known(server, game, 0)
    over, further = await explore(server, knowledge, [line(), line((0, 0))], standing=True)
    assert not over.asked
    assert over.standing == (await server.game(game.game_id)).outcome
    assert "the game is over" in further.error.message
    (totals,) = await roll_out(server, knowledge, [line(count=2)])
    assert (totals.playouts, totals.decisions, totals.unfinished) == (2, 0, 0)


@each_game
async def test_a_standing_is_scored_and_its_ranks_are_worth_what_the_request_says(server: Running, name: str) -> None:
    game = await played(server, name, 20)
    knowledge = await known(server, game, 0)
    seats = GAMES[name][0]
    even = [(seats - 1 - place) / (seats - 1) for place in range(seats)]
    for payoffs in ([], [10.0 - 3 * place for place in range(seats)]):
        for position in await explore(server, knowledge, [line(count=5)], standing=True, payoffs=payoffs):
            ranks = [result.rank for result in position.standing.results]
            worth = payoffs or even
            assert list(position.payoffs) == pytest.approx(
                [sum(worth[r - 1 : r - 1 + ranks.count(r)]) / ranks.count(r) for r in ranks]
            )


async def test_seats_that_choose_together_answer_one_by_one_in_any_order(server: Running) -> None:
    game = await played(server, "dragons_interest", 0)
    knowledge = await known(server, game, 0)
    (start,) = await explore(server, knowledge, [line()])
    assert [asked.seat for asked in start.asked] == [0, 1, 2]
    lines = [line((0, 1), (1, 0), (2, 2)), line((2, 2), (0, 1), (1, 0)), line((1, 0))]
    there, too, midway = await explore(server, knowledge, lines, views=POSITION_VIEWS_ALL)
    too.line = there.line
    assert there == too
    assert [asked.seat for asked in midway.asked] == [0, 2]


async def test_component_sets_are_found_by_what_they_are(server: Running) -> None:
    game = await played(server, "dragons", 4)
    knowledge = await known(server, game, 0)
    (expected,) = await explore(server, knowledge, [line()], views=POSITION_VIEWS_ALL)
    for given in (None, games_pb2.ComponentSet(id="dragons-default")):
        knowledge.ClearField("component_set")
        if given is not None:
            knowledge.component_set.CopyFrom(given)
        assert await explore(server, knowledge, [line()], views=POSITION_VIEWS_ALL) == [expected]


async def test_worlds_may_be_named_anywhere_and_in_any_order(server: Running) -> None:
    game = await played(server, "dragons", 6)
    seat, prompt, knowledge = await asked_of_one(server, game)
    whole = await explore(server, knowledge, [line(count=30)], seed=3, views=POSITION_VIEWS_ALL)
    last = 2**32 - 1
    lines = [Line(worlds=WorldRange(first=n)) for n in (17, 2, 29, last)]
    single = await explore(server, knowledge, lines, seed=3, views=POSITION_VIEWS_ALL)
    assert [position.world for position in single] == [17, 2, 29, last]
    assert [position.views for position in single[:3]] == [whole[n].views for n in (17, 2, 29)]
    other_seed = await explore(server, knowledge, [line(count=30)], seed=4, views=POSITION_VIEWS_ALL)
    assert [position.views for position in other_seed] != [position.views for position in whole]
    assert len(line_for_each(seat, prompt)) == len(prompt.legal_actions)
