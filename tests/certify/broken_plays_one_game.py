"""Plays one game at a time."""

from __future__ import annotations

from tests.certify.plain import PlainBot, serve


class Broken(PlainBot):
    async def sit_down(self, game_id: str, number: int) -> None:
        if not self.playing:
            await super().sit_down(game_id, number)


if __name__ == "__main__":
    serve(Broken)
