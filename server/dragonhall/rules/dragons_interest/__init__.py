"""Dragon's Interest, for 3 to 5 players: borrow gold to build a kingdom, and pay the dragon before it ruins you.

The rooms, in reading order: `facts` (tiles, contracts, component sets, options), `moves` (decisions and answers),
`events` and `tell` (what is told to whom), `rounds` (the turn, stage by stage) and `legal` (what may be answered) on
`state`, which `setup` begins, `scoring` and `outcome`, `view` (what is seen), `belief` with `reckoning` and `amounts`
(what may be hidden). `codes` and `refusals` stand at the boundary: actions as numbers, and why an action is refused.

Comments name rulings (``RI-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.random import Random

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons_interest import codes, facts
from dragonhall.rules.dragons_interest.belief import Belief
from dragonhall.rules.dragons_interest.facts import Components, Options
from dragonhall.rules.dragons_interest.moves import Action
from dragonhall.rules.dragons_interest.setup import new_game
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.game import Knowledge
from dragonhall.rules.journal import Journal
from dragonhall.rules.options import OptionSpec


class DragonsInterest:
    """The game, as `dragonhall.rules.game.Game` has it."""

    name = "dragons_interest"
    title = "Dragon's Interest"
    rules_version = 1
    min_seats = facts.MIN_SEATS
    max_seats = facts.MAX_SEATS
    options: tuple[OptionSpec, ...] = facts.OPTION_SPECS

    def default_components(self) -> Components:
        """The default set."""
        return facts.default_components()

    def load_components(self, text: str) -> Components:
        """A set from the text of a TOML file. Raises `InvalidComponents`."""
        return facts.load_components(text)

    def make_options(self, values: Mapping[str, object]) -> Options:
        """Options by name. Raises `InvalidOptions`."""
        return facts.make_options(values)

    def new(
        self, components: Components, options: Options, seats: int, chance: Chance, journal: Journal | None
    ) -> State:
        """A new game. Raises `InvalidOptions`."""
        return new_game(components, options, seats, chance, journal)

    def action(self, state: State, seat: int, code: int) -> Action:
        """The action of a code that is legal for ``seat`` now. Raises `IllegalAction`."""
        return codes.legal_action_of(state, seat, code)

    def code(self, state: State, seat: int, action: Action) -> int:
        """The code of an action that is legal for ``seat`` now. Raises `IllegalAction`."""
        return codes.code_of(state, seat, action)

    def sample(self, knowledge: Knowledge, rng: Random) -> State:
        """A full state that fits. Raises `InconsistentKnowledge`. For many, make one `Belief` and sample it."""
        return Belief(knowledge).sample(rng)


DRAGONS_INTEREST: Final = DragonsInterest()
