"""How commands reach a server that has TLS or knows its callers: options before the command, the same for all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dragonhall.client import Client, Patience, Tls

VARIABLES: Final = {
    "tls": "DRAGONHALL_TLS",
    "tls_ca": "DRAGONHALL_TLS_CA",
    "client_cert": "DRAGONHALL_CLIENT_CERT",
    "client_key": "DRAGONHALL_CLIENT_KEY",
    "api_key_file": "DRAGONHALL_API_KEY_FILE",
}
"""Environment variables, for containers and services."""


def _file(name: str, help: str) -> Any:
    return typer.Option(metavar="FILE", envvar=VARIABLES[name], help=help, rich_help_panel=_PANEL)


_PANEL: Final = "Access to servers, before the command"

UseTls = Annotated[
    bool,
    typer.Option(
        "--tls",
        envvar=VARIABLES["tls"],
        help="The server has TLS, with a certificate of a public authority.",
        rich_help_panel=_PANEL,
    ),
]
TlsCa = Annotated[Path | None, _file("tls_ca", "The server has TLS, with a certificate that these signed (PEM).")]
ClientCert = Annotated[Path | None, _file("client_cert", "Show the server this certificate (PEM), with --client-key.")]
ClientKey = Annotated[Path | None, _file("client_key", "The private key of --client-cert (PEM).")]
ApiKeyFile = Annotated[
    Path | None, _file("api_key_file", "Show the server the API key in this file, as dragonhall key --output made it.")
]


@dataclass(frozen=True)
class Access:
    """What was given before the command. All of it holds for whatever server the command names."""

    tls: bool = False
    tls_ca: Path | None = None
    client_cert: Path | None = None
    client_key: Path | None = None
    api_key_file: Path | None = None

    def client(self, target: str, patience: Patience) -> Client:
        """A client of the server. Raises `OSError`, `UnsafeCredentials`, and `typer.BadParameter`."""
        key = self.api_key_file.read_text(encoding="utf-8").strip() if self.api_key_file else None
        try:
            return Client(target, patience=patience, api_key=key, tls=self._tls() or self.tls)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    @property
    def has_tls(self) -> bool:
        """Whether servers are spoken to with TLS."""
        return self.tls or self._tls() is not None

    def _tls(self) -> Tls | None:
        if self.tls_ca is None and self.client_cert is None and self.client_key is None:
            return None
        return Tls.of_files(
            root_certificates=self.tls_ca, certificate_chain=self.client_cert, private_key=self.client_key
        )

    def arguments(self) -> list[str]:
        """The same for another process."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        options = [(f"--{name.replace('_', '-')}", value) for name, value in given.items() if value]
        return [part for option, value in options for part in ([option] if value is True else [option, str(value)])]


LOCAL: Final = Access()
"""To a server that a command has started itself."""

_given: ContextVar[Access] = ContextVar("given", default=LOCAL)


def give(access: Access) -> Callable[[], None]:
    """``access`` is what was given before the command, until the returned function is called."""
    token = _given.set(access)
    return lambda: _given.reset(token)


def given() -> Access:
    """What was given before the command that is running."""
    return _given.get()


def client(target: str, patience: Patience) -> Client:
    """A client of the server at ``target``, with what was given before the command. Raises as `Access.client`."""
    return given().client(target, patience)


def environment_without() -> Mapping[str, str]:
    """The environment of a process that is given what it needs by options, or talks to this machine alone."""
    return {name: value for name, value in os.environ.items() if name not in VARIABLES.values()}
