"""How help looks: an option names what it takes in our own words, and a flag takes nothing."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup


def _plain(params: list[Any]) -> list[Any]:
    """The same, without the names of Python types that Typer shows for flags and beside arguments' names."""
    for param in params:
        if isinstance(param, TyperArgument):
            param.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
        elif getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class Command(TyperCommand):
    """One command."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain(super().get_params(ctx))


class Group(TyperGroup):
    """The command that has all others."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _plain(super().get_params(ctx))
