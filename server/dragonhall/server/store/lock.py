"""One server a store: an advisory lock that the operating system drops when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from dragonhall.server.store.base import StoreUnusable


class StoreLock:
    """An exclusive lock, held on a file of its own beside the store: ``<store>.lock``.

    ``store`` is the file's own path, links resolved, so that a store has one lock by whatever name it is called.
    """

    def __init__(self, store: Path) -> None:
        """Takes the lock. Raises `StoreUnusable`."""
        self._path = store.with_name(store.name + ".lock")
        self._fd = self._take(store)
        while not self._is_in_place():  # whoever had it before has removed it at this moment
            os.close(self._fd)
            self._fd = self._take(store)

    def _take(self, store: Path) -> int:
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(
                f"cannot write {self._path}: {error.strerror}. Make its folder exist and writable for this user, "
                "or choose another store"
            ) from error
        try:
            _lock(fd)
        except OSError as error:
            os.close(fd)
            raise StoreUnusable(
                f"{store} is in use by another server. Stop that one, or give this one a store of its own"
            ) from error
        return fd

    def _is_in_place(self) -> bool:
        """Whether the next one to open the lock's file opens the one that is locked."""
        try:
            return os.path.samestat(os.fstat(self._fd), self._path.stat())
        except FileNotFoundError:
            return False

    def release(self, remove: bool = False) -> None:
        """Lets another server have the store. ``remove``: the lock's file goes with it."""
        if remove:
            with suppress(OSError):  # Windows removes nothing that is open
                self._path.unlink()
        os.close(self._fd)


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
