"""The blocking client."""

from __future__ import annotations

import contextlib
import weakref
from types import TracebackType
from typing import Final, Self

import grpc

from dragonhall.client.access import Tls, TokenProvider
from dragonhall.client.client import Client
from dragonhall.client.retry import Patience
from dragonhall.client.sync.background import BackgroundLoop
from dragonhall.client.sync.blocking import Blocking, blocking, plain, streaming
from dragonhall.client.sync.play import SyncPlayConnection
from dragonhall.client.sync.seat import SyncSeat

_CLOSE_LIMIT: Final = 5.0
"""Seconds that closing may take: what cannot be closed must not keep the interpreter from its end."""


class SyncClient(Blocking[Client]):
    """`dragonhall.client.Client` for notebooks, scripts and threads: same names, same arguments, blocking.

    Close it, or use it in a ``with`` block; one that is forgotten is closed when it is collected or the interpreter
    ends. Any thread may use it. Ctrl-C ends a call that waits; an answer or request that is under way may have been
    carried out then, and repeating it is as safe as ever.
    """

    def __init__(
        self,
        target: str,
        *,
        patience: Patience | None = None,
        api_key: str | None = None,
        token: str | TokenProvider | None = None,
        tls: Tls | bool = False,
        credentials: grpc.ChannelCredentials | None = None,
        allow_plain_text: bool = False,
    ) -> None:
        """As `dragonhall.client.Client`. Functions that it is given (``token``, ``Patience.on_failure``) are called in
        another thread, and must not call this client."""
        loop = BackgroundLoop.join()
        try:
            client = loop.call(
                lambda: Client(
                    target,
                    patience=patience,
                    api_key=api_key,
                    token=token,
                    tls=tls,
                    credentials=credentials,
                    allow_plain_text=allow_plain_text,
                )
            )
        except BaseException:
            loop.leave()
            raise
        super().__init__(loop, client)
        self._close_once = weakref.finalize(self, _close, loop, client)

    @property
    def target(self) -> str:
        """As it was given."""
        return self._original.target

    @property
    def patience(self) -> Patience:
        """As it was given."""
        return self._original.patience

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all calls and streams."""
        self._close_once()

    list_rules = blocking(Client.list_rules)
    is_serving = blocking(Client.is_serving)

    create_game = blocking(Client.create_game)
    find_game = blocking(Client.find_game, SyncSeat)
    get_game = blocking(Client.get_game)
    list_games = streaming(Client.list_games)
    watch_games = streaming(Client.watch_games)
    start_game = blocking(Client.start_game)
    abort_game = blocking(Client.abort_game)
    rematch = blocking(Client.rematch)

    take_seat = blocking(Client.take_seat, SyncSeat)
    seat = plain(Client.seat, SyncSeat)
    play = plain(Client.play, SyncPlayConnection)
    observe = streaming(Client.observe)

    record = blocking(Client.record)
    import_record = blocking(Client.import_record)
    perspective = blocking(Client.perspective)
    replay = streaming(Client.replay)

    get_sandbox = blocking(Client.get_sandbox)
    explore = streaming(Client.explore)
    roll_out = streaming(Client.roll_out)


def _close(loop: BackgroundLoop, client: Client) -> None:
    closing = loop.begin(client.close())
    if not loop.is_current():  # the collector may call from there
        with contextlib.suppress(TimeoutError):
            closing.result(_CLOSE_LIMIT)
    loop.leave()
