"""What can be wrong with a record as a whole. What is wrong *in* a readable one is a `Finding`."""

from __future__ import annotations


class RecordError(Exception):
    """Base class. The message says what is wrong and where."""


class UnreadableRecord(RecordError):
    """Not a record at all: empty, malformed, with unknown fields, duplicates or values of the wrong type."""


class UnsupportedRecord(RecordError):
    """A record, but of a format, a game or a rules version that this installation does not play."""


class BadRecord(RecordError):
    """A record that cannot be replayed: a decision or a chance outcome in it does not fit the rules."""
