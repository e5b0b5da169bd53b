"""DragonIsles, for 2 to 5 players: challenge encounters with runs and sets of cards, and grow by it.

The rooms, in reading order: `facts` and `component_set` (cards, boards, component sets, options), `moves` (decisions
and answers), `events` (what happens) and `telling` (who is told), `stage` (what a turn is made of), then the stages in
the order in which they come: `dealing`, `preparing`, `challenging`, `winning`, `earning`; `state` (all that lies on the
table), `questions` and the modules that it lists (answers as codes and as values), `scoring` and `outcome`, `view`
(what is seen), `belief` (what may be hidden, by `whereabouts` and `resuming`; `worlds` deals it anew). `cards`,
`combinations` and `choices` count and number what a hand, dice and treasures let a seat choose.

Comments name rulings (``RL-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.random import Random

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragonisles import component_set, facts, questions
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.facts import Components, Options
from dragonhall.rules.dragonisles.moves import Action
from dragonhall.rules.dragonisles.setup import new_game
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.game import Knowledge
from dragonhall.rules.journal import Journal
from dragonhall.rules.options import OptionSpec


class DragonIsles:
    """The game, as `dragonhall.rules.game.Game` has it."""

    name = "dragonisles"
    title = "DragonIsles"
    rules_version = 1
    min_seats = facts.MIN_SEATS
    max_seats = facts.MAX_SEATS
    options: tuple[OptionSpec, ...] = facts.OPTION_SPECS

    def default_components(self) -> Components:
        """The default set."""
        return component_set.default_components()

    def load_components(self, text: str) -> Components:
        """A set from the text of a TOML file. Raises `InvalidComponents`."""
        return component_set.load_components(text)

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
        return questions.action_of(state, seat, code)

    def code(self, state: State, seat: int, action: Action) -> int:
        """The code of an action that is legal for ``seat`` now. Raises `IllegalAction`."""
        return questions.code_of(state, seat, action)

    def sample(self, knowledge: Knowledge, rng: Random) -> State:
        """A full state that fits. Raises `InconsistentKnowledge`. For many, make one `Belief` and sample it."""
        return Belief(knowledge).sample(rng)


DRAGONISLES: Final = DragonIsles()
