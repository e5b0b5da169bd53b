"""Takes a broken connection for the end."""

from __future__ import annotations

import grpc

from tests.certify.plain import PlainBot, serve


class Broken(PlainBot):
    async def lost(self, error: grpc.aio.AioRpcError) -> None:
        if self.playing:
            raise SystemExit(f"connection lost: {error.details()}")
        await super().lost(error)


if __name__ == "__main__":
    serve(Broken)
