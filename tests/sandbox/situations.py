"""Games of all kinds, played for a while."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.service.harness import Running, Seated, at_random, dragonisles, dragons, dragons_interest

GAMES: Final[dict[str, tuple[int, Any]]] = {
    "dragons": (3, dragons(hidden_card=True)),
    "open dragons": (4, dragons(open_piles=True)),
    "dragons_interest": (3, dragons_interest()),
    "dragonisles": (3, dragonisles()),
}
"""By name: seats and options."""


async def played(server: Running, name: str, answers: int, luck: int = 1) -> Seated:
    """A game after so many answers, or at its end. Each is any legal action; in Dragons, where claims end it soon, the
    first one."""
    seats, options = GAMES[name]
    game = await server.seated(seats, options=options, seed=luck.to_bytes(32))
    choose = at_random(Random(luck))
    for _ in range(answers):
        if (await server.game(game.game_id)).HasField("outcome"):
            break
        seat, prompt = await server.prompt(game)
        index = 0 if "dragons" in name.split() else choose(prompt)
        await server.submit(game, seat, prompt.decision_id, index)
    return game
