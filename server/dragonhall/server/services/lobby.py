"""The lobby's two ways to look at it: pages, and a stream."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from dragonhall.server.hub import Hub
from dragonhall.server.lobby import Change, TooFarBehind
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services import checks
from dragonhall.server.services.paging import page_token, position_of
from dragonhall.server.services.render import game_message
from dragonhall.server.services.rpc import caller
from dragonhall.server.services.waking import Waker
from dragonhall.server.store.base import GameLine, LineFilter
from dragonhall.v1 import game_pb2, game_service_pb2

DEFAULT_PAGE: Final = 50
LARGEST_PAGE: Final = 500
STATUSES: Final = frozenset(game_pb2.GameStatus.values()) - {game_pb2.GAME_STATUS_UNSPECIFIED}
"""All statuses that a game can have."""


def line_filter(message: game_service_pb2.GameFilter) -> LineFilter:
    """Which games a request means: private ones only for the bot that they have a seat for. Raises `Refusal`."""
    if len(message.statuses) > len(STATUSES):
        raise invalid_field("filter.statuses", f"takes each of the {len(STATUSES)} statuses once at most")
    for i, status in enumerate(message.statuses):
        if status not in STATUSES:
            raise invalid_field(f"filter.statuses[{i}]", f"{status} is no status of a game")
    bot = message.reserved_for and checks.bot_name("filter.reserved_for", message.reserved_for)
    return LineFilter(
        statuses=tuple(sorted(set(message.statuses))),
        game=message.game,
        free_bot=bot,
        open_seat=message.open_seat,
        seats=message.seats,
        with_private=bool(bot) and caller().may_play(bot),
    )


async def list_games(hub: Hub, request: game_service_pb2.ListGamesRequest) -> game_service_pb2.ListGamesResponse:
    """One page of games, newest first; private ones only for the bots that they have seats for."""
    if request.page_size > LARGEST_PAGE:
        raise invalid_field("page_size", f"takes 1 to {LARGEST_PAGE}, or 0 for {DEFAULT_PAGE}")
    size = request.page_size or DEFAULT_PAGE
    wanted, secret = line_filter(request.filter), hub.store.secret
    before = position_of(secret, wanted, request.page_token) if request.page_token else None
    lines = await hub.store.lines(wanted, size + 1, before=before)
    response = game_service_pb2.ListGamesResponse(games=[_game(line) for line in lines[:size]])
    if len(lines) > size:
        response.next_page_token = page_token(secret, wanted, lines[size - 1].position)
    return response


async def watch_games(hub: Hub, request: game_service_pb2.WatchGamesRequest) -> AsyncGenerator[bytes, None]:
    """Every game that matches, then what changes. Serialised ``WatchGamesResponse``s."""
    wanted = line_filter(request.filter)
    waker = Waker()
    stop_watching, forget = hub.lobby.watch(waker.wake), hub.when_closing(waker.wake)
    shown = Shown(wanted)
    try:
        seen = hub.lobby.newest
        async for line in _all_lines(hub, wanted):
            shown.add(line)
            yield _change(line, left_filter=False)
        yield game_service_pb2.WatchGamesResponse().SerializeToString()
        while not hub.closing:
            changes, seen = _changes(hub, seen), hub.lobby.newest
            for change in changes:
                line, matches = change.line, not change.removed and wanted.matches(change.line)
                if matches or line in shown:
                    yield _change(line, left_filter=not matches)
                if matches:
                    shown.add(line)
                else:
                    shown.discard(line)
            if hub.lobby.newest == seen:
                await waker.wait()
        raise hub.closing_refusal()
    finally:
        stop_watching()
        forget()


class Shown:
    """The games that a watcher was shown and that have not left its filter since."""

    def __init__(self, wanted: LineFilter) -> None:
        self._ids: set[str] | None = None if wanted == LineFilter() else set()
        """``None``: every public game, which no game leaves but by being removed. That needs no memory."""

    def add(self, line: GameLine) -> None:
        """The game was shown."""
        if self._ids is not None:
            self._ids.add(line.game_id)

    def discard(self, line: GameLine) -> None:
        """It has left the filter, as far as it was in it."""
        if self._ids is not None:
            self._ids.discard(line.game_id)

    def __contains__(self, line: GameLine) -> bool:
        return not line.private if self._ids is None else line.game_id in self._ids


def _changes(hub: Hub, seen: int) -> list[Change]:
    try:
        return hub.lobby.since(seen)
    except TooFarBehind:
        raise Refusal(
            Reason.LIMIT_EXCEEDED, "this watcher is too far behind the lobby's changes; read faster, and watch anew"
        ) from None


async def _all_lines(hub: Hub, wanted: LineFilter) -> AsyncIterator[GameLine]:
    """Every stored game that matches, oldest first."""
    after = 0
    while lines := await hub.store.lines(wanted, LARGEST_PAGE, after=after):
        for line in lines:
            yield line
        after = lines[-1].position


def _game(line: GameLine) -> game_pb2.Game:
    return game_message(line.summary, line.revision)


def _change(line: GameLine, left_filter: bool) -> bytes:
    return game_service_pb2.WatchGamesResponse(game=_game(line), left_filter=left_filter).SerializeToString()
