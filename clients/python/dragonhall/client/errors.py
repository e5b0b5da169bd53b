"""What the client raises, and how refusals on the wire become typed errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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
"""Refusals that say "not now" instead of "no": the client waits and asks again. So does one with a retry_after."""
TOO_LATE_REASONS: Final = frozenset({"TIME_RAN_OUT", "DECISION_ANSWERED"})

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
    r"^failed to connect to all addresses; last error: [A-Z_]+: (?P<address>(ipv4|ipv6|unix):\S+): "
    r"(?P<nobody>Failed to connect to remote host: )?(connect: )?"
)
_RESOLVING: Final = re.compile(r"^(errors resolving |DNS resolution failed )")
_ERROR_NUMBER: Final = re.compile(r" \(\d+\)$")


NO_TLS: Final = "it does not speak TLS"
NOT_TRUSTED: Final = "its certificate is none that is trusted here"
SOCKET_CLOSED: Final = "socket closed"
"""What is all that is seen of a server with TLS by a client without."""
_SIGNS: Final = {
    "http1.x server": "it speaks HTTP/1, not gRPC",
    "WRONG_VERSION_NUMBER": NO_TLS,
    "CERTIFICATE_VERIFY_FAILED": NOT_TRUSTED,
}
"""Of what gRPC or its TLS library tells at length: by what it is known, and the cause in words."""


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


class UnsafeCredentials(ClientError):
    """An API key or token would have been sent in plain text to another machine. Nothing was sent."""


class DragonhallError(ClientError):
    """The server refused, and nothing was changed. ``dragonhall/v1/errors.proto`` has the table of all reasons."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str],
        retry_after: timedelta | None = None,
    ) -> None:
        super().__init__(f"{reason}: {message}" if reason else f"{code.name}: {message}")
        self.code = code
        """The gRPC status code."""
        self.reason = reason
        """As ``ILLEGAL_ACTION``: `ErrorReason` without its prefix. Empty if it was not Dragonhall that refused."""
        self.message = message
        """For a developer: what is wrong and what to do."""
        self.metadata = dict(metadata)
        """More about it, by the names that the table has; the properties below are the same by type."""
        self.retry_after = retry_after
        """When the server says that it is worth asking again; ``None``: it does not say."""

    @property
    def rule(self) -> str | None:
        """The ruling or rulebook section that forbids the action, as ``RD-4``."""
        return self.metadata.get("rule")

    @property
    def field(self) -> str | None:
        """The request's field that has to be mended."""
        return self.metadata.get("field")

    @property
    def status(self) -> str | None:
        """The game's status, as ``ABORTED``, where that is why."""
        return self.metadata.get("status")

    @property
    def why(self) -> str | None:
        """UNDO_NOT_POSSIBLE: NOT_ALLOWED, NOT_NEWEST, NOT_YOURS, CHANCE, REVEAL or NOT_ASKED."""
        return self.metadata.get("why")

    @property
    def quota(self) -> str | None:
        """QUOTA_EXCEEDED: what the caller has used up: games, streams, submits or sandbox."""
        return self.metadata.get("quota")

    @property
    def permission(self) -> str | None:
        """NOT_ALLOWED: what the caller may not do: create, bot, import or sandbox."""
        return self.metadata.get("permission")

    @property
    def where(self) -> str | None:
        """RECORD_INVALID: the part of the record that is wrong."""
        return self.metadata.get("where")

    @property
    def seats(self) -> tuple[int, ...]:
        """SEATS_FREE: the seats that nobody has taken."""
        return tuple(int(seat) for seat in self.metadata.get("seats", "").split(",") if seat)

    @property
    def decision_id(self) -> int | None:
        """The decision that the refused answer was for."""
        return self._number("decision_id")

    @property
    def revision(self) -> int | None:
        """DECISION_ANSWERED: of the answer that stands. REVISION_IN_FUTURE: the newest one."""
        return self._number("revision")

    @property
    def retriable(self) -> bool:
        """Whether the server will take the same request later."""
        return self.reason in RETRIABLE_REASONS or self.retry_after is not None

    @property
    def temporary(self) -> bool:
        """Whether it lies with the server, by a fault or too much load: the request was not wrong, and may do later."""
        return self.code in _TEMPORARY_CODES

    def _number(self, name: str) -> int | None:
        text = self.metadata.get(name, "")
        return int(text) if text.isascii() and text.isdigit() else None


