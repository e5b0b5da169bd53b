"""Bots: clients like any other, which hold seat tokens and see what their seats may see."""

from __future__ import annotations

from dragonhall.bots.choices import BadChoice
from dragonhall.bots.identity import Identity, InvalidIdentity
from dragonhall.bots.kinds import BOT_KINDS, UnknownKind, all_kinds, check_kind, policies_of
from dragonhall.bots.own import InvalidPolicy, is_place, load_policy
from dragonhall.bots.policy import Chair, ClockedPolicy, Policy, PolicyFactory
from dragonhall.bots.random_policy import RandomPolicy
from dragonhall.bots.runner import run_bot
from dragonhall.bots.sdk import Bot
from dragonhall.bots.session import SeatGivenUp
from dragonhall.bots.thinking.choosing import CannotThink
from dragonhall.bots.thinking.process import PolicyFailed
from dragonhall.bots.thinking.recipes import NotPortable

__all__ = [
    "BOT_KINDS",
    "BadChoice",
    "Bot",
    "CannotThink",
    "Chair",
    "ClockedPolicy",
    "Identity",
    "InvalidIdentity",
    "InvalidPolicy",
    "NotPortable",
    "Policy",
    "PolicyFactory",
    "PolicyFailed",
    "RandomPolicy",
    "SeatGivenUp",
    "UnknownKind",
    "all_kinds",
    "check_kind",
    "is_place",
    "load_policy",
    "policies_of",
    "run_bot",
]
