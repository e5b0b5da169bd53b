"""Answers a prompt as often as it comes."""

from __future__ import annotations

from typing import Any

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    def is_due(self, chair: Chair, told: Any) -> bool:
        return True


if __name__ == "__main__":
    serve(Broken)
