"""One server a store: an advisory lock that the operating system drops when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dragonhall.server.store.base import StoreUnusable


class StoreLock:
    """An exclusive lock, held on a file of its own beside the store: ``<store>.lock``.

    ``store`` is the file's own path, links resolved, so that a store has one lock by whatever name it is called.
    """

    def __init__(self, store: Path) -> None:
        """Takes the lock. Raises `StoreUnusable`."""
        path = store.with_name(store.name + ".lock")
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(
                f"cannot write {path}: {error.strerror}. Make its folder exist and writable for this user, "
                "or choose another store"
            ) from error
        try:
            _lock(self._fd)
        except OSError as error:
            os.close(self._fd)
            raise StoreUnusable(
                f"{store} is in use by another server. Stop that one, or give this one a store of its own"
            ) from error

    def release(self) -> None:
        """Lets another server have the store."""
        os.close(self._fd)


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
