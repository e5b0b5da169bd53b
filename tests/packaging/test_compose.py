"""What the compose files start works together: the same commands without containers, with secrets made as they say."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.packaging.generate import REPOSITORY
from tests.cli.commands import dragonhall, running
from tests.service.certificates import Authority

DEPLOY = REPOSITORY / "deploy"
BOTS = ("bot-random", "bot-greedy")
LISTEN, SERVER = "0.0.0.0:7350", "server:7350"
LIMIT = 120.0
"""Seconds for a game on a busy machine."""


def merged(base: Any, more: Any, key: str = "") -> Any:
    """As ``docker compose -f base -f more`` reads them: commands are replaced, other lists go on, mappings merge."""
    if isinstance(base, dict) and isinstance(more, dict):
        return {**base, **{name: merged(base.get(name), value, name) for name, value in more.items()}}
    if isinstance(base, list) and isinstance(more, list) and key not in ("command", "test"):
        return [*base, *more]
    return more


def read(name: str) -> dict[str, Any]:
    """A compose file."""
    data: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    return data


PLAIN = read("compose.yaml")["services"]
WITH_TLS = merged(read("compose.yaml"), read("compose.tls.yaml"))["services"]


@dataclass
class Host:
    """Where the services run, in place of their containers: each has its own /data, and they share /secrets."""

    services: Mapping[str, Any]
    folder: Path
    target: str = "127.0.0.1:0"
    """Of the server, once it runs; before: where it is to listen."""

    def words(self, service: str, words: list[str]) -> list[str]:
        """A command line as its container would see it, here."""
        data = self.folder / service
        data.mkdir(exist_ok=True)
        here = {
            "/secrets/": f"{self.folder / 'secrets'}/",
            "/data/": f"{data}/",
            LISTEN: self.target,
            SERVER: self.target,
        }
        return [_replaced(word, here) for word in words]

    def command(self, service: str) -> list[str]:
        """What the service runs."""
        return self.words(service, self.services[service]["command"])

    def enter(self, service: str, patch: pytest.MonkeyPatch) -> None:
        """Commands that are started from now on have the service's environment."""
        for name, value in self.services[service].get("environment", {}).items():
            patch.setenv(name, *self.words(service, [value]))


def _replaced(word: str, here: Mapping[str, str]) -> str:
    for there, place in here.items():
        word = word.replace(there, place)
    return word


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """What compose.tls.yaml tells to put into deploy/secrets, and a key of somebody who plays."""
    folder, authority = tmp_path / "secrets", Authority()
    folder.mkdir()
    authority.issue("server", "localhost").save(folder, "hall")
    authority.save(folder)
    bots = dragonhall("key", "bots", "--output", folder / "bots.key").stdout
    web = dragonhall("key", "web", "--output", folder / "web.key").stdout
    (folder / "auth.toml").write_text(f'{bots}bots = ["random", "greedy"]\n{web}')
    return folder


def test_with_tls_a_server_and_its_bots_come_up_and_play(secrets: Path, tmp_path: Path) -> None:
    host = Host(WITH_TLS, tmp_path, "localhost:0")
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        host.enter("server", patch)
        host.target = stack.enter_context(running(*host.command("server"))).wait_for("dragonhall: serving on ")
        kind, *check = WITH_TLS["server"]["healthcheck"]["test"]
        assert (kind, check[0]) == ("CMD", "dragonhall")
        healthy = dragonhall(*host.words("server", check[1:]))
        assert healthy.returncode == 0, healthy.stderr
        for bot in BOTS:
            with pytest.MonkeyPatch.context() as its:
                host.enter(bot, its)
                stack.enter_context(running(*host.command(bot))).wait_for("dragonhall-bot: ")
        access = ("--tls-ca", secrets / "ca.pem", "--api-key-file", secrets / "web.key")
        match = ("match", "dragons", "--seats", "random,greedy,random", "--timeout", "90", "--connect", host.target)
        played = dragonhall(*access, *match, limit=LIMIT)
        assert played.returncode == 0, played.stderr
        assert dragonhall("--tls-ca", secrets / "ca.pem", *match).returncode == 1  # who is not known creates nothing


def test_without_tls_a_server_and_its_bots_come_up_and_play(tmp_path: Path) -> None:
    host = Host(PLAIN, tmp_path)
    with ExitStack() as stack:
        host.target = stack.enter_context(running(*host.command("server"))).wait_for("dragonhall: serving on ")
        for bot in BOTS:
            stack.enter_context(running(*host.command(bot))).wait_for("dragonhall-bot: ")
        match = ("match", "dragons", "--seats", "random,greedy,random", "--timeout", "90", "--connect", host.target)
        played = dragonhall(*match, limit=LIMIT)
        assert played.returncode == 0, played.stderr


def test_every_secret_that_is_read_is_told_to_be_made_and_mounted_for_reading() -> None:
    text = (DEPLOY / "compose.tls.yaml").read_text(encoding="utf-8")
    told = text.partition("x-access")[0]
    for service in WITH_TLS.values():
        used = [word for word in (*service["command"], *service["environment"].values()) if "/secrets/" in word]
        assert used
        for word in used:
            assert word.partition("/secrets/")[2] in told, word
        assert "./secrets:/secrets:ro" in service["volumes"]


def test_what_is_written_is_on_a_volume_and_nothing_else_can_be() -> None:
    for service in WITH_TLS.values():
        assert service["read_only"] is True
        assert [volume.split(":")[1] for volume in service["volumes"]] == ["/data", "/secrets"]
        written = [word for word in service["command"] if word.startswith(("/data/", "--store=/data/"))]
        assert len(written) == 1


def test_the_port_that_is_published_is_the_one_that_is_listened_on() -> None:
    (port,) = WITH_TLS["server"]["ports"]
    address, _, container = port.rpartition(":")
    assert f"--listen=0.0.0.0:{container}" in WITH_TLS["server"]["command"]
    assert address.endswith(f":{container}")
    for bot in BOTS:
        assert f"server:{container}" in WITH_TLS[bot]["command"]


def test_secrets_are_kept_out_of_the_repository_and_the_image() -> None:
    assert "/deploy/secrets/" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8").split()
    allowed = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").split()
    assert "*" in allowed
    assert not {"!deploy", "!deploy/secrets"} & set(allowed)
