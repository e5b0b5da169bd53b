"""Waits for a result that was lost with the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from tests.certify.plain import PlainBot, reason_of, serve


class Broken(PlainBot):
    async def insist(self, call: Callable[[Any], Awaitable[Any]], request: Any) -> Any:
        try:
            return await call(request)
        except grpc.aio.AioRpcError as error:
            if not reason_of(error):
                await asyncio.Event().wait()
            raise


if __name__ == "__main__":
    serve(Broken)
