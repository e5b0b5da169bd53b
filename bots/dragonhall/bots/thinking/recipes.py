"""How a policy gets into a worker process: by the name of its kind, or by where its class is written."""

from __future__ import annotations

import pickle
import sys
from functools import lru_cache
from pathlib import Path

from dragonhall.bots.kinds import innermost, policies_of
from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.sdk import Bot, BotFactory

Kind = str | PolicyFactory | type[Bot]
"""How a bot plays, as `dragonhall.bots.run_bot` takes it."""


class NotPortable(Exception):
    """A policy that no other process can make. The message says why."""


def searches(factory: PolicyFactory) -> bool:
    """Whether its policies search (`SearchingPolicy`), so that several can share a decision."""
    return callable(getattr(innermost(factory), "search", None))


def ponders(factory: PolicyFactory) -> bool:
    """Whether its policies can think while others are asked (`PonderingPolicy`)."""
    return callable(getattr(innermost(factory), "ponder", None))


def packed(kind: Kind, game: str) -> bytes:
    """What makes the policies of ``kind`` for a game, for `unpacked` in another process. Raises `NotPortable`."""
    portable = kind if isinstance(kind, str) else _written_in_main(kind) or kind
    try:
        return pickle.dumps((portable, game))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise NotPortable(
            f"{kind!r} thinks long, and a worker process cannot make it: write it at the top level of a module"
            f" that can be imported ({error})"
        ) from error


@lru_cache
def unpacked(data: bytes) -> PolicyFactory:
    """What `packed` packed. Raises whatever importing the policy's module raises."""
    kind, game = pickle.loads(data)
    return policies_of(kind)[game]


def _written_in_main(kind: PolicyFactory | type[Bot]) -> str | None:
    """Where a class of the program that was started is written: in a worker another program is ``__main__``."""
    made = kind.bot_class if isinstance(kind, BotFactory) else kind
    file = getattr(sys.modules["__main__"], "__file__", None)
    if getattr(made, "__module__", "") != "__main__" or file is None:
        return None
    return f"{Path(file).absolute()}:{getattr(made, '__qualname__', '')}"
