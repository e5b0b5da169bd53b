"""Whether a server is serving, by the standard gRPC health protocol."""

from __future__ import annotations

from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.client.retry import Patience, repeat


async def is_serving(channel: aio.Channel, service: str, target: str, patience: Patience) -> bool:
    """Asks once the server can be reached. Raises `DragonhallError` for a ``service`` that it does not know."""
    stub = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=service)
    response = await repeat(target, patience, lambda limit: stub.Check(request, timeout=limit))
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)
