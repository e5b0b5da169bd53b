"""Neither agrees nor refuses when somebody asks to take back."""

from __future__ import annotations

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def answer_undo(self, chair: Chair, decision_id: int) -> None:
        pass


if __name__ == "__main__":
    serve(Broken)
