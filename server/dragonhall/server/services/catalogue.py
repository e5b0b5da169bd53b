"""The games and component sets that this server plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from google.protobuf.descriptor import EnumValueDescriptor

from dragonhall.rules import GAMES
from dragonhall.rules.errors import InvalidComponents
from dragonhall.rules.game import Components, Game
from dragonhall.rules.options import Choice, ChoicePerSeat, ChoiceValue, OptionSpec, SeatNumber, Switch
from dragonhall.server.config import ConfigError
from dragonhall.server.refusal import invalid_field
from dragonhall.v1 import game_service_pb2, games_pb2
from dragonhall.wire import CODECS


class Catalogue:
    """Every game's component sets, by id; the first is the default."""

    def __init__(self, files: tuple[tuple[str, Path], ...] = ()) -> None:
        """``files``: further sets, as pairs of a game's name and a TOML file. Raises `ConfigError`."""
        self._sets: dict[str, dict[str, Components]] = {}
        for name, game in GAMES.items():
            default = game.default_components()
            self._sets[name] = {default.id: default}
        for name, path in files:
            self._add(name, path)

    def _add(self, name: str, path: Path) -> None:
        if name not in GAMES:
            raise ConfigError(f"component set {path}: there is no game {name!r}; there are: {', '.join(GAMES)}")
        try:
            components = GAMES[name].load_components(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"component set {path} cannot be read: {error}") from error
        except InvalidComponents as error:
            raise ConfigError(f"component set {path}: {error}") from error
        if components.id in self._sets[name]:
            raise ConfigError(f"component set {path}: its id {components.id!r} is another set's; give it its own id")
        self._sets[name][components.id] = components

    @property
    def sets(self) -> Mapping[str, Mapping[str, Components]]:
        """All sets by game and id."""
        return self._sets

    def components(self, game: str, set_id: str) -> Components:
        """A set by its id; the default for an empty one. Raises `Refusal`."""
        sets = self._sets[game]
        if not set_id:
            return next(iter(sets.values()))
        if set_id not in sets:
            raise invalid_field("component_set_id", f"{game} has no such set here; it has: {', '.join(sets)}")
        return sets[set_id]

    def rules(self) -> list[game_service_pb2.Rules]:
        """The whole catalogue, for clients."""
        return [self._rules(game) for game in GAMES.values()]

    def _rules(self, game: Game) -> game_service_pb2.Rules:
        codec = CODECS[game.name]
        return game_service_pb2.Rules(
            game=game.name,
            title=game.title,
            rules_version=game.rules_version,
            min_seats=game.min_seats,
            max_seats=game.max_seats,
            options=[_option(game.name, spec) for spec in game.options],
            component_sets=[
                codec.components_to_proto(components, with_contents=True)
                for components in self._sets[game.name].values()
            ],
        )


def _option(game: str, spec: OptionSpec) -> game_service_pb2.OptionSpec:
    message = game_service_pb2.OptionSpec(name=spec.name, title=spec.title, help=spec.help)
    match spec.kind:
        case Switch(default):
            message.switch_default = default
        case SeatNumber():
            message.seat.SetInParent()
        case Choice(values, default):
            message.choice.values.extend(_choice_value(game, spec.name, value) for value in values)
            message.choice.default_name = _enum_value(game, spec.name, default).name
        case ChoicePerSeat(values):
            message.choice_per_seat.values.extend(_choice_value(game, spec.name, value) for value in values)
    return message


def _choice_value(game: str, option: str, value: ChoiceValue) -> game_service_pb2.ChoiceValue:
    found = _enum_value(game, option, value.name)
    return game_service_pb2.ChoiceValue(name=found.name, number=found.number, title=value.title)


def _enum_value(game: str, option: str, name: str) -> EnumValueDescriptor:
    """The value called ``name``, behind the prefix that all have, of the enum that an option's field is of."""
    options = games_pb2.GameOptions.DESCRIPTOR.fields_by_name[game].message_type
    enum = options.fields_by_name[option].enum_type if options else None
    assert enum is not None, f"option {option} of {game} is no enum"
    values = enum.values
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    return next(value for value in values if value.name == prefix + name.upper())
