"""Dragons, for 3 to 6 players: gather treasure into piles, and choose one before the others do.

The rooms, in reading order: `facts` (cards, component sets, options), `moves` (decisions and answers), `events` (what
is told to whom), `state` (the turn), `scoring` and `outcome`, `view` (what is seen), `belief` (what may be hidden),
`default` (what is answered for a seat that does not answer).
Comments name rulings (``RD-1`` …): points that the printed rules leave open, decided once.
"""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragons import events, facts, moves
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.default import default_action
from dragonhall.rules.dragons.state import new_game
from dragonhall.rules.game import GameOf

DRAGONS: Final = GameOf(
    name="dragons",
    title="Dragons",
    rules_version=1,
    min_seats=facts.MIN_SEATS,
    max_seats=facts.MAX_SEATS,
    options=facts.OPTION_SPECS,
    default_components=facts.default_components,
    load_components=facts.load_components,
    make_options=facts.make_options,
    new=new_game,
    action=moves.legal_action_of,
    code=moves.code_of,
    default_action=default_action,
    reveals=events.reveals,
    belief=Belief,
)
