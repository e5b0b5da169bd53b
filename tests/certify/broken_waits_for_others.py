"""Answers when nobody else is asked any more."""

from __future__ import annotations

from typing import Any

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    def is_due(self, chair: Chair, told: Any) -> bool:
        return super().is_due(chair, told) and len(told.waiting) == 1


if __name__ == "__main__":
    serve(Broken)
