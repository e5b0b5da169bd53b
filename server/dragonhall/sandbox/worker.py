"""One worker: a process that computes slices, one after another, from its standard input to its standard output.

It is started by `dragonhall.sandbox.pool`, and ends when its input does. It imports rules, messages, and whatever makes
the policies; it holds no game, no file and no socket.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
import traceback
from collections import OrderedDict
from contextlib import suppress
from typing import BinaryIO, Final

from dragonhall.rules import GAMES
from dragonhall.sandbox.answers import Policies, explored, rolled_out
from dragonhall.sandbox.errors import Refused, too_much
from dragonhall.sandbox.frames import LENGTH, Beginning, Kind, Reply, Work
from dragonhall.sandbox.worlds import Worlds
from dragonhall.v1 import sandbox_service_pb2 as messages

NICENESS: Final = 10
"""How far the worker stands back behind the games."""
READY: Final = Reply(Kind.ANSWER, 0.0, b"").packed()
REMEMBERED: Final = 8
"""Knowledge of which beliefs are kept, so that the slices of some calls can take turns."""


class Worker:
    """Answers slices. What it remembers makes it faster, and changes no answer."""

    def __init__(self, beginning: Beginning) -> None:
        self._sets = {name: {"": game.default_components()} for name, game in GAMES.items()}
        for name, by_id in beginning.component_sets.items():
            self._sets[name].update(by_id)
        self._pickled = beginning.policies
        self._policies: Policies | None = None
        self._worlds: OrderedDict[bytes, Worlds] = OrderedDict()

    def reply(self, work: Work) -> Reply:
        """The answer to a slice, or why there is none."""
        began = time.process_time()
        try:
            body, kind = self._answer(work), Kind.ANSWER
        except Refused as refused:
            return Reply.refusal(refused, time.process_time() - began)
        except MemoryError:
            self._worlds.clear()
            return Reply.refusal(too_much("this takes more memory than one call may"), time.process_time() - began)
        except Exception:
            body, kind = traceback.format_exc().encode(), Kind.FAULT
        return Reply(kind, time.process_time() - began, body)

    def _answer(self, work: Work) -> bytes:
        worlds, part = self._known(work.knowledge), work.slice
        if part.method == "Explore":
            return explored(worlds, messages.ExploreRequest.FromString(part.request), part.numbers)
        request = messages.RollOutRequest.FromString(part.request)
        return rolled_out(worlds, request, part.numbers, part.first_playout, self._all_policies())

    def _known(self, knowledge: bytes) -> Worlds:
        worlds = self._worlds.get(knowledge)
        if worlds is None:
            worlds = self._worlds[knowledge] = Worlds(messages.Knowledge.FromString(knowledge), self._sets)
            if len(self._worlds) > REMEMBERED:
                self._worlds.popitem(last=False)
        self._worlds.move_to_end(knowledge)
        return worlds

    def _all_policies(self) -> Policies:
        if self._policies is None:
            self._policies = pickle.loads(self._pickled)
        return self._policies


def main() -> None:
    """Works until the standard input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints is no answer
    beginning: Beginning = pickle.loads(_read(source) or b"")
    _stand_back(beginning.memory)
    worker = Worker(beginning)
    with suppress(BrokenPipeError):
        sink.write(READY)
        sink.flush()
        while data := _read(source):
            sink.write(worker.reply(pickle.loads(data)).packed())
            sink.flush()


def _read(source: BinaryIO) -> bytes | None:
    """The next frame; ``None``: there is none."""
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _stand_back(memory: int) -> None:
    """Leaves time and memory to others, as far as the system knows how."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
