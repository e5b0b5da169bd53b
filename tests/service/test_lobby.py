"""The lobby: lists with filters and pages, and the stream of changes."""

from __future__ import annotations

import asyncio
import base64
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import pytest

from dragonhall.dragonisles.v1 import dragonisles_pb2
from dragonhall.dragons_interest.v1 import dragons_interest_pb2
from dragonhall.v1 import game_pb2, game_service_pb2
from tests.service.harness import OPEN, Running, invited, reserved, running

WAITING = game_pb2.GAME_STATUS_WAITING
RUNNING = game_pb2.GAME_STATUS_RUNNING
ABORTED = game_pb2.GAME_STATUS_ABORTED


def game_filter(**conditions: Any) -> game_service_pb2.GameFilter:
    return game_service_pb2.GameFilter(**conditions)


async def listed(server: Running, **conditions: Any) -> list[str]:
    request = game_service_pb2.ListGamesRequest(filter=game_filter(**conditions))
    return [game.game_id for game in (await server.games.ListGames(request)).games]


async def abort(server: Running, created: game_service_pb2.CreateGameResponse) -> None:
    request = game_service_pb2.AbortGameRequest(game_id=created.game.game_id, host_token=created.host_token)
    await server.games.AbortGame(request)


class Watcher:
    """A lobby stream, message by message."""

    def __init__(self, server: Running, **conditions: Any) -> None:
        request = game_service_pb2.WatchGamesRequest(filter=game_filter(**conditions))
        self._call: Any = server.games.WatchGames(request)

    async def next(self) -> tuple[str, int, bool]:
        """The game, its status, and whether it left the filter; ``("", 0, False)``: synced."""
        message = await asyncio.wait_for(self._call.read(), 5)
        return message.game.game_id, message.game.status, message.left_filter

    async def nothing_more(self) -> bool:
        """Whether nothing is told for a moment. The stream is of no more use then."""
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(self._call.read(), 0.1)
        return True


SYNCED = ("", 0, False)


async def test_the_newest_games_come_first_and_filters_hold(server: Running) -> None:
    waiting = (await server.create(3)).game.game_id
    aborted = await server.create(3)
    await abort(server, aborted)
    bots = (await server.create([OPEN, reserved("greedy"), reserved("random")])).game.game_id
    started = (await server.seated(3)).game_id
    assert await listed(server) == [started, bots, aborted.game.game_id, waiting]
    assert await listed(server, statuses=[WAITING]) == [bots, waiting]
    assert await listed(server, statuses=[RUNNING, ABORTED]) == [started, aborted.game.game_id]
    assert await listed(server, game="dragons", statuses=[RUNNING]) == [started]
    assert await listed(server, game="chess") == []
    assert await listed(server, reserved_for="greedy") == [bots]
    assert await listed(server, reserved_for="gree") == []
    await server.take(bots, bot_name="greedy")
    assert await listed(server, reserved_for="greedy") == []
    assert await listed(server, reserved_for="random") == [bots]


async def test_games_with_open_seats_and_of_a_number_of_seats_are_found(server: Running) -> None:
    """A free seat that only some may take is no open one."""
    watcher = Watcher(server, open_seat=True, seats=3)
    assert await watcher.next() == SYNCED
    three = (await server.create([OPEN, reserved("greedy"), reserved("greedy")])).game.game_id
    assert await watcher.next() == (three, WAITING, False)
    four = (await server.create(4)).game.game_id
    await server.create([invited(), reserved("greedy"), invited()])
    started = (await server.seated(3)).game_id
    for left_filter in (False, False, False, True):
        assert await watcher.next() == (started, RUNNING if left_filter else WAITING, left_filter)
    assert await listed(server, open_seat=True) == [four, three]
    assert await listed(server, open_seat=True, seats=3) == [three]
    assert await listed(server, seats=4) == [four]
    assert await listed(server, seats=2**32 - 1) == []
    await server.take(three)
    assert await watcher.next() == (three, WAITING, True)
    assert await listed(server, open_seat=True) == [four]


async def test_pages_follow_each_other_although_games_are_added(server: Running) -> None:
    made = [(await server.create(3)).game.game_id for _ in range(7)]
    seen: list[str] = []
    page_token = ""
    while True:
        request = game_service_pb2.ListGamesRequest(page_size=3, page_token=page_token)
        page = await server.games.ListGames(request)
        seen += [game.game_id for game in page.games]
        page_token = page.next_page_token
        if not page_token:
            break
        await server.create(3)
    assert seen == made[::-1]


def page(token: str = "", size: int = 1, **conditions: Any) -> game_service_pb2.ListGamesRequest:
    return game_service_pb2.ListGamesRequest(filter=game_filter(**conditions), page_size=size, page_token=token)


