"""Dragons, for 3 to 6 players: gather treasure into piles, and choose one before the others do.

The rooms, in reading order: `facts` (cards, component sets, options), `moves` (decisions and answers), `events` (what
is told to whom), `state` (the turn), `scoring` and `outcome`, `view` (what is seen), `belief` (what may be hidden).
Comments name rulings (``RD-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.random import Random

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons import facts, moves
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.facts import Components, Options
from dragonhall.rules.dragons.moves import Action
from dragonhall.rules.dragons.state import State, new_game
from dragonhall.rules.game import Knowledge
from dragonhall.rules.journal import Journal
from dragonhall.rules.options import OptionSpec


class Dragons:
    """The game, as `dragonhall.rules.game.Game` has it."""

    name = "dragons"
    title = "Dragons"
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
        moves.check_asked(state, seat)
        action = moves.action_of(state, code)
        if action is None or not state.is_legal(seat, code):
            raise moves.refusal(state, seat, action)
        return action

    def code(self, state: State, seat: int, action: Action) -> int:
        """The code of an action that is legal for ``seat`` now. Raises `IllegalAction`."""
        return moves.code_of(state, seat, action)

    def sample(self, knowledge: Knowledge, rng: Random) -> State:
        """A full state that fits. Raises `InconsistentKnowledge`. For many, make one `Belief` and sample it."""
        return Belief(knowledge).sample(rng)


DRAGONS: Final = Dragons()
