"""How this installation of the rules was built."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

from dragonhall.rules.dragons import state


def is_compiled() -> bool:
    """Whether the hot modules run as compiled extension modules; if not, the interpreter runs their sources.

    Both play identical games; compiled ones play them several times faster.
    """
    return str(state.__file__).endswith(tuple(EXTENSION_SUFFIXES))
