"""The sandbox: the rules, to think with, for bots in any language.

From the wire inwards: `slices` (a request in parts) → `pool` (who computes them, one after another) → `worker` (one
process) → `answers` (what a part is answered with) → `worlds` and `playing` (the thinking itself).

It imports rules and messages, and nothing of the server: it could not reach a game if it wanted to. The server's
``services/sandbox_service.py`` puts gRPC around it.
"""

from __future__ import annotations

from dragonhall.sandbox.errors import Refused, WorkerFault
from dragonhall.sandbox.playing import GAMES_OWN, PolicyMaker
from dragonhall.sandbox.pool import Pool
from dragonhall.sandbox.settings import SandboxLimits, SandboxSettings

__all__ = ["GAMES_OWN", "PolicyMaker", "Pool", "Refused", "SandboxLimits", "SandboxSettings", "WorkerFault"]
