"""Whether a server is serving, by the standard gRPC health protocol."""

from __future__ import annotations

from grpc_health.v1 import health_pb2, health_pb2_grpc

from dragonhall.client.connection import Connection


async def is_serving(connection: Connection, service: str) -> bool:
    """Asks once the server can be reached. Raises `DragonhallError` for a ``service`` that it does not know."""
    stub = health_pb2_grpc.HealthStub(connection.channel)
    response = await connection.call(stub.Check, health_pb2.HealthCheckRequest(service=service))
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)
