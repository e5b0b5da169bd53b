"""Dragon's Interest, for 3 to 5 players: borrow gold to build a kingdom, and pay the dragon before it ruins you.

The rooms, in reading order: `facts` (tiles, contracts, component sets, options), `moves` (decisions and answers),
`events` and `tell` (what is told to whom), `rounds` (the turn, stage by stage) and `legal` (what may be answered) on
`state`, which `setup` begins, `scoring` and `outcome`, `view` (what is seen), `belief` with `reckoning` and `amounts`
(what may be hidden), `default` (what is answered for a seat that does not answer). `codes` and `refusals` stand at the
boundary: actions as numbers, and why an action is refused.

Comments name rulings (``RI-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragons_interest import codes, events, facts
from dragonhall.rules.dragons_interest.belief import Belief
from dragonhall.rules.dragons_interest.default import default_action
from dragonhall.rules.dragons_interest.setup import new_game
from dragonhall.rules.game import GameOf

DRAGONS_INTEREST: Final = GameOf(
    name="dragons_interest",
    title="Dragon's Interest",
    rules_version=1,
    min_seats=facts.MIN_SEATS,
    max_seats=facts.MAX_SEATS,
    options=facts.OPTION_SPECS,
    default_components=facts.default_components,
    load_components=facts.load_components,
    make_options=facts.make_options,
    new=new_game,
    action=codes.legal_action_of,
    code=codes.code_of,
    default_action=default_action,
    reveals=events.reveals,
    belief=Belief,
)
