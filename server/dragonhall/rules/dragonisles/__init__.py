"""DragonIsles, for 2 to 5 players: challenge encounters with runs and sets of cards, and grow by it.

The rooms, in reading order: `facts` and `component_set` (cards, boards, component sets, options), `moves` (decisions
and answers), `events` (what happens) and `telling` (who is told), `stage` (what a turn is made of), then the stages in
the order in which they come: `dealing`, `preparing`, `challenging`, `winning`, `earning`; `state` (all that lies on the
table), `questions` and the modules that it lists (answers as codes and as values), `scoring` and `outcome`, `view`
(what is seen), `belief` (what may be hidden, by `whereabouts` and `resuming`; `worlds` deals it anew), `default` (what
is answered for a seat that does not answer). `cards`, `combinations` and `choices` count and number what a hand, dice
and treasures let a seat choose.

Comments name rulings (``RL-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragonisles import component_set, events, facts, questions
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.default import default_action
from dragonhall.rules.dragonisles.setup import new_game
from dragonhall.rules.game import GameOf

DRAGONISLES: Final = GameOf(
    name="dragonisles",
    title="DragonIsles",
    rules_version=1,
    min_seats=facts.MIN_SEATS,
    max_seats=facts.MAX_SEATS,
    options=facts.OPTION_SPECS,
    default_components=component_set.default_components,
    load_components=component_set.load_components,
    make_options=facts.make_options,
    new=new_game,
    action=questions.action_of,
    code=questions.code_of,
    default_action=default_action,
    reveals=events.reveals,
    belief=Belief,
)
