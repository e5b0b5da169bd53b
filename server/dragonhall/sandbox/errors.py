"""What the sandbox raises. The service turns it into the errors of ``dragonhall/v1/errors.proto``."""

from __future__ import annotations


class Refused(Exception):
    """A request that the sandbox does not carry out.

    ``reason``: a name of `ErrorReason` without its prefix; ``details``: the metadata that the reason promises.
    """

    def __init__(self, reason: str, message: str, **details: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.details = details


def invalid(field: str, message: str) -> Refused:
    """A field of the request that cannot be, by its path: ``knowledge.view``."""
    return Refused("INVALID_FIELD", f"{field}: {message}", field=field)


def too_much(message: str) -> Refused:
    """More than the sandbox takes. ``message`` names the limit."""
    return Refused("LIMIT_EXCEEDED", message)


def inconsistent(message: str) -> Refused:
    """A view and a history that no game can have shown to one seat together."""
    return Refused("KNOWLEDGE_INCONSISTENT", message)


class WorkerFault(Exception):
    """A fault of the sandbox itself: a worker process that ended by itself, or an error nobody had thought of."""
