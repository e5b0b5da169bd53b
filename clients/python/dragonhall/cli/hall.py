"""A whole hall for one command: a server and one process for each bot."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragonhall.bots.kinds import needs_long
from dragonhall.bots.mcts.levels import is_timed
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
    """A bot whose policy fails ends, and the end of its log says why: what waits for all games to finish would wait
    for ever. Else the bot plays on in its other games."""
    thinking: Sequence[str] = ()
    """Further arguments for bots that need long to think."""
    ponder: bool = False
    """Those bots that search with a budget of time think also while others are asked."""


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
        await start_bots(children, plan, target)
        yield Hall(target, children)


async def start_bots(children: Children, plan: HallPlan, target: str, access: Access = LOCAL) -> None:
    """One process for each bot of the plan, ready to take seats at ``target``."""
    seed = ["--seed", plan.bot_seed] if plan.bot_seed is not None else []
    fault = ["--end-on-fault"] if plan.end_on_fault else []
    started = []
    for name, kind in sorted(plan.bots.items()):
        command = [*access.arguments(), "bot", kind, "--name", name, "--connect", target]
        thinking = list(plan.thinking) if needs_long(kind) else []
        thinking += ["--ponder"] if plan.ponder and is_timed(kind) else []
        arguments = [*command, *seed, *fault, *thinking, "--exit-with-parent"]
        started.append(await children.start(f"the bot {name}", arguments, plan.folder / f"bot-{name}.log"))
    for bot in started:
        await bot.ready(BOT_READY)


def _serve_arguments(plan: HallPlan) -> list[str]:
    components = [part for path in plan.components for part in ("--components", str(path.absolute()))]
    return [
        *("serve", "--listen", f"{plan.host}:{plan.port}", "--store", str(plan.folder / "hall.db")),
        *components,
        "--exit-with-parent",
    ]
