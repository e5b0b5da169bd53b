"""Creating games, as their hosts ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, new_seed
from dragonhall.rules.errors import InvalidOptions
from dragonhall.rules.game import Components
from dragonhall.server.hub import Hub
from dragonhall.server.log import Created, CreatedSeat, SeatKind, SeedSource
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services import checks
from dragonhall.server.services.catalogue import Catalogue
from dragonhall.server.services.messages import read
from dragonhall.server.services.once import Done, Once, game_then
from dragonhall.server.services.rpc import caller, opening_game
from dragonhall.server.services.settings import settings_from_proto
from dragonhall.server.settings import Settings, Visibility
from dragonhall.server.store.base import NO_SEAT
from dragonhall.server.tokens import TokenMaker, derived, token_hash
from dragonhall.v1 import game_pb2, game_service_pb2, games_pb2
from dragonhall.wire import CODECS, game_of

MOST_SEATS: Final = max(game.max_seats for game in GAMES.values())


@dataclass(frozen=True, slots=True)
class Choices:
    """What is to be played: the rules can play it."""

    game: str
    options: Any
    components: Components


def choices_of(catalogue: Catalogue, options: games_pb2.GameOptions, component_set_id: str, seats: int) -> Choices:
    """What a request wants to be played by ``seats`` players. Raises `Refusal`."""
    if seats > MOST_SEATS:
        raise invalid_field("seats", f"no game has more than {MOST_SEATS} seats, this has {seats}")
    name = read("options", game_of, options)
    components = catalogue.components(name, component_set_id)
    choices = Choices(name, read(f"options.{name}", CODECS[name].options_from_proto, options), components)
    _check_playable(choices, seats)
    return choices


def _check_playable(choices: Choices, seats: int) -> None:
    """Sets a game up and throws it away: the rules say whether they can. Raises `Refusal`."""
    name = choices.game
    try:
        GAMES[name].new(choices.components, choices.options, seats, SeededChance(new_seed()), None)
    except InvalidOptions as error:
        field = "seats" if error.field == "seats" else f"options.{name}.{error.field}"
        raise invalid_field(field, error.message) from error


class Creating:
    """Makes games for their hosts."""

    def __init__(self, hub: Hub, catalogue: Catalogue, allow_host_seeds: bool) -> None:
        self._hub = hub
        self._catalogue = catalogue
        self._allow_host_seeds = allow_host_seeds

    async def create_game(self, request: game_service_pb2.CreateGameRequest) -> game_service_pb2.CreateGameResponse:
        """A new game that waits for its seats to be taken."""
        once = Once.asked(self._hub, request, request.request_id)
        tokens = TokenMaker(self._hub.store.secret, request.request_id)
        host_token = tokens.token("host")
        codes = {
            i: tokens.token(f"invitation/{i}")
            for i, spec in enumerate(request.seats[:MOST_SEATS])
            if spec.kind == game_pb2.SEAT_KIND_INVITED
        }

        async def create() -> Done:
            caller().check_may("create")
            created = self._created(request, host_token, codes)
            async with opening_game(self._hub.store):
                game = await self._hub.create(created, lambda game_id: once.answered_by(game_id, NO_SEAT, 1))
            return Done(game.game_id, NO_SEAT, 1)

        done = await once.do(create)
        response = game_service_pb2.CreateGameResponse(
            game=await game_then(self._hub, done.game_id, done.revision),
            host_token=host_token,
            invitations=[game_service_pb2.Invitation(seat=seat, code=code) for seat, code in codes.items()],
        )
        if request.settings.visibility == game_pb2.VISIBILITY_PRIVATE:
            response.spectator_token = spectator_token(self._hub.store.secret, host_token)
        return response

    def _created(self, request: game_service_pb2.CreateGameRequest, host_token: str, codes: dict[int, str]) -> Created:
        choices = choices_of(self._catalogue, request.options, request.component_set_id, len(request.seats))
        settings = settings_from_proto(request.settings)
        seed = checks.seed(request.seed)
        if seed and not self._allow_host_seeds:
            raise Refusal(Reason.SEED_NOT_ALLOWED, "this server draws all seeds itself: leave the seed empty")
        return Created(
            game=choices.game,
            options=choices.options,
            components=choices.components,
            rules_version=GAMES[choices.game].rules_version,
            seats=tuple(_created_seat(i, spec, codes) for i, spec in enumerate(request.seats)),
            title=checks.text("title", request.title, checks.MAX_TITLE),
            seed=seed or new_seed(),
            seed_source=SeedSource.HOST if seed else SeedSource.SERVER,
            host_token_hash=token_hash(host_token),
            settings=settings,
            spectator_token_hash=_spectator_hash(self._hub.store.secret, host_token, settings),
            owner=caller().name,
            substitute_wait_us=self._hub.substitute_wait_us,
        )


def spectator_token(secret: bytes, host_token: str) -> str:
    """What proves a private game's spectators. It follows from the host's token: the host can be told it again."""
    return derived(secret, "spectator", host_token)


def _spectator_hash(secret: bytes, host_token: str, settings: Settings) -> bytes:
    is_private = settings.visibility is Visibility.PRIVATE
    return token_hash(spectator_token(secret, host_token)) if is_private else b""


def _created_seat(i: int, spec: game_service_pb2.SeatSpec, codes: dict[int, str]) -> CreatedSeat:
    if spec.kind not in (kind.value for kind in SeatKind):
        raise invalid_field(f"seats[{i}].kind", "takes SEAT_KIND_OPEN, SEAT_KIND_INVITED or SEAT_KIND_RESERVED")
    if spec.kind == game_pb2.SEAT_KIND_RESERVED:
        return CreatedSeat(SeatKind.RESERVED, bot_name=checks.bot_name(f"seats[{i}].bot_name", spec.bot_name))
    if spec.bot_name:
        raise invalid_field(f"seats[{i}].bot_name", "is only for SEAT_KIND_RESERVED")
    return CreatedSeat(SeatKind(spec.kind), invitation_hash=token_hash(codes[i]) if i in codes else b"")
