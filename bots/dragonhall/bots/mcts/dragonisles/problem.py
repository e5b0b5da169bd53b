"""DragonIsles as a search sees it: worlds, what seats can tell of them, what they may do, and how worlds end.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragonisles.candidates import Candidates
from dragonhall.bots.mcts.dragonisles.guide import Guide
from dragonhall.bots.mcts.dragonisles.plausibility import Plausibility, Seeds, Step
from dragonhall.bots.mcts.dragonisles.temper import Temper
from dragonhall.bots.mcts.dragonisles.worth import Worth
from dragonhall.bots.mcts.network import Network
from dragonhall.bots.mcts.problem import NONE, Problem, mix
from dragonhall.rules.chance import RandomChance
from dragonhall.rules.dragonisles import cards, stage
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.facts import QUEST_PLACES, TAVERN_PLACES
from dragonhall.rules.dragonisles.scoring import points
from dragonhall.rules.dragonisles.state import State

_MOST_TURNS: Final = 60
"""Turns of each seat after which a world is taken to be over, whatever it looks like."""
_FORESEEABLE: Final = 3
"""With so many encounters left to win, worlds are only played to the end: an estimate would be worth less."""
_COINS: Final = 1000
"""More than there are coins."""


TRUST: Final = 0.5
"""How much an estimate counts beside how a world ends."""
_SEEDS: Final = 1 << 40
_STRIDE: Final = 16
"""Seeds of a simulation: one for its world, and one for each seat."""


@dataclass(frozen=True)
class Setup:
    """What a search of this game is made of; for ablations."""

    trust: float
    """How much an estimate counts, 0 to 1; what is left is how the world ends when it is played out."""
    guided: bool
    """Worlds are played out by the guide; else at random, without an estimate."""
    has_priors: bool
    """What the guide thinks promising is tried first."""
    shares_luck: bool
    """The answers at the root meet the same worlds and dice."""


@final
class Luck:
    """The luck of one simulation, apart for each seat: so that what one seat does leaves the others' dice as they are.

    Simulations of different answers that have the same luck differ by the answers, and by little else.
    """

    def __init__(self, seats: int) -> None:
        self.deals: Random = Random(0)
        """What the world is drawn with."""
        self._rngs: list[Random] = [Random(0) for _ in range(seats)]
        self._chances: list[RandomChance] = [RandomChance(rng) for rng in self._rngs]

    def renew(self, seed: i64) -> None:
        """The luck of another simulation."""
        self.deals.seed(seed)
        for rng in self._rngs:
            seed += 1
            rng.seed(seed)

    def of(self, seat: i64) -> RandomChance:
        """The chance of what happens in a seat's turn."""
        return self._chances[seat]


