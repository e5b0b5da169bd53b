"""A bot of one's own in Python: a class with one method, and one line to serve it.

>>> class First(Bot):
...     def choose(self, view, decision):
...         return self.actions[0]

``First.serve("127.0.0.1:7350", name="first")`` plays every seat that games there reserve for "first".
"""

from __future__ import annotations

import asyncio
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from librt.random import Random as NativeRandom

from dragonhall.bots.choices import position_of
from dragonhall.bots.policy import Chair
from dragonhall.client import DEFAULT_TARGET
from dragonhall.rules import GAMES
from dragonhall.rules.actions import ActionList
from dragonhall.rules.chance import Chance, RandomChance
from dragonhall.rules.game import Game, Knowledge

TARGET_VARIABLE: Final = "DRAGONHALL_TARGET"
NAME_VARIABLE: Final = "DRAGONHALL_NAME"
"""With these ``dragonhall certify`` tells the program that it starts where to play and under which name."""
_SEED_BITS: Final = 62
"""As many as a native generator takes."""


class Bot(ABC):
    """Plays one seat of one game. One is made for each seat, and again when a bot comes back to a game.

    What it remembers beyond the attributes here is lost then; the same view, events and random numbers have to give the
    same choice.
    """

    games: ClassVar[Sequence[str]] = ()
    """What it plays, as ``("dragons",)``; empty: every game. Seats in other games it leaves to others."""
    thinks_long: ClassVar[bool] = False
    """Say True if a choice takes more than some milliseconds: other seats of the same process would wait for it."""

    def __init__(self, chair: Chair, rng: Random) -> None:
        """Sits down. One that needs more than this calls it first: ``super().__init__(chair, rng)``."""
        self.chair: Final = chair
        """The game's options and components, the number of seats, and the own seat."""
        self.rng: Final = rng
        """All luck is to come from it: it is seeded anew for each decision."""
        self.view: Any = None
        """As given to `choose`."""
        self.seen: Sequence[Any] = ()
        """Every event that this seat was told since the start, in order."""
        self.actions: ActionList = ActionList(())
        """All that is legal now, at least one, in canonical order. `ActionList` says how to look at thousands."""
        self.time_left: float | None = None
        """Seconds until the answer is due, less what it takes to get there; None: no limit."""
        self._belief: Any = None
        """What it knows, taken in; None until it is wanted."""

    @abstractmethod
    def choose(self, view: Any, decision: Any) -> Any:
        """The answer to ``decision``: one of ``self.actions``, or its position there.

        ``view`` is the table now, as this seat may see it. Both are the game's own dataclasses, as those of
        `dragonhall.rules.dragons.view` and `dragonhall.rules.dragons.moves`.
        """

    @property
    def rules(self) -> Game:
        """Those of the game that it plays (one of `dragonhall.rules.GAMES`)."""
        return rules_of(self.chair)

    def knowledge(self) -> Knowledge:
        """All that this seat knows at the moment."""
        return Knowledge(self.chair.components, self.chair.options, self.chair.seat, self.view, self.seen)

    def sample(self) -> Any:
        """A *world*: a full state that fits all that this seat knows at the moment, drawn with `rng`.

        It is a `dragonhall.rules.game.State`, the bot's own to play on in. Raises `InconsistentKnowledge`.
        """
        if self._belief is None:
            self._belief = self.rules.belief(self.knowledge())
        return self._belief.sample(self.native_rng())

    def native_rng(self) -> NativeRandom:
        """A new generator of the kind that rules take, as for a world's `play_out`; its seed is drawn from `rng`."""
        return NativeRandom(self.rng.getrandbits(_SEED_BITS))

    def chance(self) -> Chance:
        """Chance for a world's `apply`, drawn from `rng`. It has nothing to do with the game's own."""
        return RandomChance(self.native_rng())

    @classmethod
    def serve(
        cls,
        target: str | None = None,
        *,
        name: str | None = None,
        seed: str | None = None,
        identity: Path | None = None,
    ) -> None:
        """Plays every seat that games at ``target`` reserve for ``name``, until Ctrl-C or SIGTERM.

        ``target``: HOST:PORT; unless given, the environment's DRAGONHALL_TARGET, or else `DEFAULT_TARGET`. ``name``:
        what seats are reserved for; unless given, DRAGONHALL_NAME, or else the class's name in lower case. ``seed`` and
        ``identity`` are those of `dragonhall.bots.run_bot`, which can be awaited in a program that does other things,
        too. Raises what that raises.
        """
        from dragonhall.bots.runner import run_bot  # which knows this module

        target = target or os.environ.get(TARGET_VARIABLE) or DEFAULT_TARGET
        name = name or os.environ.get(NAME_VARIABLE) or cls.__name__.lower()
        logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
        asyncio.run(run_bot(name, cls, target, seed=seed, identity=identity))


@dataclass(frozen=True)
class BotFactory:
    """Makes the policies of a class of bots: a `dragonhall.bots.PolicyFactory` that can be sent to another process."""

    bot_class: type[Bot]

    @property
    def games(self) -> Sequence[str]:
        """As `Bot.games`."""
        return self.bot_class.games

    @property
    def thinks_long(self) -> bool:
        """As `Bot.thinks_long`."""
        return self.bot_class.thinks_long

    def __call__(self, chair: Chair, rng: Random) -> BotPolicy:
        bot = self.bot_class(chair, rng)
        if not hasattr(bot, "actions"):
            raise TypeError(f"{self.bot_class.__qualname__}.__init__ has to call super().__init__(chair, rng)")
        return BotPolicy(bot)


class BotPolicy:
    """A `Bot` as a policy: shows it what is asked, and makes a position of its choice."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList) -> int:
        """Without a clock. Raises `BadChoice`, and what the bot raises."""
        return self.choose_within(view, seen, decision, actions, None)

    def choose_within(
        self, view: Any, seen: Sequence[Any], decision: Any, actions: ActionList, time_left: float | None
    ) -> int:
        """``time_left``: seconds. Raises `BadChoice`, and what the bot raises."""
        bot = self._bot
        bot.view, bot.seen, bot.actions, bot.time_left, bot._belief = view, seen, actions, time_left, None
        return position_of(bot.choose(view, decision), actions)


@cache
def _rules_by_options() -> dict[type, Game]:
    return {type(game.make_options({})): game for game in GAMES.values()}


def rules_of(chair: Chair) -> Game:
    """The rules of the game that somebody sits at."""
    return _rules_by_options()[type(chair.options)]


def is_bot_class(what: object) -> bool:
    """Whether ``what`` is a class of bots."""
    return isinstance(what, type) and issubclass(what, Bot)
