"""SandboxService: the rules, to think with. It is given no game and knows of none: see `dragonhall.sandbox`."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Final

import grpc

from dragonhall.rules import GAMES
from dragonhall.sandbox import Pool, Refused
from dragonhall.sandbox.admission import Admission
from dragonhall.sandbox.frames import Reply, Work
from dragonhall.sandbox.slices import Slice
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services.rpc import Methods, caller, calls_of_sandbox
from dragonhall.v1 import sandbox_service_pb2

SERVICE: Final = "dragonhall.v1.SandboxService"


class SandboxService:
    """The service, over the workers of one pool."""

    def __init__(self, pool: Pool, calls_per_caller: int, closing: Callable[[], Refusal | None]) -> None:
        """``closing``: why no call may go on, as soon as the server is about to stop."""
        self._pool = pool
        self._settings = pool.settings
        self._admission = Admission(pool.settings)
        self._calls_per_caller = calls_per_caller
        self._closing = closing
        self._calls = 0

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        messages = sandbox_service_pb2
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "GetSandbox": methods.unary(messages.GetSandboxRequest, self.get_sandbox),
                "Explore": methods.server_stream(messages.ExploreRequest, self.explore),
                "RollOut": methods.server_stream(messages.RollOutRequest, self.roll_out),
            },
        )

    async def get_sandbox(self, _: sandbox_service_pb2.GetSandboxRequest) -> sandbox_service_pb2.GetSandboxResponse:
        """What it can do, and how much of it."""
        self._check_exists()
        limits = self._settings.limits
        games = [
            sandbox_service_pb2.SandboxGame(
                game=game.name, rules_version=game.rules_version, policies=self._admission.policies(game.name)
            )
            for game in GAMES.values()
        ]
        told = sandbox_service_pb2.SandboxLimits(
            history=limits.history,
            lines=limits.lines,
            moves=limits.moves,
            positions=limits.positions,
            playouts=limits.playouts,
            decisions=limits.decisions,
            seconds=limits.seconds,
            calls=self._calls_per_caller,
        )
        return sandbox_service_pb2.GetSandboxResponse(games=games, limits=told)

    async def explore(self, request: sandbox_service_pb2.ExploreRequest) -> AsyncGenerator[bytes, None]:
        """Positions."""
        with self._call():
            slices = self._admission.explore(request)
            async with aclosing(self._answers(request.knowledge, slices)) as answers:
                async for answer in answers:
                    yield answer

    async def roll_out(self, request: sandbox_service_pb2.RollOutRequest) -> AsyncGenerator[bytes, None]:
        """How games end that are played on."""
        with self._call():
            slices = self._admission.roll_out(request)
            async with aclosing(self._answers(request.knowledge, slices)) as answers:
                async for answer in answers:
                    yield answer

    def _check_exists(self) -> None:
        if not self._settings.workers:
            raise Refusal(
                Reason.NOT_ALLOWED, "this server has no sandbox: ask its operator for one", permission="sandbox"
            )

    @contextmanager
    def _call(self) -> Iterator[None]:
        """Around a call that computes. Raises `Refusal`, and what the sandbox refuses as such."""
        self._check_exists()
        if self._calls >= self._settings.calls:
            raise Refusal(
                Reason.LIMIT_EXCEEDED, f"the sandbox has {self._calls} calls under way and takes no more: come later"
            )
        with calls_of_sandbox():
            self._calls += 1
            try:
                yield
            except Refused as refused:
                raise Refusal(Reason[refused.reason], refused.message, **refused.details) from None
            finally:
                self._calls -= 1

    async def _answers(
        self, knowledge: sandbox_service_pb2.Knowledge, slices: Iterator[Slice]
    ) -> AsyncGenerator[bytes, None]:
        """The answers to all slices, in order. So many are under way that every worker has something to do."""
        told = self._admission.knowledge(knowledge)
        under_way: deque[asyncio.Task[Reply]] = deque()
        seconds = 0.0
        try:
            while True:
                while len(under_way) <= self._settings.workers and (part := next(slices, None)):
                    under_way.append(asyncio.create_task(self._pool.compute(Work(told, part), caller().name)))
                if not under_way:
                    return
                reply = await under_way.popleft()
                seconds += reply.seconds
                yield reply.answer()
                self._check_may_go_on(seconds)
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    def _check_may_go_on(self, seconds: float) -> None:
        """Raises `Refusal` and `Refused`. ``seconds``: computed for this call."""
        refusal = self._closing()
        if refusal is not None:
            raise refusal
        most = self._settings.limits.seconds
        if seconds > most:
            raise Refusal(Reason.LIMIT_EXCEEDED, f"the answer took more than {most} s to compute: ask for less at once")
