"""What ``dragonhall explain`` says of what a bot found out."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from dragonhall.bots.mcts.searching import Findings
from dragonhall.bots.mcts.thoughts import Line, Thoughts
from dragonhall.bots.operating.ledger import Ledger
from dragonhall.bots.operating.service import OperatorService
from dragonhall.bots.operating.showing import About
from dragonhall.bots.operating.watcher import Made
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Choice
from dragonhall.cli.app import app
from dragonhall.cli.commands import explain
from dragonhall.operator.v1 import operator_service_pb2 as messages
from dragonhall.rules.actions import ActionList, Run
from dragonhall.rules.dragons.facts import Card, Options, default_components
from dragonhall.rules.dragons.moves import Place, PlacementDecision
from dragonhall.rules.dragons.view import View

VIEW = View(1, 4, 20, (), (), 0, Card("bracelet"), None)


def thought(simulations: int) -> Made:
    """Two answers with 90 and 10 visits."""
    lines = tuple(
        Line(code, 0.5, visits, visits / 2, 2.0 * visits, 5.0 * visits) for code, visits in ((1, 90), (0, 10))
    )
    choice = Choice(1, 0.5, Findings(Thoughts(lines, simulations, 0.5), [Run(0), Run(1)]))
    actions = ActionList([(Place(0), 1), (Place(1), 1)])
    return Made(18, PlacementDecision(Card("bracelet")), VIEW, actions, choice, 0.0)


@pytest.mark.parametrize(
    ("simulations", "effort"),
    [
        (100, "(100 simulations in 0.500 s; 2 of 2 legal actions)"),
        (40, "(40 simulations in 0.500 s, 100 visits with those kept from earlier decisions; 2 of 2 legal actions)"),
    ],
)
async def test_it_says_what_was_found_and_whose_the_visits_are(
    simulations: int, effort: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, place = Ledger(), ("g1", 0)
    ledger.sat_down(place, "dragons", Chair(Options(), default_components(), 3, 0))
    ledger.decided(place, thought(simulations))
    service = OperatorService(About("rex", "mcts", 0, 1), ledger)
    bot = await service.GetBot(messages.GetBotRequest(), None)
    explain._print(bot, await service.ListThoughts(messages.ListThoughtsRequest(), None))
    said = capsys.readouterr().out
    assert said.startswith(f"rex (mcts): 1 seat, 1 decision, {simulations} simulations\n")
    assert f"decision 18, which pile for the bracelet? place the bracelet on pile 1 {effort}\n" in said
    assert [line.split()[:8] for line in said.splitlines()[-2:]] == [
        f"place the bracelet on pile {pile} 0.500 {visits}".split() for pile, visits in ((1, 90), (0, 10))
    ]


def test_help_says_what_pondered_is() -> None:
    done = CliRunner().invoke(app, ["explain", "--help"])
    words = " ".join(done.stdout.replace("│", " ").split())
    assert "Pondered are simulations made while others were asked" in words
    assert "do not add up with the visits" in words
