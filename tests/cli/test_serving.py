"""``serve``'s options, and ``key``."""

from __future__ import annotations

import re
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dragonhall.cli.app import app
from dragonhall.cli.commands.serve import serve
from dragonhall.cli.playouts import POLICIES
from dragonhall.cli.serving import parse_duration
from dragonhall.rules import GAMES
from dragonhall.sandbox import SandboxSettings
from dragonhall.server import Limits, ServerConfig, TlsFiles
from dragonhall.server.identity.auth_file import read_auth_file
from dragonhall.server.identity.keys import key_hash
from tests.cli.commands import dragonhall, running


def config_of(monkeypatch: pytest.MonkeyPatch, **options: Any) -> ServerConfig:
    """What ``serve`` starts a server with."""
    configs: list[ServerConfig] = []
    monkeypatch.setattr("dragonhall.server.run", configs.append)
    serve(**options)
    (config,) = configs
    return config


def test_without_options_a_server_has_its_own_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """And, for playouts in its sandbox, the bots that it does not know itself."""
    assert config_of(monkeypatch) == ServerConfig(sandbox=SandboxSettings(policies=POLICIES))
    assert set(POLICIES) == set(GAMES)


def test_settings_reach_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each option is given a value of its own, and each is found where it belongs."""
    config = config_of(
        monkeypatch,
        **{name: 1000.0 + i for i, name in enumerate(SECONDS)},
        **{name: 2000 + i for i, name in enumerate(NUMBERS)},
        **{name: f"{i + 1}h" for i, name in enumerate(TIMES)},
        tls_cert=Path("c"),
        tls_key=Path("k"),
        tls_client_ca=Path("a"),
        auth=Path("auth.toml"),
        allow_imports=True,
        host_seeds=False,
    )
    found = [_found(config, path) for path in (SECONDS | NUMBERS | TIMES).values()]
    assert found == [
        *(timedelta(seconds=1000 + i) for i in range(len(SECONDS))),
        *(2000 + i for i in range(len(NUMBERS))),
        *(timedelta(hours=i + 1) for i in range(len(TIMES))),
    ]
    assert (config.tls, config.auth) == (TlsFiles(Path("c"), Path("k"), Path("a")), Path("auth.toml"))
    assert (config.allow_imports, config.allow_host_seeds) == (True, False)


def _found(config: ServerConfig, path: str) -> Any:
    value: Any = config
    for name in path.split("."):
        value = getattr(value, name)
    return value


SECONDS = {
    **{name: name for name in ("heartbeat", "idle", "grace", "drain", "reconnect_delay", "substitute_wait")},
    **{name: f"connections.{name}" for name in ("ping_every", "ping_timeout", "least_ping_interval")},
}
NUMBERS = {
    "max_lag": "max_lag",
    "max_connection_streams": "connections.max_streams",
    "games_per_caller": "limits.max_games_per_caller",
    "streams_per_caller": "limits.max_streams_per_caller",
    "submits_per_second": "limits.submits_per_second",
    "sandbox_calls_per_caller": "limits.max_sandbox_calls_per_caller",
    "sandbox_workers": "sandbox.workers",
    "sandbox_seconds": "sandbox.limits.seconds",
    **{
        name: f"limits.{name}"
        for name in ("submits_burst", "max_open_games", "max_games_in_memory", "max_channels", "max_request_bytes")
    },
}
TIMES = {
    "waiting_expiry": "waiting_expiry",
    "running_expiry": "running_expiry",
    "retention": "finished_retention",
    "max_connection_age": "connections.max_age",
}
"""Options, and where they are in `ServerConfig`."""


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("90s", timedelta(seconds=90)),
        ("1.5m", timedelta(seconds=90)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("never", None),
    ],
)
def test_times_are_read(text: str, duration: timedelta | None) -> None:
    assert parse_duration(text) == duration


@pytest.mark.parametrize("text", ["", "7", "0s", "-1d", "7 days", "1e3s", "inf", "9999999d"])
def test_what_is_no_time_is_wrong_usage(text: str) -> None:
    done = CliRunner().invoke(app, ["serve", "--retention", text])
    assert done.exit_code == 2


@pytest.mark.parametrize(
    "options",
    [["--tls-cert", "a"], ["--tls-key", "a"], ["--tls-client-ca", "a"], ["--tls-cert", "a", "--tls-client-ca", "b"]],
)
def test_half_of_tls_is_wrong_usage(options: list[str]) -> None:
    done = CliRunner().invoke(app, ["serve", *options])
    assert done.exit_code == 2
    assert "TLS takes --tls-cert and --tls-key" in done.output


def test_an_auth_file_that_is_wrong_is_said_in_one_line(tmp_path: Path) -> None:
    auth = tmp_path / "auth.toml"
    auth.write_text("[caller]\n")
    done = dragonhall("serve", "--listen", "127.0.0.1:0", "--store", tmp_path / "hall.db", "--auth", auth)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"dragonhall: {auth}: caller: has to be tables")


def test_a_key_is_shown_once_and_its_hash_is_what_a_server_reads(tmp_path: Path) -> None:
    auth, kept = tmp_path / "auth.toml", tmp_path / "kept.key"
    shown = dragonhall("key", "web")
    saved = dragonhall("key", "bots", "--output", kept)
    (key,) = re.findall(r"^dh_[\w-]{43}$", shown.stderr, re.MULTILINE)
    assert (shown.returncode, saved.returncode, saved.stderr) == (0, 0, "")
    assert key not in shown.stdout
    assert kept.stat().st_mode & 0o777 == 0o600
    auth.write_text(shown.stdout + saved.stdout)
    read = read_auth_file(auth, Limits(), allow_imports=False)
    names = [read.keys[key_hash(each)].caller.name for each in (key, kept.read_text().strip())]
    assert names == ["web", "bots"]
    again = dragonhall("key", "bots", "--output", kept)
    assert (again.returncode, again.stdout) == (2, "")
    assert dragonhall("key", "Not A Name").returncode == 2


def test_sighup_makes_a_server_read_its_auth_file(tmp_path: Path) -> None:
    auth = tmp_path / "auth.toml"
    auth.write_text("[anonymous]\n")
    arguments = ("serve", "--listen", "127.0.0.1:0", "--store", tmp_path / "hall.db", "--auth", auth)
    with running(*arguments) as command:
        command.wait_for("dragonhall: serving on ")
        command.process.send_signal(signal.SIGHUP)
        assert command.process.stdout
        assert any("event=auth_file_read" in line for line in command.process.stdout)
        assert command.end(signal.SIGTERM) == 0
