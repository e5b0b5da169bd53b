"""Who comes next."""

from __future__ import annotations

import asyncio

from dragonhall.sandbox.turns import Turns


async def work(turns: Turns, caller: str, order: list[str]) -> None:
    await turns.take(caller)
    order.append(caller)
    await asyncio.sleep(0)
    turns.done()


async def test_callers_come_in_a_round_whatever_they_ask_for() -> None:
    turns, order = Turns(1), list[str]()
    callers = [*"aaaaaa", *"bb", "c"]
    await asyncio.gather(*(work(turns, caller, order) for caller in callers))
    assert order[:6] == ["a", "a", "b", "c", "a", "b"], "the first one found nobody before it"
    assert sorted(order) == callers


async def test_so_many_work_at_once_and_no_more() -> None:
    turns, running, most = Turns(3), 0, 0

    async def one(caller: str) -> None:
        nonlocal running, most
        await turns.take(caller)
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        turns.done()

    for _ in range(2):
        await asyncio.gather(*(one(f"{n % 4}") for n in range(50)))
        assert (running, most) == (0, 3)


async def test_whoever_is_cancelled_takes_nobodys_turn() -> None:
    """Whether it waited still, or its turn had come at that very moment."""
    turns, order = Turns(1), list[str]()
    await turns.take("first")
    gone = [asyncio.create_task(work(turns, caller, order)) for caller in "abc"]
    stays = asyncio.create_task(work(turns, "d", order))
    await asyncio.sleep(0)
    gone[0].cancel()
    await asyncio.sleep(0)
    turns.done()  # b's turn has come
    gone[1].cancel()
    gone[2].cancel()
    await asyncio.wait_for(stays, 5)
    assert order == ["d"]
    await asyncio.wait_for(work(turns, "e", order), 5)
