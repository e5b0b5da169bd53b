"""The server's health, as ``grpc.health.v1`` tells it: as a whole (""), and of each service."""

from __future__ import annotations

from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from dragonhall.server.services import game_service, play_service, record_service, sandbox_service

SERVICES: Final = (game_service.SERVICE, play_service.SERVICE, record_service.SERVICE, sandbox_service.SERVICE)

READING: Final = frozenset({record_service.SERVICE, sandbox_service.SERVICE})
"""Services of which most can be done although nothing can be written."""

SERVING: Final = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING


class Health:
    """Answers those who ask, and tells those who watch."""

    def __init__(self, server: grpc.aio.Server, absent: frozenset[str]) -> None:
        """``absent``: services that this server is set up to do without."""
        self._absent = absent
        self._servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)
        self._writable = True
        self._ending = False

    async def begin(self) -> None:
        """The server serves from now on."""
        await self._tell()

    async def set_writable(self, writable: bool) -> None:
        """Whether the store can be written."""
        self._writable = writable
        await self._tell()

    async def announce_end(self) -> None:
        """The server is about to stop, whatever else becomes of it."""
        self._ending = True
        await self._tell()

    async def _tell(self) -> None:
        for service in ("", *SERVICES):
            can_serve = not self._ending and service not in self._absent and (self._writable or service in READING)
            await self._servicer.set(service, SERVING if can_serve else NOT_SERVING)
