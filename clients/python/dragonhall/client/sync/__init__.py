"""The client for notebooks, scripts and threads: blocking, with the names and arguments of `dragonhall.client`.

Streams are iterators. Everything runs in one thread behind the scenes, so that it works where an event loop is running
already, as in a notebook. A whole game of Dragons against two bots, in which one seat plays at random:

>>> import random
>>> from dragonhall.client import asked, bot_seat, open_seat
>>> from dragonhall.client.sync import SyncClient
>>> from dragonhall.dragons.v1 import dragons_pb2
>>> from dragonhall.v1 import games_pb2
>>>
>>> with SyncClient(target) as client:  # target: "HOST:PORT" of a server, as `dragonhall demo` prints it
...     dragons = games_pb2.GameOptions(dragons=dragons_pb2.Options(open_piles=True))
...     seats = [open_seat(), bot_seat("greedy"), bot_seat("random")]
...     seat = client.take_seat(client.create_game(dragons, seats).game.game_id, "Ann")
...     answered = 0
...     for observation in seat.observe():
...         decision = asked(observation)
...         if decision and decision.decision_id > answered:  # it may come again, while other seats think
...             answered = decision.decision_id
...             result = seat.submit(answered, action_index=random.choice(decision.legal_actions).index)
...     game = client.get_game(seat.game_id)
>>> len(game.outcome.results)
3
"""

from __future__ import annotations

from dragonhall.client.sync.blocking import SyncStream
from dragonhall.client.sync.client import SyncClient
from dragonhall.client.sync.play import SyncAttachedSeat, SyncPlayConnection
from dragonhall.client.sync.seat import SyncSeat

__all__ = ["SyncAttachedSeat", "SyncClient", "SyncPlayConnection", "SyncSeat", "SyncStream"]