@final
class IslesProblem(Problem):
    """One decision of one seat."""

    def __init__(self, belief: Belief, world: State, network: Network, setup: Setup, steps: vec[Step]) -> None:
        """``steps``: what others chose lately, and how their hands changed since, by which worlds are weighed."""
        super().__init__(int(world.seats))
        self._belief = belief
        self._world: State = world
        temper = Temper()
        self._guide: Guide = Guide(world.setting, temper)
        self._worth: Worth = Worth(world.setting, self._guide.outlook, network)
        self._candidates: Candidates = Candidates(self._guide, setup.has_priors)
        self._luck: Luck = Luck(int(world.seats))
        self._table: State = world
        """A world that stands for all of them at the root, where only what the deciding seat can tell is looked at."""
        self._at_root: bool = True
        self._seeds: Seeds = Seeds(belief, Plausibility(self._guide, temper, steps), _STRIDE)
        self._tried: dict[int, int] = {}
        """By answer at the root: how often it was tried."""
        self._draws: i64 = 0
        """Worlds drawn."""
        self._weighed: i64 = world.turn + world.seats
        """The turn at whose beginning a world is estimated: after one of every seat."""
        self._standings: vec[i64] = vec[i64]([0] * world.seats)
        self._trust: float = setup.trust
        self._guided: bool = setup.guided
        self._shares_luck: bool = setup.shares_luck

    def begin(self, rng: Random) -> None:
        """The world is drawn once the root's answer is chosen: the answers meet the same worlds in the same order."""
        if not self._seeds.begun:
            self._seeds.begin_with(rng.randrange(_SEEDS))
        self._world = self._table
        self._at_root = True

    def state(self) -> State:
        return self._world

    def actor(self) -> i64:
        return NONE if self._world.asked == stage.OVER else self._world.active

    def candidates(self) -> None:
        self._candidates.find(self._world)
        self.codes = self._candidates.codes
        self.priors = self._candidates.priors

    def apply(self, code: i64, rng: Random) -> None:
        if self._at_root:
            self.draw_world(code)
        self._world.carry_out(code, self._luck.of(self._world.active), None)

    def draw_world(self, code: i64) -> None:
        """Begins the world that this answer at the root meets next."""
        tried = self._tried.get(code, 0)
        self._tried[code] = tried + 1
        if not self._shares_luck:
            tried = int(self._draws)
        self._draws += 1
        self._luck.renew(self._seeds.at(tried))
        self._world = self._belief.sample(self._luck.deals)
        self._at_root = False

    # ---- What the actor can tell

    def key(self) -> i64:
        """What bears on the answer, stage by stage; at most stages the Quest Board does not."""
        world = self._world
        key = mix(mix(mix(1, world.turn), world.asked), world.active)
        asked = world.asked
        if asked == stage.TURN or asked == stage.DRAW:
            return self._with_table(key)
        if asked == stage.HAND_LIMIT:
            return self._with_board(_with_cards(key, world.player().hand))
        if asked == stage.KEEP_TREASURE:
            return mix(mix(key, world.treasure_offer), world.second_treasure)
        if asked == stage.KEEP_ADVENTURER:
            return _with_cards(_with_cards(key, world.player().hand), world.adventurer_offer)
        if asked == stage.ADVANCE:
            return mix(key, world.player().cubes)
        if asked == stage.TAKE_COIN or asked == stage.TAKE_POTION or asked == stage.CHOOSE_CHARACTER:
            return self._with_belongings(key)
        return self._with_challenge(key)

    def _with_table(self, key: i64) -> i64:
        world = self._world
        for place in range(i64(TAVERN_PLACES)):
            key = mix(key, world.tavern[place])
        key = mix(_with_cards(key, world.player().hand), world.draws_left)
        return self._with_board(mix(key, world.player().potions))

    def _with_board(self, key: i64) -> i64:
        for place in range(i64(QUEST_PLACES)):
            key = mix(key, self._world.quest_board[place])
        return key

    def _with_belongings(self, key: i64) -> i64:
        for seat in range(self.seats):
            player = self._world.players[seat]
            key = mix(mix(mix(key, player.character), player.coins), player.potions)
        return key

    def _with_challenge(self, key: i64) -> i64:
        """Which one; then dice by face, as long as some may be rerolled, and after that the total."""
        world = self._world
        key = _with_cards(mix(mix(key, world.challenged), world.approach), world.played)
        if world.asked == stage.BOOST:
            return mix(mix(key, world.total()), world.player().potions)
        return mix(mix(key, world.dice), world.unused)

    # ---- How a world ends

    def finish(self, rng: Random) -> None:
        """Plays to the end; on the way, if that is still far, an estimate is taken that counts a part of the whole."""
        world = self._world
        if not self._guided:
            world.play_out(rng)
            self._end(1.0)
            return
        self._play_on(self._weighed)
        estimated = world.asked != stage.OVER and self._guide.outlook.to_win(world) > _FORESEEABLE
        if estimated:
            self._worth.weigh(world)
            self.expect(self._worth.chances, 1.0)
            if self._trust >= 1.0:
                return
        self._play_on(world.turn + _MOST_TURNS * self.seats)
        self._end(1.0 - self._trust if estimated else 1.0)

    def _play_on(self, end: i64) -> None:
        """As the guide plays, until turn ``end`` begins."""
        world, guide, luck = self._world, self._guide, self._luck
        while world.asked != stage.OVER and (world.asked != stage.TURN or world.turn < end):
            guide.play(world, luck.of(world.active))

    def _end(self, part: float) -> None:
        """Points, and among equals coins, undoubled (RL-17)."""
        world = self._world
        for seat in range(self.seats):
            self._standings[seat] = points(world, seat) * _COINS + world.players[seat].coins
        self.settle(self._standings, part)


def _with_cards(key: i64, card_set: i64) -> i64:
    """`mix` takes 60 bits: the wild cards come after the others."""
    return mix(mix(key, card_set & cards.COLOURED), cards.wilds(card_set))
