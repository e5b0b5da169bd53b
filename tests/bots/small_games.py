"""Games small enough to know how they should be played, as problems for the search."""

from __future__ import annotations

from typing import Any

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.problem import NONE, Problem, mix
from dragonhall.bots.mcts.search import Search, Tuning
from dragonhall.bots.mcts.tree import Tree


class SmallGame(Problem):
    """A game of which a world is a tuple of moves made, after what chance has drawn."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.drawn = 0
        self.moves: list[int] = []

    def begin(self, rng: Random) -> None:
        self.drawn = self.draw(rng)
        self.moves = list(self.start())

    def start(self) -> list[int]:
        """The moves before the decision."""
        return []

    def draw(self, rng: Random) -> int:
        """What chance has drawn."""
        return 0

    def state(self) -> Any:
        raise NotImplementedError("these games have no rules of their own")

    def key(self) -> i64:
        key = 1
        for number in self.known():
            key = mix(key, number)
        return key

    def known(self) -> list[int]:
        """What the actor can tell."""
        return self.moves

    def offers(self) -> list[int]:
        """What the actor may do."""
        return [0, 1]

    def candidates(self) -> None:
        self.codes = vec[i64](self.offers())
        self.priors = vec[float]([1.0] * len(self.codes))

    def apply(self, code: i64, rng: Random) -> None:
        self.moves.append(code)

    def finish(self, rng: Random) -> None:
        while self.actor() != NONE:
            offers = self.offers()
            self.apply(offers[rng.randrange(len(offers))], rng)
        for seat, utility in enumerate(self.result()):
            self.utilities[seat] = utility
            self.ranks[seat] = 1 + (1 - utility) * float(len(self.ranks) - 1)

    def result(self) -> list[float]:
        """What each seat has of it."""
        raise NotImplementedError("a game says how it ends")


class GuessOrTake(SmallGame):
    """One seat: guess which of two cards lies there (0 or 1) and win, or take (2) 0.7 of a win. Whoever could see the
    card would guess."""

    def __init__(self) -> None:
        super().__init__(1)

    def draw(self, rng: Random) -> int:
        return rng.randrange(2)

    def actor(self) -> i64:
        return NONE if self.moves else 0

    def offers(self) -> list[int]:
        return [0, 1, 2]

    def result(self) -> list[float]:
        return [0.7 if self.moves[0] == 2 else float(self.moves[0] == self.drawn)]


class MatchingPennies(SmallGame):
    """Two seats choose together; seat 1 wins if both chose the same. Seat 1 comes second and cannot tell."""

    def __init__(self) -> None:
        super().__init__(2)

    def actor(self) -> i64:
        return len(self.moves) if len(self.moves) < 2 else NONE

    def in_secret(self) -> bool:
        return True

    def known(self) -> list[int]:
        return [self.actor()]

    def result(self) -> list[float]:
        same = float(self.moves[0] == self.moves[1])
        return [1 - same, same]


class SecretHoldings(SmallGame):
    """Two seats choose together. Seat 0 holds one of a thousand things, which seat 1 cannot tell; choosing 1 wins."""

    def __init__(self) -> None:
        super().__init__(2)

    def draw(self, rng: Random) -> int:
        return rng.randrange(1000)

    def actor(self) -> i64:
        return len(self.moves) if len(self.moves) < 2 else NONE

    def in_secret(self) -> bool:
        return True

    def known(self) -> list[int]:
        return [self.drawn] if self.actor() == 0 else [-1]

    def result(self) -> list[float]:
        return [0.5, float(self.moves[1])]


class TicTacToe(SmallGame):
    """Two seats, all in the open, from a position on. A move is a field, 0 to 8."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self, moves: list[int]) -> None:
        super().__init__(2)
        self._begin = moves

    def start(self) -> list[int]:
        return self._begin

    def winner(self) -> int | None:
        for seat in range(2):
            own = set(self.moves[seat::2])
            if any(own.issuperset(line) for line in self.LINES):
                return seat
        return None

    def actor(self) -> i64:
        return NONE if self.winner() is not None or len(self.moves) == 9 else len(self.moves) % 2

    def offers(self) -> list[int]:
        return [field for field in range(9) if field not in self.moves]

    def result(self) -> list[float]:
        winner = self.winner()
        return [0.5 if winner is None else float(seat == winner) for seat in range(2)]


class Auction(SmallGame):
    """One seat names an amount from 0 to 199; the nearer to 150, the better. Low amounts are taken to be promising."""

    def __init__(self) -> None:
        super().__init__(1)

    def actor(self) -> i64:
        return NONE if self.moves else 0

    def offers(self) -> list[int]:
        return list(range(200))

    def candidates(self) -> None:
        super().candidates()
        self.priors = vec[float]([1.0 / (1 + amount) for amount in range(200)])

    def result(self) -> list[float]:
        return [1 - abs(self.moves[0] - 150) / 200]


def searched(
    problem: Problem, seat: int, simulations: int, seed: int = 1, tuning: Tuning | None = None
) -> tuple[Search, int]:
    """A search that was run, and its root."""
    search, rng = Search(problem, Tree(), tuning or Tuning()), Random(seed)
    root = search.take_root(seat, vec[i64](), 0.1, rng)
    search.run(simulations, rng)
    return search, root
