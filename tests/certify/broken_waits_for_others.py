"""Answers when nobody else is asked any more."""

from __future__ import annotations

from typing import Any

from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    def is_due(self, chair: Chair, told: Any) -> bool:
        others_are_asked = len(getattr(told, "waiting", ("as before", "it did not say"))) > 1  # a heartbeat has none
        return super().is_due(chair, told) and not others_are_asked


if __name__ == "__main__":
    serve(Broken)
