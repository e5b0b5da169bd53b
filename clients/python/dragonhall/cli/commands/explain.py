"""``dragonhall explain``."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

import typer
from rich.text import Text

from dragonhall.bots.operating.asking import ask_bot
from dragonhall.bots.phrases import counted
from dragonhall.cli.arguments import AsJson, Timeout, check_text
from dragonhall.cli.console import print_json, results, table
from dragonhall.cli.exits import run, with_exit_codes
from dragonhall.operator.v1 import operator_service_pb2 as messages
from dragonhall.wire.records import describe_game, to_data

MAX_LINES = 100_000


@with_exit_codes
def explain(
    operator: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Where the bot tells it, as it was given to dragonhall bot.", callback=check_text
        ),
    ],
    game: Annotated[str, typer.Option(metavar="ID", help="Only this game.", callback=check_text)] = "",
    seat: Annotated[int | None, typer.Option(metavar="SEAT", min=0, max=99, help="Only this seat, from 0.")] = None,
    lines: Annotated[
        int, typer.Option(metavar="N", min=1, max=MAX_LINES, help="Of each decision the N actions it looked at most.")
    ] = 5,
    as_json: AsJson = False,
    timeout: Timeout = 3.0,
) -> None:
    """Ask a bot that runs on this machine what it thought about the newest decision of each of its seats.

    Of each action: how promising it had looked, in how many simulations it was tried (also in those of earlier
    decisions, where the bot keeps its tree), how much the seat had of what it wants (0 to 1), and its expected rank
    with the standard error. It is the most tried action that is played, even where another has a slightly better rank
    from fewer simulations. Pondered are simulations made while others were asked; most of them led to what then did not
    happen, so they do not add up with the visits. Seats, piles and places are numbered from 0. What a bot thinks gives
    away what its seats hold: it is told on this machine alone, with unix:PATH to its operator's own account alone.

    [bold]Example[/bold]

        dragonhall bot mcts --operator 7351 &

        dragonhall explain --operator 7351 --lines 3
    """
    request = messages.ListThoughtsRequest(game_id=game, seat=seat, max_lines=lines)
    bot, told = run(ask_bot(operator, request, timedelta(seconds=timeout)))
    if as_json:
        print_json({"bot": to_data(bot), **to_data(told)})
    else:
        _print(bot, told)


def _print(bot: messages.GetBotResponse, told: messages.ListThoughtsResponse) -> None:
    console = results()
    console.print(
        f"{bot.name} ({bot.kind}): {counted(bot.seats, 'seat')}, {counted(bot.decisions, 'decision')},"
        f" {counted(bot.simulations, 'simulation')}" + (f", {bot.pondered} pondered" if bot.pondered else ""),
        markup=False,
    )
    for seat in told.seats:
        console.print()
        console.print(_heading(seat), markup=False, soft_wrap=True)
        if seat.HasField("newest"):
            console.print(_decision(seat.newest), markup=False, soft_wrap=True)
        if seat.newest.lines:
            console.print(_lines(seat.newest))


def _heading(seat: messages.SeatThoughts) -> str:
    state = "playing" if seat.playing else "played"
    now = f", thinking about decision {seat.thinking_about}" if seat.thinking_about else ""
    return f"game {seat.game_id}, seat {seat.seat} of {seat.seats}, {state}{now}"


def _decision(made: messages.Thoughts) -> str:
    """A bot of an earlier version has no words of its own."""
    question = made.question or describe_game(made.decision, in_full=True)
    answer = made.answer or describe_game(made.action, in_full=True)
    return f"decision {made.decision_id}, {question} {answer} ({_effort(made)})"


def _effort(made: messages.Thoughts) -> str:
    spent = f"{counted(made.simulations, 'simulation')} in {_seconds(made.thought)}"
    if made.visits > made.simulations:
        spent += f", {made.visits} visits with those kept from earlier decisions"
    if made.pondered:
        spent += f", {made.pondered} pondered before"
    return f"{spent}; {made.lines_in_all or 1} of {counted(made.legal_actions, 'legal action')}"


def _lines(made: messages.Thoughts) -> Any:
    numbers = ("prior", "visits", "utility", "expected rank", "±")
    shown = table("action", *numbers, numbers=numbers, wraps=("action",))
    for line in made.lines:
        shown.add_row(
            Text(line.answer or describe_game(line.action, in_full=True)),
            f"{line.prior:.3f}",
            str(line.visits),
            f"{line.utility:.3f}" if line.HasField("utility") else "",
            f"{line.expected_rank:.2f}" if line.HasField("expected_rank") else "",
            f"{line.rank_error:.2f}" if line.HasField("rank_error") else "",
        )
    return shown


def _seconds(duration: Any) -> str:
    return f"{duration.ToTimedelta().total_seconds():.3f} s"
