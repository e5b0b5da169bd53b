"""What a bot does, as numbers for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from dragonhall.bots.operating.addresses import CannotListen, host_and_port
from dragonhall.bots.operating.watcher import Arrival, Ending, Made, Watcher
from dragonhall.bots.policy import Chair
from dragonhall.bots.thinking.messages import Place

_SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Metrics(Watcher):
    """Listens, and counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._games: dict[Place, str] = {}

        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"dragonhall_bot_{name}", what, labels, registry=registry)

        def seconds(name: str, what: str, *labels: str) -> Histogram:
            return Histogram(f"dragonhall_bot_{name}_seconds", what, labels, registry=registry, buckets=_SECONDS)

        self._seats = Gauge("dragonhall_bot_seats", "Seats that are played now", ["game"], registry=registry)
        self._ended = counter("seats_ended", "Seats that are not played any more, by how it ended", "game", "ending")
        self._decisions = counter("decisions", "Decisions made", "game")
        self._dropped = counter("decisions_dropped", "Decisions that came to be of no use while thinking", "game")
        self._simulations = counter("simulations", "Simulations made for all decisions", "game")
        self._pondered = counter("pondered_simulations", "Simulations made while others were asked", "game")
        self._answers = counter("answers", "Answers sent, by what became of them", "game", "arrival")
        self._deaths = counter("worker_deaths", "Worker processes that ended unasked")
        self._thinking = seconds("thinking", "Time that policies thought, a decision", "game")
        self._waiting = seconds("waiting", "Time from question to choice without thinking: the queue", "game")
        self._holding = seconds("holding", "Time that choices were held back, so that all take as long", "game")
        self._answering = seconds("answering", "Time from an answer to its result from the server")

    def sat_down(self, place: Place, game: str, chair: Chair) -> None:
        self._games[place] = game
        self._seats.labels(game).inc()

    def dropped(self, place: Place, decision_id: int) -> None:
        self._dropped.labels(self._games[place]).inc()

    def decided(self, place: Place, made: Made) -> None:
        game, findings = self._games[place], made.choice.findings
        self._decisions.labels(game).inc()
        self._thinking.labels(game).observe(made.choice.seconds)
        self._waiting.labels(game).observe(made.waited)
        self._holding.labels(game).observe(made.choice.held)
        self._pondered.labels(game).inc(made.choice.pondered)
        if findings is not None:
            self._simulations.labels(game).inc(findings.thoughts.simulations)

    def answered(self, place: Place, arrival: Arrival, seconds: float) -> None:
        self._answers.labels(self._games[place], arrival.value).inc()
        self._answering.observe(seconds)

    def rose(self, place: Place, ending: Ending) -> None:
        game = self._games.pop(place)
        self._seats.labels(game).dec()
        self._ended.labels(game, ending.value).inc()

    def worker_died(self) -> None:
        self._deaths.inc()


@contextmanager
def metrics_served(address: str) -> Iterator[tuple[Metrics, str]]:
    """Metrics at ``http://HOST:PORT/metrics`` meanwhile, served by a thread of their own; with its HOST:PORT.

    ``address``: ``HOST:PORT``, or ``PORT`` on this machine alone. Raises `CannotListen`.
    """
    host, port = host_and_port(address)
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        raise CannotListen(f"metrics cannot be served at {address}: {error.strerror or error}") from error
    try:
        yield metrics, f"[{host}]:{server.server_port}" if ":" in host else f"{host}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
