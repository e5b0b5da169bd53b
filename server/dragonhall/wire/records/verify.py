"""Checking a record: chance is derived again, the game is replayed, and everything written is compared."""

from __future__ import annotations

from dragonhall.rules.game import Game
from dragonhall.v1 import record_pb2
from dragonhall.wire.records.facts import check_digest, check_facts, check_revisions, check_times
from dragonhall.wire.records.findings import Finding, Report
from dragonhall.wire.records.play import Playthrough
from dragonhall.wire.records.replay import game_of


def verify_record(record: record_pb2.GameRecord) -> Report:
    """Checks everything in a record except what no one can check: its game id and when things happened.

    (The game's start and end do have to be the times of its first and last step.) Raises `UnsupportedRecord` for a
    format, a game or a rules version that is not known here: that is no judgement of the record.
    """
    game = game_of(record)
    broken = list(check_facts(record, game))
    if not record.steps:
        broken.append(Finding("decision", "steps", "there are none"))
    if any(finding.blocks for finding in broken):
        return Report((*broken, *check_digest(record)), 0, 0)
    play = _better_explanation(record, game)
    findings = (*broken, *check_times(record), *check_revisions(record), *play.all_findings(), *check_digest(record))
    return Report(findings, play.decisions, play.chance.compared)


def _better_explanation(record: record_pb2.GameRecord, game: Game) -> Playthrough:
    """Where chance differs, either what is written of it was changed, or the seed was and the rest fits what is
    written: the reading that leaves less to explain is taken."""
    by_seed = Playthrough(record, game, trust_written=False)
    by_seed.run()
    if not by_seed.chance.findings:
        return by_seed
    by_record = Playthrough(record, game, trust_written=True)
    by_record.run()
    return min(by_seed, by_record, key=lambda play: len(play.all_findings()))