async def test_a_page_token_is_for_one_filter_and_for_nobody_to_read_or_make_up(server: Running) -> None:
    for _ in range(3):
        await server.create(3)
    token = (await server.games.ListGames(page(statuses=[WAITING], seats=3))).next_page_token
    assert (await server.games.ListGames(page(token, 2, statuses=[WAITING, WAITING], seats=3))).next_page_token == ""
    others = [page(token), page(token, statuses=[RUNNING], seats=3), page(token, statuses=[WAITING], seats=4)]
    made_up = [token[:-4], token + token, "!" + token, token.swapcase(), base64.b64encode(bytes(24)).decode()]
    for request in [*others, *(page(one, statuses=[WAITING], seats=3) for one in made_up)]:
        with pytest.raises(grpc.aio.AioRpcError, match="next_page_token of the page before") as caught:
            await server.games.ListGames(request)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_page_token_does_not_tell_how_many_games_there_are(server: Running) -> None:
    tokens = []
    for _ in range(8):
        await server.create(3)
        tokens.append((await server.games.ListGames(page())).next_page_token)
    sealed = [base64.urlsafe_b64decode(token) for token in tokens[1:]]
    assert [{len(data) for data in sealed}, len({data[-1] for data in sealed}) > 3] == [{24}, True]
    differences = {int.from_bytes(one, "big") - int.from_bytes(other, "big") for one, other in pairwise(sealed)}
    assert len(differences) == 6


async def test_pages_go_on_after_a_restart_and_where_a_game_was_removed(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db") as server:
        created = [await server.create(3) for _ in range(4)]
        first = await server.games.ListGames(page(size=2))
        await abort(server, created[2])
        assert await server.server.hub.remove(created[2].game.game_id)
    async with running(tmp_path / "games.db") as server:
        rest = await server.games.ListGames(page(first.next_page_token, size=2))
    assert [game.game_id for game in rest.games] == [one.game.game_id for one in created[1::-1]]


async def test_a_list_shows_the_newest_revision(server: Running) -> None:
    game = await server.seated(3)
    seat, prompt = await server.prompt(game)
    revision = (await server.submit(game, seat, prompt.decision_id, 0)).revision
    games = (await server.games.ListGames(game_service_pb2.ListGamesRequest())).games
    assert [listed.revision for listed in games] == [revision]


async def test_a_watcher_is_shown_what_is_there_and_then_what_changes(server: Running) -> None:
    first, second = await server.create(3), await server.create(3)
    watcher = Watcher(server)
    assert await watcher.next() == (first.game.game_id, WAITING, False)
    assert await watcher.next() == (second.game.game_id, WAITING, False)
    assert await watcher.next() == SYNCED
    third = (await server.create(3)).game.game_id
    assert await watcher.next() == (third, WAITING, False)
    await abort(server, first)
    assert await watcher.next() == (first.game.game_id, ABORTED, False)


async def test_a_watcher_is_told_when_a_game_leaves_its_filter(server: Running) -> None:
    watcher = Watcher(server, reserved_for="greedy")
    assert await watcher.next() == SYNCED
    game_id = (await server.create([reserved("greedy"), OPEN, OPEN])).game.game_id
    assert await watcher.next() == (game_id, WAITING, False)
    await server.create(3)  # is none of this watcher's business
    await server.take(game_id, seat=1)
    assert await watcher.next() == (game_id, WAITING, False)
    await server.take(game_id, bot_name="greedy")
    assert await watcher.next() == (game_id, WAITING, True)
    await server.take(game_id)
    assert await watcher.nothing_more()


async def test_answers_are_no_changes_for_the_lobby_but_the_end_is(server: Running) -> None:
    game = await server.seated(3)
    watcher = Watcher(server, statuses=[RUNNING])
    assert await watcher.next() == (game.game_id, RUNNING, False)
    assert await watcher.next() == SYNCED
    await server.play_out(game)
    assert await watcher.next() == (game.game_id, game_pb2.GAME_STATUS_FINISHED, True)


SEATS = {"dragons": (3, 6), "dragons_interest": (3, 5), "dragonisles": (2, 5)}
OPTIONS = {
    "dragons": {
        "extra_year": "switch_default",
        "open_piles": "switch_default",
        "hidden_card": "switch_default",
        "first_seat": "seat",
    },
    "dragons_interest": {"start_player": "choice", "first_seat": "seat"},
    "dragonisles": {"draft": "switch_default", "characters": "choice_per_seat", "first_seat": "seat"},
}


async def test_the_catalogue_is_enough_to_build_a_form(server: Running) -> None:
    games = await server.catalogue()
    assert {name: (rules.min_seats, rules.max_seats) for name, rules in games.items()} == SEATS
    for name, rules in games.items():
        assert rules.title
        assert all(option.title and option.help for option in rules.options)
        assert {option.name: option.WhichOneof("type") for option in rules.options} == OPTIONS[name]
        assert [len(components.digest) for components in rules.component_sets] == [32]
        assert [components.WhichOneof("contents") for components in rules.component_sets] == [name]


async def test_a_choice_names_the_values_of_its_enum(server: Running) -> None:
    options = {option.name: option for option in (await server.catalogue())["dragons_interest"].options}
    choice = options["start_player"].choice
    assert [(value.name, value.number) for value in choice.values] == [
        ("START_PLAYER_ROTATES", dragons_interest_pb2.START_PLAYER_ROTATES),
        ("START_PLAYER_FIXED", dragons_interest_pb2.START_PLAYER_FIXED),
    ]
    assert choice.default_name == "START_PLAYER_ROTATES"
    assert all(value.title for value in choice.values)


async def test_a_choice_for_every_seat_names_the_values_of_its_enum(server: Running) -> None:
    options = {option.name: option for option in (await server.catalogue())["dragonisles"].options}
    values = options["characters"].choice_per_seat.values
    assert [(value.name, value.number) for value in values] == list(dragonisles_pb2.Character.items()[1:])
    assert [value.title for value in values] == ["Monk", "Sorcerer", "Pirate", "Trader", "Warrior"]
