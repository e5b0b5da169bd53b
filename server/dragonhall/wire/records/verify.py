"""Checking a record: chance is derived again, the game is replayed, and everything written is compared."""

from __future__ import annotations

import hashlib
from itertools import product

from dragonhall.rules.game import Game
from dragonhall.v1 import record_pb2
from dragonhall.wire.records.digest import compare_with_digest
from dragonhall.wire.records.facts import check_facts, check_revisions, check_sizes, check_times
from dragonhall.wire.records.findings import Finding, Report
from dragonhall.wire.records.incidents import check_incidents
from dragonhall.wire.records.ledger import check_ledger
from dragonhall.wire.records.play import Playthrough
from dragonhall.wire.records.replay import game_of


def verify_record(record: record_pb2.GameRecord) -> Report:
    """Checks everything in a record except what no one can check: its game id and when things happened.

    (Of the times, that they are there and in order, that the game's start and end are those of its first and last step,
    and that the clocks' ledgers add up to them.) Raises `UnsupportedRecord` for a format, a game or a rules version
    that is not known here: that is no judgement of the record.
    """
    game = game_of(record)
    oversized = tuple(check_sizes(record, game))
    if oversized:
        return Report(oversized, 0, 0)
    guarded = compare_with_digest(record)
    record = guarded.record
    broken = list(check_facts(record, game))
    if not record.steps:
        broken.append(Finding("decision", "steps", "there are none", blocks=True))
    if any(finding.blocks for finding in broken):
        return Report((*broken, *guarded.findings), 0, 0)
    play = _best_explanation(record, game)
    seed = _judge_seed(record, play)
    around = (*check_times(record), *check_revisions(record), *check_incidents(record), *check_ledger(record))
    findings = (*guarded.findings, *broken, *seed, *around)
    return Report((*findings, *play.findings(with_chance=not seed)), play.decisions, play.chance.compared)


def _best_explanation(record: record_pb2.GameRecord, game: Game) -> Playthrough:
    """The reading of the record that leaves least to explain."""
    best: Playthrough | None = None
    for trust_events, trust_chance in product((True, False), (False, True)):
        play = Playthrough(record, game, trust_chance=trust_chance, trust_events=trust_events)
        play.run()
        if best is None or len(play.findings()) < len(best.findings()):
            best = play
        if len(best.findings()) < 2:
            break
    assert best is not None
    return best


def _judge_seed(record: record_pb2.GameRecord, play: Playthrough) -> tuple[Finding, ...]:
    """Whether the seed is the promised one. If it is not, what chance fits tells which of the two was changed."""
    if hashlib.sha256(record.seed).digest() == record.seed_commitment:
        return ()
    if not play.chance.findings:
        text = "is not the SHA-256 of the seed; chance does follow from the seed, so the commitment was changed"
        return (Finding("seed", "seed commitment", text),)
    text = (
        "its SHA-256 is not the commitment, and chance does not follow from it: this is not the seed that was promised"
    )
    return (Finding("seed", "seed", text),)
