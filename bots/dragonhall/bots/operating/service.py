"""OperatorService: what a bot tells whoever runs it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any, Final

import grpc
from google.protobuf.duration_pb2 import Duration

from dragonhall.bots import phrases
from dragonhall.bots.mcts.searching import Findings
from dragonhall.bots.mcts.thoughts import Line
from dragonhall.bots.operating.addresses import CannotListen, private_address
from dragonhall.bots.operating.ledger import Ledger, SeatPage
from dragonhall.bots.operating.showing import About
from dragonhall.bots.operating.watcher import Made
from dragonhall.bots.phrases import Scene
from dragonhall.operator.v1 import operator_service_pb2 as messages
from dragonhall.operator.v1 import operator_service_pb2_grpc as services
from dragonhall.rules.actions import ActionList, index_of
from dragonhall.wire import CODECS

_USUAL_LINES: Final = 5
_GRACE: Final = 0.5
"""Seconds that calls under way are given when the bot stops."""


class OperatorService(services.OperatorServiceServicer):
    """Reads what the ledger holds."""

    def __init__(self, about: About, ledger: Ledger) -> None:
        self._about = about
        self._ledger = ledger

    async def GetBot(self, request: messages.GetBotRequest, context: Any) -> messages.GetBotResponse:
        about, totals = self._about, self._ledger.totals
        return messages.GetBotResponse(
            name=about.name,
            kind=about.kind,
            processes=about.processes,
            workers=about.workers,
            seats=totals.seats,
            decisions=totals.decisions,
            simulations=totals.simulations,
            late_answers=totals.late_answers,
            faults=totals.faults,
            worker_deaths=totals.worker_deaths,
            pondered=totals.pondered,
        )

    async def ListThoughts(self, request: messages.ListThoughtsRequest, context: Any) -> messages.ListThoughtsResponse:
        seat = request.seat if request.HasField("seat") else None
        pages = list(self._ledger.pages(request.game_id, seat))
        if not pages and (request.game_id or seat is not None):
            await context.abort(grpc.StatusCode.NOT_FOUND, "the bot has not played such a seat, or long ago")
        most = request.max_lines or _USUAL_LINES
        return messages.ListThoughtsResponse(seats=[_seat(page, most) for page in pages])


@asynccontextmanager
async def operator_served(address: str, about: About, ledger: Ledger) -> AsyncIterator[str]:
    """The service at ``address`` meanwhile: at ``HOST:PORT`` or ``PORT`` of the loopback device, or ``unix:PATH``,
    which its owner alone may use. With the address at which it is. Raises `CannotListen`."""
    target = private_address(address)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    services.add_OperatorServiceServicer_to_server(OperatorService(about, ledger), server)
    try:
        with _for_its_owner():
            port = server.add_insecure_port(target)
    except RuntimeError as error:
        raise CannotListen(f"the operator's service cannot be at {address}: it is in use, or there is none") from error
    await server.start()
    try:
        yield target if target.startswith("unix:") else f"{target.rpartition(':')[0]}:{port}"
    finally:
        await server.stop(_GRACE)


@contextmanager
def _for_its_owner() -> Iterator[None]:
    """Files made meanwhile are nobody else's."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _seat(page: SeatPage, most: int) -> messages.SeatThoughts:
    newest = None if page.newest is None else _thoughts(page.newest, page, most)
    return messages.SeatThoughts(
        game_id=page.place[0],
        seat=page.place[1],
        seats=page.chair.seats,
        playing=page.playing,
        thinking_about=page.thinking_about,
        newest=newest,
    )


def _thoughts(made: Made, page: SeatPage, most: int) -> messages.Thoughts:
    choice, findings, codec = made.choice, made.choice.findings, CODECS[page.game]
    scene = Scene(page.game, page.chair.components, made.view, made.decision)
    told = messages.Thoughts(
        decision_id=made.decision_id,
        decision=codec.decision_to_proto(made.decision),
        legal_actions=len(made.actions),
        action_index=choice.position,
        action=codec.action_to_proto(made.actions[choice.position]),
        thought=_duration(choice.seconds),
        waited=_duration(made.waited),
        pondered=choice.pondered,
        question=phrases.question(scene),
        answer=phrases.answer(scene, made.actions[choice.position]),
    )
    if findings is not None:
        told.simulations = findings.thoughts.simulations
        told.visits = sum(line.visits for line in findings.thoughts.lines)
        told.lines_in_all = len(findings.thoughts.lines)
        told.lines.extend(_line(line, findings, made.actions, scene) for line in findings.thoughts.lines[:most])
    return told


def _line(line: Line, findings: Findings, actions: ActionList, scene: Scene) -> messages.Line:
    position = index_of(findings.runs, line.code)
    action = actions[position]
    told = messages.Line(
        action_index=position,
        action=CODECS[scene.game].action_to_proto(action),
        prior=line.prior,
        visits=line.visits,
        answer=phrases.answer(scene, action),
    )
    if line.visits:
        told.utility, told.expected_rank = line.utility, line.expected_rank
    if line.visits > 1:
        told.rank_error = line.rank_error
    return told


def _duration(seconds: float) -> Duration:
    made = Duration()
    made.FromTimedelta(timedelta(seconds=seconds))
    return made
