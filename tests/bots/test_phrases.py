"""Questions and answers in words: all of every game, told apart, as the table calls things."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from dragonhall.bots.phrases import Scene, answer, dragonisles, dragons, dragons_interest, question
from dragonhall.review import moments
from dragonhall.rules import GAMES
from dragonhall.rules.dragonisles import moves as isles
from dragonhall.rules.dragonisles.facts import Adventurer
from dragonhall.rules.dragons import moves as hoard
from dragonhall.rules.dragons.facts import Card
from dragonhall.rules.dragons.view import Pile, View
from dragonhall.rules.dragons_interest import moves as interest
from dragonhall.rules.dragons_interest.facts import JESTER, Contract
from tests.records.games import Played, dragonisles_set, record_of

PLAYED = [
    Played(),
    Played(options={"hidden_card": True}),
    Played(game="dragons_interest", draws=0.2),
    Played(game="dragonisles", components=dragonisles_set(), choices=3),
]
ISLES = GAMES["dragonisles"].default_components()
TREASURES = {treasure.name: kind for kind, treasure in enumerate(ISLES.treasures)}
LOOKED_AT = 200


def kind_of(name: str) -> int:
    return next(kind for kind, encounter in enumerate(ISLES.encounters) if encounter.name == name)


class IslesView:
    """As far as words look at it."""

    quest_board = (kind_of("Oni"), None, kind_of("Sea Dragon"), kind_of("Oni"))
    tavern = (Adventurer(0, 4), Adventurer(None, 0))


def pile(size: int) -> Pile:
    return Pile(size, Card("cow"), (), None)


def hoard_view(held: Card | None = None) -> View:
    return View(1, 4, 20, (pile(1), pile(4)), (), 0, None, held)


CHEST = interest.Chest(1, 2, "harbor", "knights", 1)
CONTEST = interest.Contest(0, "guild", "knights", 3, "gold", ())
EXAMPLES: list[tuple[str, Any, Any, Any, str, str]] = [
    ("dragons", hoard_view(), hoard.TurnDecision(), hoard.Claim(0), "draw or claim?", "claim pile 0 (1 card)"),
    (
        "dragons",
        hoard_view(),
        hoard.PlacementDecision(Card("bracelet")),
        hoard.Place(1),
        "which pile for the bracelet?",
        "place the bracelet on pile 1",
    ),
    (
        "dragons",
        hoard_view(Card("cow")),
        hoard.PlacementDecision(Card("coins", 3)),
        hoard.Play("held", 1),
        "which pile for the 3 coins, or for the cow in hand?",
        "place the cow (held) on pile 1",
    ),
    (
        "dragons_interest",
        None,
        interest.BidDecision(),
        interest.Bid(Contract(4)),
        "which contract to bid?",
        "bid contract 4",
    ),
    (
        "dragons_interest",
        None,
        interest.BidDecision(),
        interest.Bid(JESTER),
        "which contract to bid?",
        "bid the Jester",
    ),
    (
        "dragons_interest",
        None,
        interest.OfferDecision("city_hall", "gold"),
        interest.Offer(2, "arena", 8),
        "city hall: how much gold to whom, for what?",
        "offer 8 gold to seat 2 for an arena",
    ),
    (
        "dragons_interest",
        None,
        interest.AnswerDecision(CHEST),
        interest.Match("castle"),
        "seat 1 offers 1 knight for a harbor: accept or match?",
        "match 1 knight for a castle of seat 1",
    ),
    (
        "dragons_interest",
        None,
        interest.CommitDecision(CONTEST),
        interest.Commit(0),
        "how much gold for the stake of 3 knights?",
        "commit 0 gold",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.TurnDecision(),
        isles.Challenge(2, "sneak", (Adventurer(None, 0), Adventurer(2, 8), Adventurer(1, 9))),
        "prepare or challenge?",
        "challenge Sea Dragon by sneaking with 3 dice (purple 9, yellow 8, wild)",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.TurnDecision(),
        isles.Challenge(3, "strike", (Adventurer(0, 1),)),
        "prepare or challenge?",
        "challenge Oni (place 3) by striking with 1 die (red 1)",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.DrawDecision(2),
        isles.Draw(0),
        "draw from where (2 to go)?",
        "draw red 4 from the Tavern",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.OnesDecision(()),
        isles.UseTreasures((TREASURES["Daruma"], TREASURES["Omamori"])),
        "use treasures for a rolled 1?",
        "use Daruma, then Omamori",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.RerollDecision(2),
        isles.Reroll((2, 1)),
        "reroll up to 2 dice?",
        "reroll 1 and 2",
    ),
    (
        "dragonisles",
        IslesView(),
        isles.BoostDecision(7, 9),
        isles.Decline(),
        "boost a total of 7 against 9?",
        "use no potion",
    ),
]


@pytest.mark.parametrize(("game", "view", "decision", "action", "asked", "said"), EXAMPLES)
def test_it_is_said_as_people_would(game: str, view: Any, decision: Any, action: Any, asked: str, said: str) -> None:
    scene = Scene(game, GAMES[game].default_components(), view, decision)
    assert (question(scene), answer(scene, action)) == (asked, said)


@pytest.mark.parametrize(
    ("phrases", "moves"),
    [(dragons, hoard), (dragons_interest, interest), (dragonisles, isles)],
    ids=lambda m: m.__name__,
)
def test_there_is_a_phrase_for_all_that_can_be_asked_and_answered(phrases: Any, moves: Any) -> None:
    assert set(phrases.QUESTIONS) == set(get_args(moves.Decision))
    assert set(phrases.ANSWERS) == set(get_args(moves.Action))


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: f"{played.game} {played.options}")
def test_different_answers_have_different_phrases(played: Played) -> None:
    rng = Random(0)
    for moment in moments(record_of(played)):
        scene = Scene(moment.game.name, moment.chair.components, moment.knowledge.view, moment.decision)
        places = range(len(moment.actions))
        said = [answer(scene, moment.actions[at]) for at in rng.sample(places, min(LOOKED_AT, len(places)))]
        assert len(set(said)) == len(said)
        for words in (question(scene), *said):
            assert words == words.strip()
            assert "_" not in words
