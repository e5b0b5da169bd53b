"""Gives up when the server is not there at once."""

from __future__ import annotations

import time

import grpc

from tests.certify.plain import PlainBot, serve


class Broken(PlainBot):
    lost_since = 0.0

    async def lost(self, error: grpc.aio.AioRpcError) -> None:
        if not self.lost_since or time.monotonic() - self.lost_since > 5:
            self.lost_since = time.monotonic()
        elif time.monotonic() - self.lost_since > 0.7:
            raise SystemExit("no server")
        await super().lost(error)


if __name__ == "__main__":
    serve(Broken)
