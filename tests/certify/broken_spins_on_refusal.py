"""Sends an answer that is refused again and again."""

from __future__ import annotations

from typing import Any

import grpc

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def refused(self, chair: Chair, request: Any, error: grpc.aio.AioRpcError) -> None:
        while True:
            try:
                await self.insist(self.stubs.Submit, request)
            except grpc.aio.AioRpcError:
                continue
            return


if __name__ == "__main__":
    serve(Broken)
