"""What every file of the repository keeps to."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from deploy.packaging.compiled import IMPORT_ROOTS
from deploy.packaging.generate import REPOSITORY

TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "protos", "server", "bots", "clients", "tests", "deploy"}

MACHINE_PATHS = re.compile(r"""(?<![\w./~-])/(?:work|home/\w+|root|Users/\w+|tmp/\w+|var/folders)\b""")

REGISTRY_HOSTS = re.compile(
    r"(?:files\.pythonhosted|pypi|registry\.npmjs|registry\.yarnpkg|repo1?\.maven|proxy\.golang|deb\.debian|static\.crates"
    r"|index\.crates|artifactory|jfrog|nexus)\.(?:org|com|io|net)\b"
)


def tracked_files() -> list[str]:
    """Files that git knows or would add, relative to the repository; in an unpacked sdist, all files."""
    if not (REPOSITORY / ".git").exists():
        return [path.relative_to(REPOSITORY).as_posix() for path in REPOSITORY.rglob("*") if path.is_file()]
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(listing, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    return [name for name in output.split("\0") if name and (REPOSITORY / name).is_file()]


FILES = tracked_files()


def test_the_top_level_holds_only_what_a_newcomer_expects() -> None:
    top = {name.split("/")[0] for name in FILES}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_no_import_root_hides_the_others() -> None:
    """A ``dragonhall/__init__.py`` in one root would make the packages of the other roots unimportable."""
    assert [name for name in FILES if re.fullmatch(r"(.*/)?dragonhall/__init__\.py", name)] == []


@pytest.mark.parametrize("root", IMPORT_ROOTS)
def test_each_package_is_typed(root: str) -> None:
    packages = [
        path for path in (REPOSITORY / root / "dragonhall").iterdir() if path.is_dir() and any(path.glob("*.py"))
    ]
    assert packages
    for package in packages:
        assert (package / "__init__.py").exists(), package
        assert (package / "py.typed").exists(), package


def test_each_package_of_messages_is_typed() -> None:
    folders = {proto.parent for proto in (REPOSITORY / "protos" / "dragonhall").rglob("*.proto")}
    assert folders
    assert [folder for folder in folders if not (folder / "py.typed").exists()] == []


def test_generated_code_is_not_kept() -> None:
    assert [name for name in FILES if re.search(r"_pb2(_grpc)?\.pyi?$|\.(so|pyd)$", name)] == []


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, REGISTRY_HOSTS], ids=["machine", "registry"])
def test_no_file_names_a_machine_or_a_registry(pattern: re.Pattern[str]) -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in FILES
        for number, line in enumerate(_text(REPOSITORY / name).splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        # In pieces, since this file is read too.
        (MACHINE_PATHS, "see " + "/home" + "/someone/dragonhall"),
        (MACHINE_PATHS, 'open("' + "/tmp" + '/scratch/x")'),
        (REGISTRY_HOSTS, '"resolved": "https://registry.' + 'npmjs.org/a/-/a-1.tgz"'),
    ],
    ids=["home", "temporary", "registry"],
)
def test_such_a_name_is_found(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)


def _text(path: Path) -> str:
    """The file's text; nothing for a binary one."""
    data = path.read_bytes()
    return "" if b"\0" in data else data.decode("utf-8")
