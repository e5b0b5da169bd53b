"""Takes a refusal for the end."""

from __future__ import annotations

from typing import Any

import grpc

from tests.certify.plain import Chair, PlainBot, reason_of, serve


class Broken(PlainBot):
    async def refused(self, chair: Chair, request: Any, error: grpc.aio.AioRpcError) -> None:
        raise SystemExit(reason_of(error))


if __name__ == "__main__":
    serve(Broken)
