"""Which quick matches are alike, so that their players may sit down together."""

from __future__ import annotations

import hashlib

from dragonhall.server.encoding import settings_to_proto
from dragonhall.server.log import Created
from dragonhall.storage.v1 import log_pb2
from dragonhall.wire import CODECS, component_digest


def match_key(created: Created) -> bytes:
    """32 bytes, the same for all quick matches in which the same is played in the same way; empty for other games.

    What counts: game and options, component set, rules version, number of seats, settings.
    """
    if not created.quick_match:
        return b""
    alike = log_pb2.GameCreated(
        options=CODECS[created.game].options_to_proto(created.options),
        rules_version=created.rules_version,
        settings=settings_to_proto(created.settings),
    ).SerializeToString(deterministic=True)
    return hashlib.sha256(component_digest(created.components) + b"%d/" % len(created.seats) + alike).digest()
