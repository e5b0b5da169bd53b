"""Records of finished games: made from the log, read from files, replayed, and checked.

A record holds everything (see ``record.proto``), so three readers need three different things of it:

* `build_record` makes one from what the log knows (`RecordInputs`);
* `replay` plays one through from its written chance outcomes alone, as a reader in another language would;
* `verify_record` trusts nothing: it derives chance from seed and nonces, replays the decisions, and compares every
  event, audience and score. Its `Report` says which card, decision or score is not as it should be.

`read_record` and `to_json` / `to_binary` are the file formats.
"""

from __future__ import annotations

from dragonhall.wire.records.build import FORMAT_VERSION, Answer, RecordInputs, build_record, facts_digest
from dragonhall.wire.records.errors import BadRecord, RecordError, UnreadableRecord, UnsupportedRecord
from dragonhall.wire.records.files import MAX_RECORD_BYTES, check_message, read_record, to_binary, to_data, to_json
from dragonhall.wire.records.findings import Finding, Report
from dragonhall.wire.records.replay import Replay, replay
from dragonhall.wire.records.verify import verify_record
from dragonhall.wire.records.wording import describe, describe_game

__all__ = [
    "FORMAT_VERSION",
    "MAX_RECORD_BYTES",
    "Answer",
    "BadRecord",
    "Finding",
    "RecordError",
    "RecordInputs",
    "Replay",
    "Report",
    "UnreadableRecord",
    "UnsupportedRecord",
    "build_record",
    "check_message",
    "describe",
    "describe_game",
    "facts_digest",
    "read_record",
    "replay",
    "to_binary",
    "to_data",
    "to_json",
    "verify_record",
]
