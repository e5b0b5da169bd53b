"""Goes on with a seat that it stood in for."""

from __future__ import annotations

import asyncio

import grpc

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def play(self, chair: Chair) -> None:
        while True:
            try:
                await self.observe(chair)
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.01)


if __name__ == "__main__":
    serve(Broken)
