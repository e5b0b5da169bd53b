"""What a turn of DragonIsles is used for: to prepare, to challenge, or first of all to use a potion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from dragonhall.bots.greedy.dragonisles.hand import Hand, cards_of, hand_of, singles, size
from dragonhall.bots.greedy.dragonisles.outlook import Outlook, Prospect
from dragonhall.rules.dragonisles.facts import (
    CARD_OF,
    MOST_DICE,
    POTIONS,
    Approach,
    Potion,
)
from dragonhall.rules.dragonisles.moves import Action, Challenge, Draw, Prepare, UsePotion

CLOSE_LOOKS: Final = 6
"""Of the choices of cards for a challenge, so many get a plan for what is left in hand; others look worse at once."""

Combinations = dict[tuple[Approach, int], list[Hand]]
"""By approach and number of cards: what may be played."""

Choice = tuple[float, Action]
"""What an action promises, and the action."""


class Turn:
    """The choices of a turn, with the victory points that they promise."""

    def __init__(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self._table = outlook.appraisal.table
        self._hand = outlook.hand
        self._kept = outlook.planner.worth(self._hand)

    def best(self, actions: Sequence[Action]) -> Action:
        """The best of the actions at the turn's first decision."""
        choices: list[Choice] = [(self._prepare(), Prepare())]
        choices += self._challenges(self._least_missed(_combinations(actions)))
        best, action = _best(choices)
        draws = self._draws() if isinstance(action, Prepare) else 0
        return _best([(best, action), *self._potions(POTIONS, actions, best, draws)])[1]

    def best_draw(self, actions: Sequence[Action], draws_left: int) -> Action:
        """The best of the actions while the seat prepares."""
        best, action = _best([(self._draw(action), action) for action in actions if isinstance(action, Draw)])
        return _best([(best, action), *self._potions(("draw_two",), actions, best, draws_left)])[1]

    # ---- Prepare

    def _draws(self) -> int:
        return 3 if self._table.own.character == "sorcerer" else 2

    def _prepare(self) -> float:
        """The hand with the best draws: cards of the Tavern that fit, or what the deck gives on average."""
        planner = self._outlook.planner
        hand, worth = self._hand, self._kept
        tavern = [1 << CARD_OF[card] for card in self._table.view.tavern if card is not None]
        for _ in range(self._draws()):
            gains = [(planner.worth(hand + card) - planner.worth(hand), card) for card in tavern]
            gain, card = max(gains, default=(0.0, 0))
            if gain <= self._outlook.drawn:
                worth += self._outlook.drawn
                continue
            worth += gain
            hand += card
            tavern.remove(card)
        return worth

    def _draw(self, action: Draw) -> float:
        card = None if action.tavern is None else self._table.view.tavern[action.tavern]
        if card is None:
            return self._kept + self._outlook.drawn
        return self._outlook.planner.worth(self._hand + (1 << CARD_OF[card]))

    # ---- Potions

    def _potions(
        self, potions: Iterable[Potion], actions: Sequence[Action], best: float, draws: int
    ) -> Iterable[Choice]:
        """Draw potions, used before the ``best`` that can be done without; the Monk takes a card with each."""
        drawing = self._table.own.character == "monk"
        for potion in potions:
            action = UsePotion(potion, drawing)
            if self._table.potions(potion) and potion != "boost" and action in actions:
                yield self._with(potion, best, draws, monk=int(drawing)), action

    def _with(self, potion: Potion, best: float, draws: int, monk: int) -> float:
        cards = (2 if potion == "draw_two" else 1) + monk
        room = self._table.own.hand_limit - size(self._hand) - draws
        more = self._outlook.drawn * min(cards, max(0, room)) - self._outlook.stock.potions[potion]
        if potion == "draw_two":
            return best + more
        fresh = self._outlook.planner_for_fresh_board.worth(self._hand)
        return max(fresh + self._outlook.stock.turn, best - self._kept + fresh if draws else 0.0) + more

    # ---- Challenge

    def _challenges(self, combinations: Combinations) -> Iterable[Choice]:
        """For every encounter, approach and number of cards: with the cards that are missed least."""
        for place, kind in enumerate(self._table.view.quest_board):
            encounter = None if kind is None else self._table.components.encounters[kind]
            for (approach, cards), hands in combinations.items():
                target = encounter and encounter.target(approach)
                if encounter and target:
                    left, hand = max((self._outlook.left(place, approach, h, self._hand - h), h) for h in hands)
                    prospect = self._outlook.prospects(encounter, approach, target)[cards - 1]
                    worth = self._challenge(prospect, self._outlook.appraisal.success(encounter, target) + left)
                    yield worth, Challenge(place, approach, tuple(cards_of(hand)))

    def _challenge(self, prospect: Prospect, success: float) -> float:
        failure = self._kept + self._outlook.stock.potion
        return prospect.success * success + (1 - prospect.success) * failure - prospect.cost

    def _least_missed(self, combinations: Combinations) -> Combinations:
        """Of every approach and number of cards, those combinations that look best."""
        losses = {card: self._outlook.planner.loss(self._hand, card) for card in singles(self._hand)}

        def missed(hand: Hand) -> float:
            return sum(losses[1 << CARD_OF[card]] for card in cards_of(hand))

        return {group: sorted(hands, key=missed)[:CLOSE_LOOKS] for group, hands in combinations.items()}


def _best(choices: Iterable[Choice]) -> Choice:
    return max(choices, key=lambda choice: choice[0])


def _combinations(actions: Sequence[Action]) -> Combinations:
    """What may be played, taken from the challenges of one encounter for each approach; never more than six cards."""
    combinations: Combinations = {}
    places: dict[Approach, int] = {}
    for action in actions:
        if not isinstance(action, Challenge) or len(action.cards) > MOST_DICE:
            continue
        if places.setdefault(action.approach, action.place) == action.place:
            combinations.setdefault((action.approach, len(action.cards)), []).append(hand_of(action.cards))
    return combinations
