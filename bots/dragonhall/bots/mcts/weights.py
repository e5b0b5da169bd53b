"""The weights of networks, from the files beside the games' problems."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from librt.vecs import vec

from dragonhall.bots.mcts.network import Network


def network_of(package: str, table: str | None = None) -> Network:
    """A network with the weights of ``network.toml`` in a package, or of a ``table`` there.

    ``inner`` has a row for each feature with a number for each unit, ``outer`` a number for each unit.
    """
    return Network(*_weights(package, table))


@cache
def _weights(package: str, table: str | None) -> tuple[vec[float], vec[float]]:
    data = tomllib.loads(files(package).joinpath("network.toml").read_text(encoding="utf-8"))
    if table is not None:
        data = data[table]
    return vec[float]([weight for row in data["inner"] for weight in row]), vec[float](data["outer"])
