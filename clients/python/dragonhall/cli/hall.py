"""A whole hall for one command: a server and one process for each bot."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragonhall.cli.access import LOCAL, Access
from dragonhall.cli.children import Children

SERVER_READY = "dragonhall: serving on "
BOT_READY = "dragonhall-bot: "


@dataclass(frozen=True)
class HallPlan:
    """What to start, and where to keep it."""

    folder: Path
    """Of the store and the logs; exists."""
    bots: Mapping[str, str]
    """Name -> how it plays, as the command ``bot`` takes it."""
    bot_seed: str | None = None
    components: Sequence[Path] = ()
    port: int = 0
    """0: any free one."""
    host: str = field(default="127.0.0.1")
    end_on_fault: bool = False
    """As of `start_bots`."""


@dataclass(frozen=True)
class Hall:
    """A running one."""

    target: str
    """HOST:PORT."""
    children: Children


@contextlib.asynccontextmanager
async def open_hall(plan: HallPlan) -> AsyncIterator[Hall]:
    """Starts server and bots, and ends them all at the end. Raises `ChildFailed`."""
    async with Children() as children:
        server = await children.start("the server", _serve_arguments(plan), plan.folder / "server.log")
        target = await server.ready(SERVER_READY)
        await start_bots(children, plan.bots, target, plan.folder, plan.bot_seed, plan.end_on_fault)
        yield Hall(target, children)


async def start_bots(
    children: Children,
    bots: Mapping[str, str],
    target: str,
    folder: Path,
    bot_seed: str | None,
    end_on_fault: bool,
    access: Access = LOCAL,
) -> None:
    """One process for each bot (name -> how it plays), ready to take seats at ``target``.

    With ``end_on_fault`` one whose policy fails ends, and the end of its log says why: what waits for all games to
    finish would wait for ever. Without it the bot plays on in its other games.
    """
    seed = ["--seed", bot_seed] if bot_seed is not None else []
    fault = ["--end-on-fault"] if end_on_fault else []
    started = []
    for name, kind in sorted(bots.items()):
        command = [*access.arguments(), "bot", kind, "--name", name, "--connect", target]
        arguments = [*command, *seed, *fault, "--exit-with-parent"]
        started.append(await children.start(f"the bot {name}", arguments, folder / f"bot-{name}.log"))
    for bot in started:
        await bot.ready(BOT_READY)


def _serve_arguments(plan: HallPlan) -> list[str]:
    components = [part for path in plan.components for part in ("--components", str(path.absolute()))]
    return [
        *("serve", "--listen", f"{plan.host}:{plan.port}", "--store", str(plan.folder / "hall.db")),
        *components,
        "--exit-with-parent",
    ]
