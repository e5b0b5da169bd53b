"""Refusals as gRPC statuses, with the details that ``dragonhall/v1/errors.proto`` promises."""

from __future__ import annotations

import logging
import secrets
from typing import Final

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from dragonhall.server.hub import MAX_GAME_ID_LENGTH
from dragonhall.server.refusal import Reason, Refusal, game_not_found
from dragonhall.server.store.base import StoreError
from dragonhall.server.unreadable import UnreadableGame
from dragonhall.v1 import errors_pb2

logger = logging.getLogger("dragonhall.server")

DOMAIN: Final = "dragonhall"

CODES: Final = {
    Reason.INVALID_FIELD: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.RECORD_NOT_READY: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOKEN_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.NOT_YOUR_ROLE: grpc.StatusCode.PERMISSION_DENIED,
    Reason.SEAT_UNAVAILABLE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.INVITATION_INVALID: grpc.StatusCode.PERMISSION_DENIED,
    Reason.REQUEST_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    Reason.GAME_NOT_RUNNING: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.GAME_RUNNING: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.DECISION_UNKNOWN: grpc.StatusCode.NOT_FOUND,
    Reason.DECISION_ANSWERED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ILLEGAL_ACTION: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.REVISION_IN_FUTURE: grpc.StatusCode.OUT_OF_RANGE,
    Reason.STORE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Reason.SHUTTING_DOWN: grpc.StatusCode.UNAVAILABLE,
    Reason.LIMIT_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.SEED_NOT_ALLOWED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
    Reason.CREDENTIALS_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.NOT_ALLOWED: grpc.StatusCode.PERMISSION_DENIED,
    Reason.QUOTA_EXCEEDED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.TIME_RAN_OUT: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_AWAY: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEATS_FREE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.UNDO_NOT_POSSIBLE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.GAME_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    Reason.RECORD_INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.KNOWLEDGE_INCONSISTENT: grpc.StatusCode.INVALID_ARGUMENT,
}


def as_refusal(error: Exception, game_id: str = "", token: str = "") -> Refusal:
    """Any error as what a client may be told of it; what is the server's own fault goes to the log, with an id.

    ``game_id``: of the game that the request named, if it named one. ``token``: that it showed.
    """
    refusal = _as_refusal(error)
    if isinstance(refusal, UnreadableGame) and not refusal.is_for(token):
        refusal = game_not_found()
    if game_id:
        refusal.details["game_id"] = game_id[:MAX_GAME_ID_LENGTH]
    return refusal


def _as_refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        logger.debug("event=refused reason=%s message=%r", error.reason.value, error.message)
        return error
    if isinstance(error, StoreError):
        logger.error("event=store_failed error=%r", str(error))
        return Refusal(Reason.STORE_UNAVAILABLE, "the server cannot use its store now; retry with back-off")
    fault = secrets.token_hex(4)
    logger.error("event=fault id=%s", fault, exc_info=error)
    return Refusal(Reason.INTERNAL, f"a fault of the server; its operator finds it in the log under id {fault}")


def to_status(refusal: Refusal) -> grpc.Status:
    """The status for a call that ends."""
    status = status_pb2.Status(code=CODES[refusal.reason].value[0], message=refusal.message)
    info = error_details_pb2.ErrorInfo(reason=refusal.reason.value, domain=DOMAIN, metadata=refusal.details)
    status.details.append(_packed(info))
    if "field" in refusal.details:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=refusal.details["field"], description=refusal.message
        )
        status.details.append(_packed(error_details_pb2.BadRequest(field_violations=[violation])))
    if refusal.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromTimedelta(refusal.retry_after)
        status.details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    converted: grpc.Status = rpc_status.to_status(status)
    return converted


def to_error(refusal: Refusal) -> errors_pb2.Error:
    """The message for a stream that goes on."""
    return errors_pb2.Error(
        code=CODES[refusal.reason].value[0],
        reason=errors_pb2.ErrorReason.Value(f"ERROR_REASON_{refusal.reason.value}"),
        message=refusal.message,
        metadata=refusal.details,
    )


def _packed(detail: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed
