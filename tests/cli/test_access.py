"""Commands reach servers that have TLS and know their callers, by options before the command or by the environment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dragonhall.cli.access import VARIABLES, Access
from dragonhall.cli.app import app
from dragonhall.server import Limits
from dragonhall.server.identity.auth_file import read_auth_file
from dragonhall.server.identity.keys import new_key, stanza
from tests.cli.commands import LIMIT, dragonhall, running
from tests.service.certificates import Authority


@dataclass(frozen=True)
class Guarded:
    """A server with TLS that lets its callers alone create games."""

    target: str
    ca: Path
    key_file: Path
    client: tuple[Path, Path]

    def access(self, *more: str | Path) -> tuple[str | Path, ...]:
        """What to say before a command."""
        certificate, key = self.client
        return ("--tls-ca", self.ca, "--client-cert", certificate, "--client-key", key, *more)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("guarded")
    authority, key = Authority(), new_key()
    certificate, private = authority.issue("localhost").save(folder, "server")
    ca, auth, key_file = authority.save(folder), folder / "auth.toml", folder / "caller.key"
    key_file.write_text(key + "\n")
    known = '[[caller]]\nname = "guests"\ncertificate = "guest"\ncreate = false\n'
    auth.write_text(f'{known}{stanza("tests", key)}bots = ["greedy"]\n')
    tls = ("--tls-cert", certificate, "--tls-key", private, "--tls-client-ca", ca, "--auth", auth)
    store = ("--store", folder / "hall.db", "--log-level", "error")
    with running("serve", "--listen", "127.0.0.1:0", *store, *tls) as command:
        target = command.wait_for("dragonhall: serving on ")
        yield Guarded(target, ca, key_file, authority.issue("guest").save(folder, "client"))


def test_bots_and_a_match_are_let_in_with_credentials(guarded: Guarded) -> None:
    access = guarded.access("--api-key-file", guarded.key_file)
    seats = ("--seats", "greedy,greedy,greedy", "--connect", guarded.target)
    match = dragonhall(*access, "match", "dragons", *seats, "--start-bots")
    assert match.returncode == 0, match.stderr


def test_what_the_environment_says_holds_as_well(guarded: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = guarded.client
    for name, value in (("tls_ca", guarded.ca), ("client_cert", certificate), ("client_key", key)):
        monkeypatch.setenv(VARIABLES[name], str(value))
    assert CliRunner().invoke(app, ["health", "--connect", guarded.target]).exit_code == 0
    # A server of the command's own is reached as ever: what is given is for the others.
    done = dragonhall("match", "dragons", "--seats", "random,random,random")
    assert done.returncode == 0, done.stderr


def test_without_credentials_nobody_is_let_in(guarded: Guarded) -> None:
    certificate, _ = guarded.client
    for arguments, code in (
        ((), 3),
        (("--tls-ca", guarded.ca), 3),
        (("--client-cert", certificate), 2),
        (("--tls-ca", guarded.ca.with_name("missing.pem")), 2),
    ):
        health = ("health", "--connect", guarded.target, "--timeout", "0.5")
        done = CliRunner().invoke(app, [*map(str, arguments), *health])
        assert done.exit_code == code, done.stderr


def failure(*arguments: str | Path) -> tuple[int, str]:
    """Exit code and words of a command that cannot talk to a server, given as long as this machine needs to try."""
    timeout = 0.5
    while True:
        done = CliRunner().invoke(app, [*map(str, arguments), "--timeout", str(timeout)])
        if "no answer" not in done.stderr or timeout > LIMIT:
            return done.exit_code, done.stderr
        timeout *= 4


@pytest.mark.parametrize("command", [("health",), ("record", "abc"), ("match", "dragons", "--seats", "a,b,c")])
def test_whoever_says_nothing_of_tls_is_told_what_to_say(guarded: Guarded, command: tuple[str, ...]) -> None:
    code, said = failure(*command, "--connect", guarded.target)
    assert code == 3
    assert "socket closed. If it has TLS, say so before the command: dragonhall --tls … or --tls-ca FILE" in said


def test_whoever_does_not_trust_the_certificate_is_told_what_to_say(guarded: Guarded) -> None:
    code, said = failure("--tls", "health", "--connect", guarded.target)
    assert code == 3
    assert "its certificate is none that is trusted here. Say whose it is before the command" in said
    certificate, key = map(str, guarded.client)
    shown = ["--tls-ca", str(guarded.ca), "--client-cert", certificate, "--client-key", key]
    assert CliRunner().invoke(app, [*shown, "health", "--connect", guarded.target]).exit_code == 0


def test_a_server_without_tls_says_so(guarded: Guarded, tmp_path: Path) -> None:
    with running("serve", "--listen", "127.0.0.1:0", "--store", tmp_path / "hall.db") as command:
        target = command.wait_for("dragonhall: serving on ")
        code, said = failure("--tls-ca", guarded.ca, "health", "--connect", target)
    assert code == 3
    assert "it does not speak TLS. Leave --tls, --tls-ca" in said


def test_the_help_of_key_says_what_a_caller_may_be_allowed() -> None:
    """In words that the auth file takes."""
    said = " ".join(CliRunner().invoke(app, ["key", "--help"]).stdout.replace("│", " ").split())
    for field in ("create = false", "import = true", 'bots = ["greedy"]', "games = 20"):
        assert f'"{field}"' in said


def test_what_the_help_of_key_says_is_understood(tmp_path: Path) -> None:
    auth = tmp_path / "auth.toml"
    fields = 'import = true\nbots = ["greedy"]\ngames = 20\n'
    auth.write_text(stanza("guests", new_key()).replace("create = true", "create = false") + fields)
    (known,) = read_auth_file(auth, Limits(), allow_imports=False).keys.values()
    assert (known.caller.may_create, known.caller.may_import, known.allowance.games) == (False, True, 20)
    assert known.caller.may_play("greedy")


def test_a_server_says_what_is_missing(guarded: Guarded) -> None:
    seats = ("--seats", "greedy,greedy,greedy", "--connect", guarded.target)
    done = CliRunner().invoke(app, [*map(str, guarded.access()), "match", "dragons", *seats])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "NOT_ALLOWED" in done.stderr


def test_a_key_is_not_sent_in_plain_text_to_another_machine(tmp_path: Path) -> None:
    key_file = tmp_path / "caller.key"
    key_file.write_text(new_key())
    done = CliRunner().invoke(app, ["--api-key-file", str(key_file), "health", "--connect", "games.example:7350"])
    assert done.exit_code == 1
    assert "in plain text" in done.stderr
    assert key_file.read_text() not in done.stderr


def test_another_process_is_given_the_same() -> None:
    assert Access().arguments() == []
    access = Access(True, Path("a"), Path("c"), Path("k"), Path("f"))
    options = ["--tls", "--tls-ca", "a", "--client-cert", "c", "--client-key", "k", "--api-key-file", "f"]
    assert access.arguments() == options
