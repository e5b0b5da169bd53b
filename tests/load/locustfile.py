"""Virtual players for locust: each joins a game, or creates one of any kind, and plays it to its end, again and again.

    locust --locustfile tests/load/locustfile.py --headless --processes 2 --users 50 --spawn-rate 25 --run-time 30s \
           --host 127.0.0.1:7350

What is measured, as requests of type "grpc": create game, take seat, observe (the first message), submit (one answer,
durable), and whole game (from sitting down to the last message). A failure is named by its reason. ``--games dragons``
plays only those named, with commas between.
"""

from __future__ import annotations

import itertools
import logging
import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gevent
import grpc
import grpc.experimental.gevent
from gevent.lock import BoundedSemaphore
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from locust import User, between, events, task
from locust.argument_parser import LocustArgumentParser
from locust.env import Environment
from locust.exception import RescheduleTask
from locust.runners import WorkerRunner

from dragonhall.v1 import (
    game_pb2,
    game_service_pb2,
    game_service_pb2_grpc,
    games_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
)

LARGEST = 4
"""The most seats of a game that is created, where its rules allow so few."""
EAGERNESS = 0.05
"""How often a player of Dragons claims a pile although it could draw: most games go through most of their cards."""
PATIENCE = 60.0
"""Seconds for any call, and between two messages of a game."""


FREE_SEATS: list[str] = []
"""Games with a free seat, once a seat: players of one process meet here instead of all creating games at once."""
ONE_AT_A_TIME = BoundedSemaphore()
"""Held by who looks for a seat, so that the others find the seats that it creates."""


@events.init.add_listener  # type: ignore[untyped-decorator]
def let_grpc_work_with_gevent(**_: Any) -> None:
    """Once a process, after locust has forked: gRPC's threads would not survive that.

    Every open stream and every call under way occupies a thread of gevent's pool, whose 10 would be used up at once.
    """
    gevent.get_hub().threadpool.maxsize = 1000
    grpc.experimental.gevent.init_gevent()


@events.init_command_line_parser.add_listener  # type: ignore[untyped-decorator]
def ask_for_games(parser: LocustArgumentParser) -> None:
    """Which games are played."""
    parser.add_argument("--games", default="", help="the games that are played, with commas between; all unless given")


@events.quitting.add_listener  # type: ignore[untyped-decorator]
def fail_without_games(environment: Environment, **_: Any) -> None:
    """No failures are no success if nobody has finished a game."""
    if isinstance(environment.runner, WorkerRunner):
        return  # it has handed its numbers over
    if environment.stats.get("whole game", "grpc").num_requests == 0:
        logging.error("no game was played to its end")
        environment.process_exit_code = 1


