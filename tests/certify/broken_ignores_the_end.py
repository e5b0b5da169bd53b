"""Does not believe that a game is over."""

from __future__ import annotations

import asyncio

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def observe(self, chair: Chair) -> None:
        await super().observe(chair)
        chair.is_over = False
        await asyncio.sleep(0.01)


if __name__ == "__main__":
    serve(Broken)
