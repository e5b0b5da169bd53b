"""Arguments of several commands: what they look like, and what is wrong with a wrong one."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dragonhall.bots.kinds import BUDGETS, kinds_of, policies_of
from dragonhall.bots.mcts.budget import InvalidBudget
from dragonhall.bots.mcts.levels import budget_of
from dragonhall.client import DEFAULT_TARGET, Patience
from dragonhall.rules import GAMES
from dragonhall.rules.chance import SEED_BYTES
from dragonhall.rules.component_file import read_toml
from dragonhall.rules.errors import InvalidComponents, InvalidOptions
from dragonhall.rules.game import Components, Game
from dragonhall.rules.options import check_fit, parse_options

DEFAULT_ADDRESS: Final = DEFAULT_TARGET
_ADDRESS: Final = re.compile(r".+:([0-9]{1,5})")
_MAX_PORT: Final = 65_535
BOT_NAME: Final = re.compile(r"[a-z0-9_.-]{1,64}")
"""What a seat can be reserved for."""


def check_address(text: str | None) -> str | None:
    """A callback of options that take the ``HOST:PORT`` of a server."""
    return _check_address(text, least_port=1)


def check_listen_address(text: str) -> str:
    """The same where a server is to listen: port 0 is a free one."""
    _check_address(text, least_port=0)
    return text


def _check_address(text: str | None, least_port: int) -> str | None:
    if text is None:
        return None
    written = _ADDRESS.fullmatch(text)
    if not written or not least_port <= int(written[1]) <= _MAX_PORT or not _is_text(text):
        raise typer.BadParameter(
            f"{text!r} is not HOST:PORT with a port from {least_port} to {_MAX_PORT}, as 127.0.0.1:7350 or [::1]:7350"
        )
    return text


def check_number(number: float | None) -> float | None:
    """A callback of options that take a number with a fraction: what is not a number passes every range."""
    if number is not None and math.isnan(number):
        raise typer.BadParameter("has to be a number")
    return number


def check_file(path: Path | None) -> Path | None:
    """A callback of options that name a file: a folder is none, and neither is nothing."""
    if path is not None and os.path.isdir(path):
        raise typer.BadParameter(f"{str(path)!r} is a folder; name a file")
    return path


def check_text(text: str | None) -> str | None:
    """A callback of options whose text is sent or hashed."""
    if text is not None and not _is_text(text):
        raise typer.BadParameter("is not UTF-8 text")
    return text


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # bytes of the command line that no encoding explains
        return False
    return True


MAX_SECONDS: Final = 86_400.0
"""Of every option that is a time: a day."""
MAX_PROCESSES: Final = 1_024

Connect = Annotated[
    str,
    typer.Option(
        "--connect",
        "-c",
        metavar="HOST:PORT",
        envvar="DRAGONHALL_CONNECT",
        help="The server's address.",
        callback=check_address,
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        min=0,
        max=MAX_PROCESSES,
        help="How many worker processes think, at most; 0: the bot's own. As many as there are processor cores unless"
        " given, and 0 for bots that need little time.",
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=MAX_PROCESSES,
        help="How many of them think about each decision together, for bots that search: what they find is added up.",
    ),
]
Ponder = Annotated[
    bool,
    typer.Option(
        "--ponder",
        help="Think also while others are asked: for bots that search with a budget of time. It costs whoever shares"
        " the machine.",
    ),
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
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0.1,
        max=MAX_SECONDS,
        help="How long to wait for an answer, all attempts together.",
        callback=check_number,
    ),
]


def patience(seconds: float) -> Patience:
    """Of a client that gives up after ``seconds`` without the server."""
    return Patience(give_up_after=timedelta(seconds=seconds))


def find_game(name: str) -> Game:
    """The game of that name."""
    if name not in GAMES:
        raise typer.BadParameter(f"there is no game {name!r}; there are: {', '.join(GAMES)}", param_hint="GAME")
    return GAMES[name]


def parse_seats(text: str, game: Game, bots: Mapping[str, str] | None) -> tuple[str, ...]:
    """A line-up from ``greedy,mcts@2000,random``; each has to be a kind of bot that plays the game, or one of ``bots``.

    ``bots``: as from `parse_bots`; ``None``: any name will do.
    """
    seats = tuple(seat.strip() for seat in text.split(","))
    for seat in seats:
        if not seat or (bots is not None and seat not in bots and not _plays(seat, game)):
            raise typer.BadParameter(
                f"{seat!r} is no kind of bot that plays {game.name}; there are: {', '.join(kinds_of(game.name))};"
                f" {BUDGETS};"
                " --bot NAME=FILE.py:CLASS gives a policy of your own a name",
                param_hint="--seats",
            )
    if not game.min_seats <= len(seats) <= game.max_seats:
        raise typer.BadParameter(
            f"{game.name} is played with {game.min_seats} to {game.max_seats} seats, not {len(seats)}",
            param_hint="--seats",
        )
    return seats


def _plays(kind: str, game: Game) -> bool:
    if kind in kinds_of(game.name):
        return True
    try:
        return budget_of(kind) is not None and game.name in policies_of(kind)
    except InvalidBudget as error:
        raise typer.BadParameter(str(error), param_hint="--seats") from error


def parse_bots(texts: Sequence[str], game: Game) -> dict[str, str]:
    """Name -> how it plays, from ``["tortoise=tortoise.py:Tortoise"]``. May raise `UnknownKind` and `InvalidPolicy`."""
    bots: dict[str, str] = {}
    for text in texts:
        name, _, kind = text.partition("=")
        if not BOT_NAME.fullmatch(name) or not kind:
            raise typer.BadParameter(
                f"{text!r} is not NAME=KIND, where NAME is 1 to 64 of a-z, 0-9, '-', '_' and '.'", param_hint="--bot"
            )
        if name in bots:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--bot")
        if game.name not in policies_of(kind):
            raise typer.BadParameter(f"{kind} does not play {game.name}", param_hint="--bot")
        bots[name] = kind
    return bots


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
    try:
        options = game.make_options(parse_options(game.name, game.options, values))
        check_fit(game.options, options, seats)
        return options
    except InvalidOptions as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error


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
    """The set in ``path``, of the game that its tables belong to."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {error.start} is {error.object[error.start]:#04x}"
        raise typer.BadParameter(f"{path} is not UTF-8 text: {byte}", param_hint="--components") from error
    where = str(path)
    try:
        game = _game_of(read_toml(text))
        where = f"{path}: {game.name}"
        return ComponentFile(path, game, game.load_components(text))
    except InvalidComponents as error:
        raise typer.BadParameter(f"{where}: {error}", param_hint="--components") from error


def _game_of(data: Mapping[str, object]) -> Game:
    """The game whose component sets have the most of these keys. Raises `InvalidComponents` if none has any."""

    def shared(game: Game) -> int:
        return len((game.default_components().to_data().keys() - {"id", "version"}) & data.keys())

    best = max(GAMES.values(), key=shared)
    if shared(best) == 0:
        games = ", ".join(GAMES)
        raise InvalidComponents("tables", f"there is none of any game's component set; there are the games: {games}")
    return best