class Player(User):
    """One person, in one game at a time."""

    wait_time = between(0.0, 0.2)
    """Seconds between two games."""

    def on_start(self) -> None:
        """A connection of its own, as every frontend has."""
        self._name = f"player {uuid.uuid4().hex[:8]}"
        assert self.host, "locust needs --host HOST:PORT"
        self._channel = grpc.insecure_channel(self.host, options=[("grpc.use_local_subchannel_pool", 1)])
        self._games = game_service_pb2_grpc.GameServiceStub(self._channel)
        self._play = play_service_pb2_grpc.PlayServiceStub(self._channel)
        wanted = [name for name in self.environment.parsed_options.games.split(",") if name]
        played = self._games.ListRules(game_service_pb2.ListRulesRequest(), timeout=PATIENCE).rules
        self._rules = [rules for rules in played if not wanted or rules.game in wanted]
        assert self._rules, f"--games names none that is played here; there are: {', '.join(r.game for r in played)}"

    def on_stop(self) -> None:
        """Locust ends players in mid-game when time is up."""
        self._channel.close()

    @task
    def play_a_game(self) -> None:
        """Joins a game that waits for players, or creates one, and plays it to its end."""
        seat = self._find_seat()
        with self._measured("whole game"):
            answered = 0
            for observation in self._observe(seat):
                told = observation.snapshot if observation.HasField("snapshot") else observation.update
                if told.decision.decision_id > answered:  # it comes again while others think
                    answered = told.decision.decision_id
                    self._answer(seat, told.decision)
            status = self._games.GetGame(game_service_pb2.GetGameRequest(game_id=seat.game.game_id)).game.status
            if status != game_pb2.GAME_STATUS_FINISHED:
                raise Fault(f"the stream ended, but the game is {game_pb2.GameStatus.Name(status)}")

    # -- steps of a game ----------------------------------------------------------------------------------------------

    def _find_seat(self) -> game_service_pb2.TakeSeatResponse:
        with ONE_AT_A_TIME:
            game_id = FREE_SEATS.pop() if FREE_SEATS else self._create_game()
        request = game_service_pb2.TakeSeatRequest(
            request_id=uuid.uuid4().hex, game_id=game_id, player_name=self._name, nonce=uuid.uuid4().bytes
        )
        with self._measured("take seat"):
            return self._games.TakeSeat(request, timeout=PATIENCE)

    def _create_game(self) -> str:
        """A new game; the seats besides the creator's own are for whoever looks for one next."""
        rules = random.choice(self._rules)
        seats = random.randint(rules.min_seats, max(rules.min_seats, LARGEST))
        request = game_service_pb2.CreateGameRequest(
            request_id=uuid.uuid4().hex,
            options=options_of(rules),
            seats=[game_service_pb2.SeatSpec(kind=game_pb2.SEAT_KIND_OPEN)] * seats,
        )
        with self._measured("create game"):
            game_id = self._games.CreateGame(request, timeout=PATIENCE).game.game_id
        FREE_SEATS.extend([game_id] * (seats - 1))
        return game_id

    def _observe(self, seat: game_service_pb2.TakeSeatResponse) -> Iterator[play_service_pb2.ObserveResponse]:
        request = play_service_pb2.ObserveRequest(game_id=seat.game.game_id, seat_token=seat.seat_token)
        stream = self._play.Observe(request)
        with self._measured("observe"):
            first = next(stream)
        return itertools.chain([first], stream)

    def _answer(self, seat: game_service_pb2.TakeSeatResponse, decision: play_service_pb2.Decision) -> None:
        legal = decision.legal_actions
        may_draw = legal[0].action.dragons.HasField("draw")
        choice = legal[0] if may_draw and random.random() > EAGERNESS else random.choice(legal)
        amounts = choice.amounts.max - choice.amounts.min if choice.HasField("amounts") else 0
        request = play_service_pb2.SubmitRequest(
            game_id=seat.game.game_id,
            seat_token=seat.seat_token,
            decision_id=decision.decision_id,
            action_index=choice.index + random.randint(0, amounts),
        )
        with self._measured("submit"):
            self._play.Submit(request, timeout=PATIENCE)

    # -- telling locust -----------------------------------------------------------------------------------------------

    @contextmanager
    def _measured(self, name: str) -> Iterator[None]:
        """Tells locust how long a step took, and whether and why it failed; then the player begins a new game."""
        began = time.perf_counter()
        try:
            yield
        except (grpc.RpcError, Fault) as error:
            self._report(name, began, error if isinstance(error, Fault) else Fault(reason_of(error)))
            raise RescheduleTask from error
        self._report(name, began, None)

    def _report(self, name: str, began: float, fault: Fault | None) -> None:
        self.environment.events.request.fire(
            request_type="grpc",
            name=name,
            response_time=(time.perf_counter() - began) * 1000,
            response_length=0,
            exception=fault,
            context={},
        )


class Fault(Exception):
    """Something that should not have happened."""


def options_of(rules: game_service_pb2.Rules) -> games_pb2.GameOptions:
    """Options of a new game: every switch at random."""
    options = games_pb2.GameOptions()
    chosen = getattr(options, rules.game)
    chosen.SetInParent()
    for option in rules.options:
        if option.WhichOneof("type") == "switch_default":
            setattr(chosen, option.name, random.random() < 0.5)
    return options


def reason_of(error: grpc.RpcError) -> str:
    """Dragonhall's reason for a refusal; the status and its text if it was something else that failed."""
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return f"{error.code().name}: {error.details()}"
