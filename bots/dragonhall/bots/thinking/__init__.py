"""Where policies think: on the event loop (`here`), or in worker processes (`pool`, and `worker`, which they run)."""

from __future__ import annotations
