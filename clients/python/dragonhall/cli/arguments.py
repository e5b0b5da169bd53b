"""Arguments of several commands: what they look like, and what is wrong with a wrong one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dragonhall.bots import BOT_KINDS
from dragonhall.client import Patience
from dragonhall.rules import GAMES
from dragonhall.rules.chance import SEED_BYTES
from dragonhall.rules.errors import InvalidComponents, InvalidOptions
from dragonhall.rules.game import Components, Game, parse_options

DEFAULT_ADDRESS: Final = "127.0.0.1:7350"

Connect = Annotated[
    str,
    typer.Option("--connect", "-c", metavar="HOST:PORT", envvar="DRAGONHALL_CONNECT", help="The server's address."),
]
ComponentFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--components",
        metavar="FILE",
        help="A component set to play with, besides the games' defaults (TOML, as the default sets). May be repeated.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="How long to try to reach the server.")
]


def patience(seconds: float) -> Patience:
    """Of a client that gives up after ``seconds`` without the server."""
    return Patience(give_up_after=timedelta(seconds=seconds))


def find_game(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise typer.BadParameter(f"there is no game {name!r}; there are: {', '.join(GAMES)}", param_hint="GAME")
    return GAMES[name]


def parse_seats(text: str, game: Game, kinds_only: bool) -> tuple[str, ...]:
    """A line-up from ``greedy,random,random``; with ``kinds_only`` each has to be a kind of bot that plays the game."""
    seats = tuple(seat.strip() for seat in text.split(","))
    kinds = sorted(BOT_KINDS.get(game.name, {}))
    for seat in seats:
        if not seat or (kinds_only and seat not in kinds):
            known = f"there are: {', '.join(kinds)}"
            raise typer.BadParameter(
                f"{seat!r} is no kind of bot that plays {game.name}; {known}", param_hint="--seats"
            )
    if not game.min_seats <= len(seats) <= game.max_seats:
        raise typer.BadParameter(
            f"{game.name} is played with {game.min_seats} to {game.max_seats} seats, not {len(seats)}",
            param_hint="--seats",
        )
    return seats


def parse_game_options(texts: Sequence[str], game: Game, seats: int) -> Any:
    """The game's typed options from ``["open_piles=true"]``."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            value = "true"
        if name in values:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--option")
        values[name] = value
    _check_seat_numbers(values, game, seats)
    try:
        return parse_options(game, values)
    except InvalidOptions as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error


def _check_seat_numbers(values: dict[str, str], game: Game, seats: int) -> None:
    for spec in game.options:
        text = values.get(spec.name, "")
        if not isinstance(spec.default, bool) and text.isascii() and text.isdigit() and int(text) >= seats:
            raise typer.BadParameter(
                f"{spec.name}: there is no seat {text}; there are: {', '.join(map(str, range(seats)))}",
                param_hint="--option",
            )


def parse_seed(text: str) -> bytes:
    """32 bytes from up to 64 hexadecimal digits; zeros are put before fewer."""
    digits = 2 * SEED_BYTES
    if not re.fullmatch(f"[0-9a-fA-F]{{1,{digits}}}", text):
        raise typer.BadParameter(
            f"{text!r} is not a seed: 1 to {digits} hexadecimal digits; zeros are put before fewer than {digits}",
            param_hint="--seed",
        )
    return bytes.fromhex(text.zfill(digits))


@dataclass(frozen=True)
class ComponentFile:
    """A component set read from a file."""

    path: Path
    game: Game
    components: Components


def read_components(path: Path) -> ComponentFile:
    """The set in ``path``: of the one game whose rules accept it."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"{path} is not UTF-8 text", param_hint="--components") from error
    refusals = []
    for game in GAMES.values():
        try:
            return ComponentFile(path, game, game.load_components(text))
        except InvalidComponents as error:
            refusals.append(f"{game.name}: {error}")
    raise typer.BadParameter(f"{path} fits no game: {'; '.join(refusals)}", param_hint="--components")
