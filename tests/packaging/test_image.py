"""The image and the compose file start what the command line understands."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from deploy.packaging.generate import REPOSITORY
from dragonhall.bots import all_kinds
from dragonhall.cli.access import VARIABLES
from dragonhall.cli.app import app

DOCKERFILE = (REPOSITORY / "deploy" / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((REPOSITORY / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
WITH_TLS: dict[str, Any] = yaml.safe_load((REPOSITORY / "deploy" / "compose.tls.yaml").read_text(encoding="utf-8"))


def in_dockerfile(instruction: str) -> list[str]:
    """The arguments of an instruction, ``CMD`` say, in its JSON form."""
    (arguments,) = re.findall(rf"^{instruction} .*?(\[.*\])$", DOCKERFILE, re.MULTILINE)
    return list(json.loads(arguments))


COMMANDS = {
    "image": in_dockerfile("CMD"),
    "health check": in_dockerfile("HEALTHCHECK")[1:],
    **{name: service["command"] for name, service in COMPOSE["services"].items()},
    "server with TLS": WITH_TLS["services"]["server"]["command"],
    "health check with TLS": WITH_TLS["services"]["server"]["healthcheck"]["test"][2:],
}


def is_understood(arguments: list[str]) -> bool:
    """Options are read before the help is printed, so that a wrong one is refused."""
    return CliRunner().invoke(app, [*arguments, "--help"]).exit_code == 0


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_command_is_one_that_the_command_line_understands(arguments: list[str]) -> None:
    assert is_understood(arguments)


@pytest.mark.parametrize("arguments", [["serve", "--lisen", "0.0.0.0:7350"], ["server"]])
def test_a_wrong_command_would_be_found(arguments: list[str]) -> None:
    assert not is_understood(arguments)


def test_each_bot_is_of_a_kind_that_there_is() -> None:
    kinds = {arguments[1] for arguments in COMMANDS.values() if arguments[0] == "bot"}
    assert kinds
    assert kinds <= set(all_kinds())


def test_the_image_runs_the_command_line_as_its_own_user() -> None:
    assert in_dockerfile("ENTRYPOINT") == ["dragonhall"]
    assert in_dockerfile("HEALTHCHECK")[0] == "dragonhall"
    assert re.findall(r"^USER (\d+)", DOCKERFILE, re.MULTILINE)[-1] != "0"


def test_compose_starts_the_server_as_the_image_does() -> None:
    assert COMPOSE["services"]["server"]["command"] == in_dockerfile("CMD")


def test_with_tls_everything_else_is_as_without() -> None:
    without, secrets = COMPOSE["services"], {"./secrets:/secrets:ro"}
    assert set(WITH_TLS["services"]) == set(without)
    for service in WITH_TLS["services"].values():
        assert set(service["volumes"]) == secrets
        assert set(service["environment"]) <= set(VARIABLES.values())
    options = dict(option.split("=") for option in WITH_TLS["services"]["server"]["command"][1:])
    plain = without["server"]["command"][1:]
    assert options.items() >= dict(zip(plain[::2], plain[1::2], strict=True)).items()


def test_bots_wait_for_a_server_that_serves() -> None:
    bots = {name: service for name, service in COMPOSE["services"].items() if name.startswith("bot-")}
    assert set(bots) == {"bot-random", "bot-greedy"}
    for bot in bots.values():
        assert bot["depends_on"] == {"server": {"condition": "service_healthy"}}


def test_everything_comes_back_after_a_crash() -> None:
    for service in COMPOSE["services"].values():
        assert service["restart"] == "unless-stopped"
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(COMPOSE["volumes"])
