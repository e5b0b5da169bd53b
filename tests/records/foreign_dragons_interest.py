"""A reader of records of Dragon's Interest that shares no code with the product, written from the comments of the
.proto files. What it is for is said in `foreign_parts`.

Types and tokens go by their names in JSON. Whatever a seat pays it must have: where a record lets a seat do what it
may not, an assertion fails.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tests.records.foreign_parts import JSON, Table, message, ranks, replay

GAME: Final = "dragonsInterest"
TYPES: Final = tuple(f"BUILDING_TYPE_{name}" for name in ("CASTLE", "HARBOR", "TEMPLE", "CITY_HALL", "GUILD", "ARENA"))
CASTLE, HARBOR, TEMPLE, CITY_HALL, GUILD, ARENA = TYPES
STACK_TILES: Final = dict(zip(TYPES, ("castle", "harbor", "temple", "cityHall", "guild", "arena"), strict=True))
"""The field of Components.tiles of each type."""
GOLD: Final = "TOKEN_GOLD"
KNIGHTS: Final = "TOKEN_KNIGHTS"
INCOME: Final = {CASTLE: KNIGHTS, HARBOR: GOLD, TEMPLE: GOLD, CITY_HALL: KNIGHTS, GUILD: KNIGHTS, ARENA: GOLD}
OFFERED: Final = {CASTLE: KNIGHTS, HARBOR: GOLD, TEMPLE: KNIGHTS, CITY_HALL: GOLD}
STAKES: Final[dict[str, JSON]] = {
    GUILD: {"stakeToken": KNIGHTS, "stake": 3, "commitmentToken": GOLD},
    ARENA: {"stakeToken": GOLD, "stake": 6, "commitmentToken": KNIGHTS},
}
SUPPLIES: Final = {3: {GOLD: 0, KNIGHTS: 6}, 4: {GOLD: 0, KNIGHTS: 3}, 5: {GOLD: 6, KNIGHTS: 3}}
ENOUGH_BUILDINGS: Final = 10
INVASION_COST: Final = 2


def rebuild(record: JSON) -> JSON:
    """Its ``steps`` and ``outcome``, as `replay` says."""
    return replay(record, InterestTable(record))


def _name(building: str) -> str:
    return building.removeprefix("BUILDING_TYPE_").lower()


def _stack(tiles: JSON, shuffle: JSON) -> list[JSON]:
    """The tile that is turned up first at first."""
    return [*([tiles["start"]] if "start" in tiles else []), *shuffle["dragonsInterestTiles"]["tiles"]]


def by_number(contract: JSON) -> int:
    """Sorts contracts: by number, the Jester last."""
    return int(contract.get("number", 100))


class InterestTable(Table):
    """Tiles and contracts are their JSON; what seats have is a list by seat of counts by type or token."""

    def __init__(self, record: JSON) -> None:
        super().__init__(GAME, len(record["seats"]))
        options, components = record["options"][GAME], record["componentSet"][GAME]
        chance = record["steps"][0]["chance"]
        self.rotates = options.get("startPlayer") != "START_PLAYER_FIXED"
        self.jester = components["contracts"]["jester"]
        types = [building for building in TYPES if building != GUILD or self.seats > 3]
        self.ring = [building for building in components["mountain"]["ring"] if building in types]
        drawn = [*map(_name, types), *([] if "firstSeat" in options else ["first_seat"])]
        assert [outcome["name"] for outcome in chance] == [f"dragons_interest/{name}" for name in drawn]
        self.stacks = {
            building: _stack(components["tiles"][STACK_TILES[building]], shuffle)
            for building, shuffle in zip(types, chance[: len(types)], strict=True)
        }
        numbered = [{"number": number} for number in components["contracts"]["numbers"]]
        self.hands: list[list[JSON]] = [[*numbered, {}] for _ in range(self.seats)]
        self.held = [Counter(SUPPLIES[self.seats]) for _ in range(self.seats)]
        self.buildings: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.tucked: list[list[JSON]] = [[] for _ in range(self.seats)]
        self.ruined: list[int] = []
        self.dragon = 0  # the place in the ring of the stack that it passes next
        self.round = 0
        self.turn_up_tiles()
        self.begin_round(options["firstSeat"] if "firstSeat" in options else chance[-1].get("number", 0))

    # -- asking and answering -----------------------------------------------------------------------------------------

    def ask(self, *seats: int, **decision: JSON) -> None:
        self.question = dict.fromkeys(seats, decision)

    def asked(self) -> dict[int, JSON]:
        return self.question

    def act(self, actions: dict[int, JSON]) -> None:
        together = {"bid": self.bid, "commit": self.commit, "invasion": self.suffer_invasion}
        alone = {
            "take": self.take,
            "passTurn": self.pass_turn,
            "activate": self.activate,
            "offer": self.offer,
            "accept": self.accept,
            "match": self.match,
            "award": self.award,
        }
        [decision] = {kind for decision in self.question.values() for kind in decision}
        if decision in together:
            together[decision](actions)
        else:
            [(seat, action)] = actions.items()
            [(kind, fields)] = action.items()
            alone[kind](seat, fields)

    # -- what seats have ----------------------------------------------------------------------------------------------

    def pay(self, seat: int, token: str, amount: int) -> None:
        assert 0 <= amount <= self.held[seat][token]
        self.held[seat][token] -= amount

    def lose_building(self, seat: int, building: str) -> None:
        assert self.buildings[seat][building] > 0
        self.buildings[seat][building] -= 1

    def hand_over(self, building: str, giver: int, receiver: int) -> None:
        self.lose_building(giver, building)
        self.buildings[receiver][building] += 1

    def with_buildings(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.buildings[seat].total()]

    # -- phase 1: borrowing -------------------------------------------------------------------------------------------

    def begin_round(self, start_player: int) -> None:
        self.round += 1
        self.start_player = start_player
        self.tell("roundStarted", round=self.round, startPlayer=start_player)
        self.ask(*range(self.seats), bid={})

    def bid(self, actions: dict[int, JSON]) -> None:
        self.bids: list[JSON] = [actions[seat]["bid"]["contract"] for seat in range(self.seats)]
        for seat, contract in enumerate(self.bids):
            self.hands[seat].remove(contract)
        raised = any(contract.get("number") in self.jester["needsAnyOf"] for contract in self.bids)
        values = [contract.get("number", self.jester["value"] if raised else 0) for contract in self.bids]
        takers = [seat for seat in self.clockwise_from(self.start_player) if values[seat]]
        self.takers = sorted(takers, key=lambda seat: -values[seat])
        revealed = [message(seat=s, contract=self.bids[s], value=values[s]) for s in range(self.seats)]
        self.tell("bidsRevealed", bids=revealed, takeOrder=self.takers.copy())
        self.return_contracts([seat for seat in range(self.seats) if not values[seat]])
        self.collected = [0] * self.seats
        self.ask_taker()

    def return_contracts(self, seats: list[int]) -> None:
        for seat in seats:
            self.hands[seat].append(self.bids[seat])
            self.tell("contractReturned", seat=seat, contract=self.bids[seat])

    def ask_taker(self) -> None:
        if self.takers and any("gold" in tile for tile in self.face_up.values()):
            self.ask(self.takers[0], take={})
            return
        self.return_contracts(self.takers)
        if self.shown("GENEROUS_DRAGON"):
            for seat, gold in enumerate(self.collected):
                self.held[seat][GOLD] += gold
            self.tell("goldCollectedAgain", amounts=self.collected)
            self.refresh()
        else:
            self.turns = self.clockwise_from(self.start_player)
            self.next_turn()

    def take(self, seat: int, fields: JSON) -> None:
        self.takers.remove(seat)
        building, contract = fields["building"], self.bids[seat]
        tile = self.face_up.pop(building)
        value = contract.get("number", self.jester["value"])
        self.collected[seat] = tile["gold"]
        self.held[seat][GOLD] += tile["gold"]
        self.buildings[seat][building] += 1
        self.tucked[seat].append(message(building=building, contract=contract, value=value))
        self.tell("tileTaken", seat=seat, tile=tile, contract=contract, value=value)
        self.ask_taker()

    # -- phase 2: activation ------------------------------------------------------------------------------------------

    def next_turn(self) -> None:
        if self.turns:
            self.active = self.turns.pop(0)
            self.ask(self.active, activation={})
        else:
            self.refresh()

    def pass_turn(self, seat: int, _: JSON) -> None:
        self.tell("passed", seat=seat)
        self.next_turn()

    def activate(self, seat: int, fields: JSON) -> None:
        building = fields["building"]
        assert self.buildings[seat][building]
        self.tell("buildingActivated", seat=seat, building=building)
        self.take_income(building, range(self.seats) if building in STAKES else [seat])
        if building in STAKES:
            self.place_stake(seat, building)
        else:
            assert self.with_buildings() != [seat]
            self.ask(seat, offer={"activated": building, "token": OFFERED[building]})

    def take_income(self, building: str, earners: Any) -> None:
        amounts = [self.buildings[seat][building] if seat in earners else 0 for seat in range(self.seats)]
        for seat, amount in enumerate(amounts):
            self.held[seat][INCOME[building]] += amount
        self.tell("incomeTaken", token=INCOME[building], amounts=amounts)

    # The exchange.

    def offer(self, seat: int, fields: JSON) -> None:
        token, target, amount = self.question[seat]["offer"]["token"], fields.get("target", 0), fields.get("amount", 0)
        assert target != seat
        assert self.buildings[target][fields["building"]]
        self.pay(seat, token, amount)
        self.parties = [seat, target]
        self.chest = {**message(seat=seat, target=target, building=fields["building"], token=token), "amount": amount}
        self.tell_exchange("offerMade")
        self.ask(target, answer={"chest": self.chest})

    def closed_chest(self) -> JSON:
        """As all see it but the two seats."""
        return {name: value for name, value in self.chest.items() if name != "amount"}

    def tell_exchange(self, kind: str, **fields: Any) -> None:
        known, hidden = message(chest=self.chest, **fields), message(chest=self.closed_chest(), **fields)
        self.tell_apart(kind, self.parties, known, hidden)

    def accept(self, target: int, _: JSON) -> None:
        self.held[target][self.chest["token"]] += self.chest["amount"]
        self.hand_over(self.chest["building"], giver=target, receiver=self.active)
        self.tell_exchange("offerAccepted")
        self.next_turn()

    def match(self, target: int, fields: JSON) -> None:
        token, amount = self.chest["token"], self.chest["amount"]
        self.pay(target, token, amount)
        self.held[self.active][token] += 2 * amount
        self.hand_over(fields["building"], giver=self.active, receiver=target)
        self.tell_exchange("offerMatched", building=fields["building"])
        self.next_turn()

    # The contest.

    def place_stake(self, seat: int, building: str) -> None:
        stake = STAKES[building]
        self.contest = message(seat=seat, building=building, **stake)
        self.pay(seat, stake["stakeToken"], stake["stake"])
        self.tell("stakePlaced", seat=seat, token=stake["stakeToken"], amount=stake["stake"])
        self.ask(*range(self.seats), commit={"contest": self.contest})

    def commit(self, actions: dict[int, JSON]) -> None:
        amounts = [actions[seat]["commit"].get("amount", 0) for seat in range(self.seats)]
        for seat, amount in enumerate(amounts):
            assert 0 <= amount <= self.held[seat][self.contest["commitmentToken"]]
        self.tell("commitmentsRevealed", token=self.contest["commitmentToken"], amounts=amounts)
        self.contest = {**self.contest, "commitments": amounts}
        best = [seat for seat in range(self.seats) if amounts[seat] == max(amounts)]
        if not max(amounts):
            self.return_stake()
        elif len(best) == 1:
            self.settle(best[0])
        else:
            self.ask(self.active, award={"contest": self.contest, "tied": best})

    def award(self, seat: int, fields: JSON) -> None:
        winner = fields.get("seat", 0)
        assert winner in self.question[seat]["award"]["tied"]
        self.settle(winner)

    def settle(self, winner: int) -> None:
        stake = STAKES[self.contest["building"]]
        commitment = self.contest["commitments"][winner]
        self.pay(winner, stake["commitmentToken"], commitment)
        if winner == self.active:
            self.held[winner][stake["stakeToken"]] += 2 * stake["stake"]
            self.tell("stakeKept", seat=winner, commitment=commitment, **stake)
        else:
            self.held[winner][stake["stakeToken"]] += stake["stake"]
            self.held[self.active][stake["commitmentToken"]] += commitment
            self.tell("stakeWon", winner=winner, seat=self.active, commitment=commitment, **stake)
        self.next_turn()

    def return_stake(self) -> None:
        token, amount = self.contest["stakeToken"], self.contest["stake"]
        self.held[self.active][token] += amount
        self.tell("stakeReturned", seat=self.active, stakeToken=token, stake=amount)
        self.next_turn()

    # -- phase 3: refreshing ------------------------------------------------------------------------------------------

    def turn_up_tiles(self) -> None:
        """In the order of the ring; a tile that is taken leaves no entry."""
        self.face_up = {building: self.stacks[building].pop(0) for building in self.ring}
        [size] = {len(stack) for stack in self.stacks.values()}
        self.tell("tilesTurnedUp", tiles=list(self.face_up.values()), stackSize=size)

    def shown(self, event: str) -> list[str]:
        return [building for building, tile in self.face_up.items() if tile.get("event") == f"TILE_EVENT_{event}"]

    def refresh(self) -> None:
        self.waived = bool(self.shown("GENEROUS_DRAGON"))
        self.tell("tilesDiscarded", tiles=list(self.face_up.values()), interestWaived=self.waived)
        self.turn_up_tiles()
        self.invasions = self.shown("INVASION")
        self.next_invasion()

    def next_invasion(self) -> None:
        if not self.invasions:
            self.interest()
        elif self.with_buildings():
            self.ask(*self.with_buildings(), invasion={"stack": self.invasions[0]})
        else:
            self.suffer_invasion({})

    def suffer_invasion(self, actions: dict[int, JSON]) -> None:
        losses = [self.invasion_loss(seat, actions.get(seat)) for seat in range(self.seats)]
        self.tell("invasionSuffered", stack=self.invasions.pop(0), losses=losses)
        self.next_invasion()

    def invasion_loss(self, seat: int, action: JSON | None) -> JSON:
        if action and "discardBuilding" in action:
            building = action["discardBuilding"]["building"]
            self.lose_building(seat, building)
            return message(seat=seat, building=building)
        knights = INVASION_COST if action else min(INVASION_COST, self.held[seat][KNIGHTS])
        self.pay(seat, KNIGHTS, knights)
        return message(seat=seat, knights=knights)

    # -- phase 4: interest --------------------------------------------------------------------------------------------

    def interest(self) -> None:
        if self.waived:
            self.tell("interestWaived")
        else:
            self.move_dragon()
        completed = [seat for seat in range(self.seats) if self.buildings[seat].total() >= ENOUGH_BUILDINGS]
        empty = not any(self.stacks.values())
        if self.ruined or completed or empty:
            self.end(completed, empty)
        else:
            self.begin_round((self.start_player + self.rotates) % self.seats)

    def move_dragon(self) -> None:
        steps = 1 + len(self.shown("CALENDAR"))
        passed = [self.ring[(self.dragon + step) % len(self.ring)] for step in range(steps)]
        self.dragon += steps
        self.tell("dragonMoved", passed=passed)
        payments = []
        for seat in range(self.seats):
            owed = sum(debt["value"] * passed.count(debt["building"]) for debt in self.tucked[seat])
            gold = self.held[seat][GOLD]
            self.pay(seat, GOLD, min(owed, gold))
            payments.append(message(seat=seat, owed=owed, paid=min(owed, gold)))
            self.ruined += [seat] if gold < owed else []
        self.tell("interestPaid", payments=payments)

    # -- the end ------------------------------------------------------------------------------------------------------

    def end(self, completed: list[int], empty: bool) -> None:
        self.ask()
        holdings = [message(gold=held[GOLD], knights=held[KNIGHTS]) for held in self.held]
        self.tell("gameEnded", ruined=self.ruined, completed=completed, stacksEmpty=empty, holdings=holdings)
        for seat in self.ruined:
            self.buildings[seat].clear()

    def results(self) -> list[JSON]:
        lines = [self.breakdown(seat) for seat in range(self.seats)]
        scores = [len(line.get("types", [])) + len(line.get("majorities", [])) for line in lines]
        running = [seat not in self.ruined for seat in range(self.seats)]
        standings = [(running[s], scores[s], held[KNIGHTS], held[GOLD]) for s, held in enumerate(self.held)]
        return [
            message(seat=seat, score=score, rank=rank, eliminated=not runs, breakdown={GAME: line})
            for seat, (score, rank, runs, line) in enumerate(zip(scores, ranks(standings), running, lines, strict=True))
        ]

    def standing(self) -> list[JSON]:
        [question] = {kind for decision in self.question.values() for kind in decision}
        if question == "answer":
            self.held[self.active][self.chest["token"]] += self.chest["amount"]
        elif question in ("commit", "award"):
            self.held[self.active][self.contest["stakeToken"]] += self.contest["stake"]
        return self.results()

    def breakdown(self, seat: int) -> JSON:
        own, others = self.buildings[seat], [self.buildings[other] for other in range(self.seats) if other != seat]
        return message(
            buildings=[own[building] for building in TYPES],
            types=[building for building in TYPES if own[building]],
            majorities=[b for b in TYPES if all(own[b] > other[b] for other in others)],
            ruined=seat in self.ruined,
            knights=self.held[seat][KNIGHTS],
            gold=self.held[seat][GOLD],
        )
