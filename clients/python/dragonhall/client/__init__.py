"""A typed asyncio client for Dragonhall.

It speaks the messages of ``dragonhall.v1``, comes back by itself when a connection breaks or the server restarts, goes
on where it was, and never plays anything twice. A whole game of Dragons in which every seat plays at random:

>>> import asyncio, random
>>> from dragonhall.client import Client, asked, open_seat
>>> from dragonhall.dragons.v1 import dragons_pb2
>>> from dragonhall.v1 import games_pb2
>>>
>>> async def play(seat):
...     answered = 0
...     async for observation in seat.observe():
...         decision = asked(observation)
...         if decision and decision.decision_id > answered:  # it may come again, while other seats think
...             answered = decision.decision_id
...             legal = random.choice(decision.legal_actions)
...             await seat.submit(answered, action_index=legal.index)
...
>>> async def main(target):
...     async with Client(target) as client:
...         dragons = games_pb2.GameOptions(dragons=dragons_pb2.Options(open_piles=True))
...         game_id = (await client.create_game(dragons, [open_seat()] * 3)).game.game_id
...         seats = [await client.take_seat(game_id, name) for name in ("Ann", "Bob", "Cid")]
...         await asyncio.gather(*map(play, seats))
...         return await client.get_game(game_id)
...
>>> game = asyncio.run(main(target))  # target: "HOST:PORT" of a server, as `dragonhall serve` prints it
>>> len(game.outcome.results)
3

Without ``await``, for notebooks and threads: `dragonhall.client.sync`.
"""

from __future__ import annotations

from dragonhall.client.access import DEFAULT_TARGET, Tls, TokenProvider
from dragonhall.client.attached import AttachedSeat
from dragonhall.client.client import Client, bot_seat, invited_seat, new_request_id, open_seat
from dragonhall.client.errors import (
    ClientError,
    ConnectionClosed,
    DragonhallError,
    ServerUnavailable,
    TooLate,
    UnsafeCredentials,
)
from dragonhall.client.observing import is_last
from dragonhall.client.play import PlayConnection
from dragonhall.client.prompts import asked
from dragonhall.client.retry import FOR_EVER, Patience
from dragonhall.client.sandbox import knowledge_of
from dragonhall.client.seat import Seat
from dragonhall.client.settings import bank, per_decision

__all__ = [
    "DEFAULT_TARGET",
    "FOR_EVER",
    "AttachedSeat",
    "Client",
    "ClientError",
    "ConnectionClosed",
    "DragonhallError",
    "Patience",
    "PlayConnection",
    "Seat",
    "ServerUnavailable",
    "Tls",
    "TokenProvider",
    "TooLate",
    "UnsafeCredentials",
    "asked",
    "bank",
    "bot_seat",
    "invited_seat",
    "is_last",
    "knowledge_of",
    "new_request_id",
    "open_seat",
    "per_decision",
]
