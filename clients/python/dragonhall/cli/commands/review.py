"""``dragonhall review``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from dragonhall.bots.mcts.budget import Budget, InvalidBudget
from dragonhall.bots.thinking.choosing import cores
from dragonhall.cli.arguments import AsJson, check_file, check_text
from dragonhall.cli.commands.verify import content_of
from dragonhall.cli.console import note, print_json, results, shown
from dragonhall.cli.exits import ChildFailed, with_exit_codes
from dragonhall.cli.reviews import (
    ReviewProgress,
    decision_lines,
    decisions_table,
    legend,
    options_table,
    players_table,
)
from dragonhall.review import Manner, NotThere, Review, WorkerDied, page, review_data
from dragonhall.review import review as review_game
from dragonhall.review.wording import CHOICE_HELP, NO_LOSSES, budget_words, heading, left_out_words
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.wire.records import read_record

MAX_PROCESSES: Final = 256


@with_exit_codes
def review(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A record, JSON or binary, as match --record and record write it; - is stdin."
        ),
    ],
    budget: Annotated[
        str,
        typer.Option(
            metavar="BUDGET",
            help="What thinking about one decision may cost: simulations, as 2000, or seconds, as 0.5s. As much again"
            " where the search would have played something else.",
            callback=check_text,
        ),
    ] = "1000",
    seat: Annotated[
        int | None, typer.Option(metavar="SEAT", min=0, help="Only the decisions of this seat, from 0.")
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            metavar="DECISION", min=1, help="Only the decision with this number: a hint, with the best lines."
        ),
    ] = None,
    worst: Annotated[bool, typer.Option("--worst", help="Only the losses beyond the noise, the worst first.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also write a page for a browser, with a plot over the game.", callback=check_file
        ),
    ] = None,
    as_json: AsJson = False,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="With another text the search has other luck.", callback=check_text)
    ] = "",
    processes: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=MAX_PROCESSES, help="Think in N processes; one for each processor unless given."
        ),
    ] = None,
) -> None:
    """Look back on a finished game: what would the search have played, and what did it cost not to?

    Each decision is thought about again from what its seat knew then, and nothing else. The loss is the expected rank
    that was given away, with its standard error; losses beyond the noise are marked. With a budget of simulations the
    same record gives the same review each time. Seats, piles and places are numbered from 0. dragonhall verify checks
    the record.

    [bold]Examples[/bold]

        dragonhall review game.json --html review.html

        dragonhall review game.json --seat 0 --worst --budget 5000

        dragonhall review game.json --at 12
    """
    if html is not None and not html.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {str(html.parent)!r}", param_hint="--html")
    manner = Manner(_budget(budget), seed, processes or cores())
    found = _review(read_record(content_of(file)), manner, seat, at)
    if html is not None:
        html.write_text(page(found), encoding="utf-8")
        note(f"written to {html}")
    if as_json:
        print_json(review_data(found))
    elif at is not None:
        _print_hint(found)
    else:
        _print(found, worst)


def _budget(text: str) -> Budget:
    try:
        return Budget.of_text(text)
    except InvalidBudget as error:
        raise typer.BadParameter(str(error), param_hint="--budget") from error


def _review(record: GameRecord, manner: Manner, seat: int | None, at: int | None) -> Review:
    progress = ReviewProgress()
    try:
        with shown(progress):
            return review_game(record, manner, seat, at, progress)
    except NotThere as error:
        raise typer.BadParameter(str(error), param_hint="--seat" if at is None else "--at") from error
    except WorkerDied as error:
        raise ChildFailed(str(error)) from error


def _print(found: Review, worst: bool) -> None:
    console = results()
    console.print(f"{heading(found)}: {budget_words(found.manner.budget)}", markup=False)
    console.print(players_table(found))
    console.print()
    if worst and not found.losses:
        console.print(NO_LOSSES)
        return
    console.print(decisions_table(found, found.losses if worst else found.verdicts))
    console.print(legend(), style="dim", markup=False)
    if found.forced and not worst:
        console.print(left_out_words(found), style="dim")


def _print_hint(found: Review) -> None:
    console = results()
    if not found.verdicts:
        console.print("There was a single legal answer.")
        return
    [verdict] = found.verdicts
    for line in decision_lines(verdict, found):
        console.print(line, markup=False)
    console.print(options_table(verdict))
    console.print(CHOICE_HELP, style="dim", markup=False)