class TooLate(DragonhallError):
    """Another answer stands: the time had run out (TIME_RAN_OUT), or the decision had been answered before, by the
    default action or by somebody with the same token (DECISION_ANSWERED).

    No reason to leave the game: what stands comes on the stream, and the seat plays on.
    """


def refusal(
    code: grpc.StatusCode, reason: str, message: str, metadata: Mapping[str, str], retry_after: timedelta | None = None
) -> DragonhallError:
    """The error of the type that its reason has."""
    kind = TooLate if reason in TOO_LATE_REASONS else DragonhallError
    return kind(code, reason, message, metadata, retry_after)


def from_rpc_error(error: aio.AioRpcError) -> DragonhallError | None:
    """The typed error behind a failed call; ``None`` if the transport failed and the same request may be sent again."""
    details = _details(error)
    info = details.info
    if info is not None and info.domain == DOMAIN:
        metadata = dict(info.metadata)
        if details.field:
            metadata.setdefault("field", details.field)
        return refusal(error.code(), info.reason, error.details() or "", metadata, details.retry_after)
    if error.code() in _TRANSPORT_CODES:
        return None
    return DragonhallError(error.code(), "", error.details() or "", {}, details.retry_after)


def plain_cause(details: str) -> str:
    """gRPC's account of a connection that failed, without what it tells twice: ``connection refused``.

    >>> plain_cause("failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:7350: Failed to connect to"
    ...             " remote host: connect: Connection refused (111)")
    'connection refused'
    >>> plain_cause("Socket closed")
    'socket closed'
    """
    for sign, cause in _SIGNS.items():
        if sign in details:
            return cause
    text = _CONNECTING.sub("", details)
    if _RESOLVING.search(text):
        text = text.rpartition(": ")[2].rstrip("]")
    text = _ERROR_NUMBER.sub("", text)
    return text[:1].lower() + text[1:]


def unconnected(details: str) -> tuple[str, bool]:
    """From the same account: the address at which no connection came about, and whether nobody was there at all.

    The address as gRPC writes it; empty for a failure of another kind.

    >>> unconnected("failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:7350: Failed to connect to"
    ...             " remote host: connect: Connection refused (111)")
    ('ipv4:127.0.0.1:7350', True)
    """
    connecting = _CONNECTING.match(details)
    return (connecting["address"], connecting["nobody"] is not None) if connecting else ("", False)


def from_message(error: errors_pb2.Error) -> DragonhallError:
    """The typed error of an `Error` message on a Play stream."""
    code = _CODE_BY_NUMBER.get(error.code, grpc.StatusCode.UNKNOWN)
    milliseconds = error.metadata.get("retry_after_ms", "")
    retry_after = timedelta(milliseconds=int(milliseconds)) if milliseconds.isdecimal() else None
    return refusal(code, reason_name(error.reason), error.message, error.metadata, retry_after)


def reason_name(reason: errors_pb2.ErrorReason.ValueType) -> str:
    """``ERROR_REASON_GAME_NOT_FOUND`` as ``GAME_NOT_FOUND``; a reason that this client does not know as its number."""
    if reason == errors_pb2.ERROR_REASON_UNSPECIFIED:
        return ""
    if reason not in errors_pb2.ErrorReason.values():
        return str(int(reason))
    return errors_pb2.ErrorReason.Name(reason).removeprefix(_REASON_PREFIX)


@dataclass
class _Details:
    """What a status tells besides its code."""

    info: error_details_pb2.ErrorInfo | None = None
    field: str = ""
    """The first one that a BadRequest names."""
    retry_after: timedelta | None = None


def _details(error: aio.AioRpcError) -> _Details:
    found = _Details()
    for detail in _status(error).details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            found.info = error_details_pb2.ErrorInfo()
            detail.Unpack(found.info)
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad_request = error_details_pb2.BadRequest()
            detail.Unpack(bad_request)
            found.field = bad_request.field_violations[0].field if bad_request.field_violations else ""
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo()
            detail.Unpack(retry)
            found.retry_after = retry.retry_delay.ToTimedelta()
    return found


def _status(error: aio.AioRpcError) -> status_pb2.Status:
    metadata = error.trailing_metadata()
    raw = metadata.get(_DETAILS_KEY) if metadata is not None else None
    return status_pb2.Status.FromString(raw) if isinstance(raw, bytes) else status_pb2.Status()
