"""What the client raises, and how refusals on the wire become typed errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc import aio

from dragonhall.v1 import errors_pb2

DOMAIN: Final = "dragonhall"
_DETAILS_KEY: Final = "grpc-status-details-bin"
_REASON_PREFIX: Final = "ERROR_REASON_"

RETRIABLE_REASONS: Final = frozenset({"SHUTTING_DOWN", "STORE_UNAVAILABLE"})
"""Refusals that say "not now" instead of "no": the client waits and asks again."""

_TRANSPORT_CODES: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        # How gRPC itself and proxies may tell of a connection that broke in mid-call.
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    }
)
"""What a call ends with when the transport failed. A Dragonhall server's own refusals carry an ErrorInfo besides."""
_TEMPORARY_CODES: Final = frozenset(
    {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.RESOURCE_EXHAUSTED}
)
_CODE_BY_NUMBER: Final = {code.value[0]: code for code in grpc.StatusCode}


_CONNECTING: Final = re.compile(
    r"^failed to connect to all addresses; last error: [A-Z_]+: (ipv4|ipv6|unix):\S+: "
    r"(Failed to connect to remote host: )?(connect: )?"
)
_RESOLVING: Final = re.compile(r"^(errors resolving |DNS resolution failed )")
_ERROR_NUMBER: Final = re.compile(r" \(\d+\)$")


class ClientError(Exception):
    """Base class of everything that the client raises on purpose."""


class ServerUnavailable(ClientError):
    """The server could not be reached, or did not answer, for as long as the client was to try.

    What was asked for may or may not have happened. Asking again with the same request_id, or submitting the same
    answer to the same decision again, is safe.
    """

    def __init__(self, target: str, tried_for: timedelta, cause: str) -> None:
        super().__init__(f"{target} could not be reached for {tried_for.total_seconds():.1f} s: {cause}")
        self.target = target
        self.tried_for = tried_for
        self.cause = cause


class ConnectionClosed(ClientError):
    """This side closed the connection before the answer came. The answer may have been stored nevertheless."""


class DragonhallError(ClientError):
    """The server refused, and nothing was changed. ``dragonhall/v1/errors.proto`` has the table of all reasons."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, metadata: Mapping[str, str]) -> None:
        super().__init__(f"{reason}: {message}" if reason else f"{code.name}: {message}")
        self.code = code
        """The gRPC status code."""
        self.reason = reason
        """As ``ILLEGAL_ACTION``: `ErrorReason` without its prefix. Empty if it was not Dragonhall that refused."""
        self.message = message
        """For a developer: what is wrong and what to do."""
        self.metadata = dict(metadata)
        """More about it; ``game_id`` and ``decision_id`` where they apply."""

    @property
    def rule(self) -> str | None:
        """The ruling or rulebook section that forbids the action, as ``RD-4``."""
        return self.metadata.get("rule")

    @property
    def field(self) -> str | None:
        """The request's field that has to be mended."""
        return self.metadata.get("field")

    @property
    def retriable(self) -> bool:
        """Whether the server will take the same request later."""
        return self.reason in RETRIABLE_REASONS

    @property
    def temporary(self) -> bool:
        """Whether it lies with the server, by a fault or too much load: the request was not wrong, and may do later."""
        return self.code in _TEMPORARY_CODES


def from_rpc_error(error: aio.AioRpcError) -> DragonhallError | None:
    """The typed error behind a failed call; ``None`` if the transport failed and the same request may be sent again."""
    info, field = _details(error)
    if info is not None and info.domain == DOMAIN:
        metadata = dict(info.metadata)
        if field:
            metadata.setdefault("field", field)
        return DragonhallError(error.code(), info.reason, error.details() or "", metadata)
    if error.code() in _TRANSPORT_CODES:
        return None
    return DragonhallError(error.code(), "", error.details() or "", {})


def plain_cause(details: str) -> str:
    """gRPC's account of a connection that failed, without what it tells twice: ``connection refused``.

    >>> plain_cause("failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:7350: Failed to connect to"
    ...             " remote host: connect: Connection refused (111)")
    'connection refused'
    >>> plain_cause("Socket closed")
    'socket closed'
    """
    if "http1.x server" in details:
        return "it speaks HTTP/1, not gRPC"
    text = _CONNECTING.sub("", details)
    if _RESOLVING.search(text):
        text = text.rpartition(": ")[2].rstrip("]")
    text = _ERROR_NUMBER.sub("", text)
    return text[:1].lower() + text[1:]


def from_message(error: errors_pb2.Error) -> DragonhallError:
    """The typed error of an `Error` message on a Play stream."""
    code = _CODE_BY_NUMBER.get(error.code, grpc.StatusCode.UNKNOWN)
    return DragonhallError(code, reason_name(error.reason), error.message, error.metadata)


def reason_name(reason: errors_pb2.ErrorReason.ValueType) -> str:
    """``ERROR_REASON_GAME_NOT_FOUND`` as ``GAME_NOT_FOUND``; a reason that this client does not know as its number."""
    if reason == errors_pb2.ERROR_REASON_UNSPECIFIED:
        return ""
    if reason not in errors_pb2.ErrorReason.values():
        return str(int(reason))
    return errors_pb2.ErrorReason.Name(reason).removeprefix(_REASON_PREFIX)


def _details(error: aio.AioRpcError) -> tuple[error_details_pb2.ErrorInfo | None, str]:
    """The call's ErrorInfo and the first field that its BadRequest names."""
    info, field = None, ""
    for detail in _status(error).details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo()
            detail.Unpack(info)
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad_request = error_details_pb2.BadRequest()
            detail.Unpack(bad_request)
            field = bad_request.field_violations[0].field if bad_request.field_violations else ""
    return info, field


def _status(error: aio.AioRpcError) -> status_pb2.Status:
    metadata = error.trailing_metadata()
    raw = metadata.get(_DETAILS_KEY) if metadata is not None else None
    return status_pb2.Status.FromString(raw) if isinstance(raw, bytes) else status_pb2.Status()
