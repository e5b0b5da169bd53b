"""The sdist and the wheel hold what they need and nothing else, whatever they are built from and with."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from deploy.packaging import generate
from deploy.packaging.compiled import IMPORT_ROOTS, modules_to_compile, place_in_tree
from deploy.packaging.generate import REPOSITORY

NO_COMPILER = {"CC": "no-such-compiler", "DRAGONHALL_COMPILE": "auto"}


def build(tree: Path, target: str, into: Path, **environment: str) -> Path:
    """Build a distribution of ``tree`` as pip does, with the packages of this environment."""
    outcome = try_to_build(tree, target, into, **environment)
    assert outcome.returncode == 0, outcome.stdout
    (artifact,) = into.iterdir()
    return artifact


def try_to_build(tree: Path, target: str, into: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)],
        cwd=tree,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(REPOSITORY, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked_sdist(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return contents(build(REPOSITORY, "wheel", tmp_path_factory.mktemp("wheel"), DRAGONHALL_COMPILE="off"))


def hand_written(root: str) -> set[str]:
    """The files of an import root that a wheel must hold, as it names them."""
    kept = (".py", ".toml", ".css", ".proto", ".typed")
    generated = {output for proto in generate.proto_files(REPOSITORY / "protos") for output in generate.outputs(proto)}
    files = {
        path for path in (REPOSITORY / root / "dragonhall").rglob("*") if path.suffix in kept or path.name == "py.typed"
    }
    return {path.relative_to(REPOSITORY / root).as_posix() for path in files - generated}


def test_the_wheel_holds_every_import_root(wheel: dict[str, bytes]) -> None:
    for root in (*IMPORT_ROOTS, "protos"):
        assert hand_written(root) <= set(wheel)


def test_the_wheel_holds_generated_code_with_stubs(wheel: dict[str, bytes]) -> None:
    protos = REPOSITORY / "protos"
    for proto in generate.proto_files(protos):
        assert {output.relative_to(protos).as_posix() for output in generate.outputs(proto)} <= set(wheel)


def test_the_wheel_holds_nothing_else(wheel: dict[str, bytes]) -> None:
    strays = {name for name in wheel if not name.startswith(("dragonhall/", "dragonhall-"))}
    assert strays == set()
    assert "dragonhall/__init__.py" not in wheel


def test_a_wheel_from_the_sdist_is_the_wheel_from_the_tree(
    unpacked_sdist: Path, wheel: dict[str, bytes], tmp_path: Path
) -> None:
    assert contents(build(unpacked_sdist, "wheel", tmp_path, DRAGONHALL_COMPILE="off")) == wheel


def test_the_sdist_holds_the_tests_and_no_generated_code(unpacked_sdist: Path) -> None:
    assert (unpacked_sdist / "tests" / "conftest.py").exists()
    assert (unpacked_sdist / "deploy" / "packaging" / "generate.py").exists()
    assert list(unpacked_sdist.rglob("*_pb2*.py*")) == []


def test_without_a_compiler_the_wheel_is_pure_and_says_so(tmp_path: Path, wheel: dict[str, bytes]) -> None:
    outcome = try_to_build(REPOSITORY, "wheel", tmp_path, **NO_COMPILER)
    assert outcome.returncode == 0, outcome.stdout
    assert "Not compiled, the rules will run interpreted and slower" in outcome.stdout
    (pure,) = tmp_path.iterdir()
    assert pure.name.endswith("-py3-none-any.whl")
    assert contents(pure) == wheel


def test_without_a_compiler_a_required_compilation_fails(tmp_path: Path) -> None:
    scratch, out = tmp_path / "scratch", tmp_path / "out"
    scratch.mkdir()
    required = {**NO_COMPILER, "DRAGONHALL_COMPILE": "require", "TMPDIR": str(scratch)}
    outcome = try_to_build(REPOSITORY, "wheel", out, **required)
    assert outcome.returncode != 0
    assert "CompilationError" in outcome.stdout
    assert not list(out.glob("*"))
    assert list(scratch.iterdir()) == []


def test_an_unknown_choice_is_refused(tmp_path: Path) -> None:
    outcome = try_to_build(REPOSITORY, "wheel", tmp_path, DRAGONHALL_COMPILE="yes")
    assert outcome.returncode != 0
    assert "must be one of auto, off, require" in outcome.stdout


def test_the_development_environment_sits_at_the_floor_of_grpc_and_protobuf() -> None:
    """So that the tests run with the oldest versions that the distribution says it runs with."""
    pyproject = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    locked = (REPOSITORY / "deploy" / "constraints-dev.txt").read_text(encoding="utf-8")
    ranges = [line for line in pyproject["project"]["dependencies"] if line.startswith(("grpcio", "protobuf"))]
    assert ranges
    for line in ranges:
        name, _, floor = line.partition(",")[0].partition(">=")
        assert f"\n{name}=={floor}" in locked


def test_what_builds_a_wheel_is_what_the_development_environment_has() -> None:
    pyproject = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(pyproject["build-system"]["requires"]) <= set(pyproject["project"]["optional-dependencies"]["dev"])


def test_compiled_modules_of_an_editable_install_stand_beside_their_sources() -> None:
    """In whichever import root these are: another copy of a package's folder would not be looked into."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    hot = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["compile"]
    for source in modules_to_compile(REPOSITORY, hot):
        root = next(root for root in IMPORT_ROOTS if source.startswith(f"{root}/"))
        extension = Path(source).relative_to(root).with_suffix(".cpython-311.so")
        assert place_in_tree(REPOSITORY, extension) == (REPOSITORY / source).with_suffix(".cpython-311.so")
    assert place_in_tree(REPOSITORY, Path("dragonhall__mypyc.so")) == REPOSITORY / "server" / "dragonhall__mypyc.so"
