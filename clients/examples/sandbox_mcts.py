"""Monte Carlo tree search in which the server knows the rules: sits down with two bots called "random" and plays."""

from __future__ import annotations

import asyncio
import sys
from math import log, sqrt

from dragonhall.client import Client, Seat, asked, bot_seat, knowledge_of, open_seat
from dragonhall.dragons.v1.dragons_pb2 import Options
from dragonhall.v1 import sandbox_service_pb2 as sandbox
from dragonhall.v1.games_pb2 import GameOptions

ROUNDS, WORLDS, DEPTH = 3, 24, 3  # a decision: so many rounds, each in so many new worlds, up to so many moves deep

Edge = list[float]  # how often an action was tried, and what its seat had of it in all
Tree = dict[bytes, dict[int, Edge]]  # what the seat sees that is asked -> what it may do


def select(node: dict[int, Edge], legal: list[int]) -> int:
    """Of the actions that are legal in this world one that has done well, or was seldom tried."""
    edges = {index: node.setdefault(index, [0, 0.0]) for index in legal}
    visits = sum(tried for tried, _ in edges.values())
    return max(legal, key=lambda i: edges[i][1] / edges[i][0] + sqrt(log(visits) / edges[i][0]) if edges[i][0] else 9)


def descend(tree: Tree, position: sandbox.Position, line: sandbox.Line, path: list[tuple[int, Edge]]) -> bool:
    """One move further. Whether the seat that makes it has been there before."""
    if not position.asked:
        return False
    seat, sees = position.asked[0].seat, position.views[0].view.SerializeToString(deterministic=True)
    known, node = sees in tree, tree.setdefault(sees, {})
    index = select(node, [entry.index for entry in position.asked[0].legal_actions])
    node[index][0] += 1  # at once, so that the other worlds of this round try something else
    path.append((seat, node[index]))
    line.moves.append(sandbox.Move(seat=seat, action_index=index))
    return known


async def think(client: Client, knowledge: sandbox.Knowledge, seed: int) -> int:
    """The action_index that was tried most often."""
    tree: Tree = {}
    for first in range(0, ROUNDS * WORLDS, WORLDS):
        lines = [sandbox.Line(worlds=sandbox.WorldRange(first=first + n)) for n in range(WORLDS)]
        paths: list[list[tuple[int, Edge]]] = [[] for _ in lines]
        down = list(range(WORLDS))
        while down and len(paths[down[0]]) < DEPTH:
            asks = sandbox.ExploreRequest(knowledge=knowledge, seed=seed, lines=[lines[n] for n in down])
            asks.views, asks.legal_actions = sandbox.POSITION_VIEWS_ASKED, True
            shown = [position async for response in client.explore(asks) for position in response.positions]
            down = [n for n, position in zip(down, shown, strict=True) if descend(tree, position, lines[n], paths[n])]
        async for response in client.roll_out(sandbox.RollOutRequest(knowledge=knowledge, seed=seed, lines=lines)):
            for totals in response.totals:
                for seat, edge in paths[totals.line]:
                    edge[1] += totals.payoffs[seat]
    root = tree[knowledge.view.SerializeToString(deterministic=True)]
    return max(root, key=lambda index: root[index][0])


async def play(client: Client, seat: Seat) -> None:
    """To the game's end."""
    answered = 0
    async for observation in seat.observe():
        decision = asked(observation)
        if decision and decision.decision_id > answered:
            answered = decision.decision_id
            knowledge = knowledge_of((await seat.perspective()).snapshot)
            await seat.submit(answered, action_index=await think(client, knowledge, seed=answered))


async def main(target: str) -> None:
    """One game."""
    async with Client(target) as client:
        seats = [open_seat(), bot_seat("random"), bot_seat("random")]
        game_id = (await client.create_game(GameOptions(dragons=Options()), seats)).game.game_id
        await play(client, await client.take_seat(game_id, "sandbox"))
        for result in (await client.get_game(game_id)).outcome.results:
            print(f"seat {result.seat}: {result.score} points, rank {result.rank}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7350"))
