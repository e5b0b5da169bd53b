"""What every game has in common: the boundary through which the rest of Dragonhall uses a game.

Inside a game an action is a small integer, its *code*; typed actions exist at this boundary. Each game is a folder with
the same rooms: ``facts`` (components and options), ``moves`` (decisions and answers), ``events`` (what is told to
whom), ``state`` (the turn), ``scoring`` and ``outcome``, ``view`` (what a reader sees), ``belief`` (full states that
fit what it knows). Its ``__init__`` puts one `Game` together, and `dragonhall.rules.GAMES` lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from librt.random import Random

from dragonhall.rules.actions import ActionList, Run
from dragonhall.rules.chance import Chance
from dragonhall.rules.journal import Journal
from dragonhall.rules.options import OptionSpec

TO_THE_END: Final = 2**62
"""More actions than any game has."""


@dataclass(frozen=True)
class SeatResult:
    """How one seat ended. ``breakdown`` is a dataclass of the game's own, one field a scoring step."""

    seat: int
    score: int
    rank: int
    """1 is the winner; ties share a rank: 1, 1, 3."""
    eliminated: bool
    breakdown: Any
    forfeited: bool = False
    """Gave the game up, or was out of time: ranks behind all others (`dragonhall.rules.forfeits`)."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: one result a seat, in seat order."""

    results: tuple[SeatResult, ...]

    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1; more than one if they share the win."""
        return tuple(result.seat for result in self.results if result.rank == 1)


@dataclass(frozen=True)
class Knowledge:
    """All that one reader of a game can know: what beliefs are made from."""

    components: Any
    options: Any
    viewer: int | None
    """A seat; ``None`` for a spectator."""
    view: Any
    """The reader's newest view."""
    events: Sequence[Any]
    """Every event that the reader was told, in order."""


class Components(Protocol):
    """A game's component data, from a TOML file. A frozen value."""

    def __hash__(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...
    def to_data(self) -> dict[str, Any]:
        """The whole set as plain JSON data, keys as in the TOML file, without provenance."""
        ...


class State(Protocol):
    """A full state: all that is hidden too. Never leaves the server for a seat."""

    @property
    def seats(self) -> int: ...
    def copy(self) -> Self: ...
    def is_over(self) -> bool: ...
    def pending(self) -> list[int]:
        """The seats that are asked to decide now, ascending; several in a simultaneous decision; none when over.

        A seat that is asked stays asked the same question until it has answered.
        """
        ...

    def decision(self, seat: int) -> Any:
        """What a pending seat is asked, as it knows it: the game's own frozen dataclass."""
        ...

    def public_decision(self, seat: int) -> Any:
        """The same as everyone may know it: what the seat alone knows is absent."""
        ...

    def legal_runs(self, seat: int) -> list[Run]:
        """The codes that `apply` accepts from a pending seat, in canonical (ascending) order, never empty.

        They do not change before the seat has answered. A code fits in 64 bits without a sign.
        """
        ...

    def legal_actions(self, seat: int) -> list[int]:
        """The same codes one by one."""
        ...

    def is_legal(self, seat: int, code: int) -> bool:
        """Whether `apply` accepts ``code``, which may be any number, from a pending seat."""
        ...

    def apply(self, seat: int, action: int, chance: Chance, journal: Journal | None) -> None:
        """Carries out a legal action; tells ``journal``, if given. Raises `IllegalAction`, then nothing has changed."""
        ...

    def view(self, viewer: int | None) -> Any:
        """What seat ``viewer`` (``None``: a spectator) sees on the table now, as the game's own frozen dataclass."""
        ...

    def outcome(self) -> Outcome:
        """The result of a game that is over."""
        ...

    def standing(self) -> Outcome:
        """The result if the game ended now, scored as it stands: of a game that is over, its outcome."""
        ...

    def evaluate(self) -> list[int]:
        """Every seat's points if the game ended now: a one-ply evaluation of full (sampled) states."""
        ...

    def play_out(self, rng: Random, most: int = TO_THE_END) -> int:
        """Plays to the end, or for ``most`` actions, every seat choosing evenly among its legal actions.

        Returns the number of actions.
        """
        ...


AnyComponents = TypeVar("AnyComponents", bound=Components)
AnyState = TypeVar("AnyState", bound=State)
SampledState = TypeVar("SampledState", bound=State, covariant=True)


class Belief(Protocol[SampledState]):
    """What one reader can tell about a game: made once, sampled as often as wanted."""

    def sample(self, rng: Random) -> SampledState:
        """A full state that fits what the reader knows. ``rng`` is the caller's own, never the game's."""
        ...


@dataclass(frozen=True)
class GameOf(Generic[AnyComponents, AnyState]):
    """One game's rules: its rooms' functions, behind the same names for every game. `dragonhall.rules.GAMES` lists all.

    What is `Any` here is the game's own.
    """

    name: str
    """Stable id, as ``dragons``: the proto package is ``dragonhall.<name>.v1``."""
    title: str
    rules_version: int
    """Raised whenever the same inputs would give another game; a log of another version is not replayed."""
    min_seats: int
    max_seats: int
    options: tuple[OptionSpec, ...]
    default_components: Callable[[], AnyComponents]
    load_components: Callable[[str], AnyComponents]
    """A component set from a TOML text. Raises `InvalidComponents` naming the key that is wrong."""
    make_options: Callable[[Mapping[str, object]], Any]
    """The game's options dataclass from values by name. Raises `InvalidOptions` for unknown names and wrong types."""
    new: Callable[[AnyComponents, Any, int, Chance, Journal | None], AnyState]
    """Sets a game up, given components, options, seats, chance and a journal or none.

    Raises `InvalidOptions` (field ``seats`` for a wrong number of them).
    """
    action: Callable[[Any, int, int], Any]
    """The typed action of a state's seat and code; raises `IllegalAction` if that is not legal for a pending seat."""
    code: Callable[[Any, int, Any], int]
    """The code of a state's seat and typed action; raises `IllegalAction` if it is not legal for a pending seat now.

    An action that can be written in several ways, such as cards named in any order, has one code.
    """
    default_action: Callable[[Any, int], int]
    """The code that a state's pending seat is taken to answer when it does not answer: legal, sane and cheap.

    It depends on nothing that the seat does not know, and not on chance. Seats that are all played by it play every
    game to its end. Raises `IllegalAction` if the seat is not asked.
    """
    reveals: Callable[[Any], bool]
    """Whether an event shows somebody something that was hidden before: cards, tokens, or what others chose in secret.

    Asked of all copies of a step's events. What a seat chose for all to see is no reveal, unless it shows what it held.
    """
    belief: Callable[[Knowledge], Belief[AnyState]]
    """What a reader can tell. Raises `InconsistentKnowledge`."""

    def sample(self, knowledge: Knowledge, rng: Random) -> AnyState:
        """A full state that fits. Raises `InconsistentKnowledge`. For many, make one `belief` and sample it."""
        return self.belief(knowledge).sample(rng)


Game = GameOf[Any, Any]
"""Any game's rules."""


def legal_actions(game: Game, state: State, seat: int) -> ActionList:
    """The typed legal actions of a pending seat in canonical order: an action's index is its place here."""
    return ActionList((game.action(state, seat, run.first), run.size) for run in state.legal_runs(seat))
