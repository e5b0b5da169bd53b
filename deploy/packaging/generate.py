"""Generate the Python code and type stubs of every .proto file: ``python deploy/packaging/generate.py``.

Generated code is built, not kept: the build hook calls :func:`generate` for wheels and editable installs. Whoever
changes a .proto runs this script, which writes beside the .proto files. Needs grpcio-tools and mypy-protobuf.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib import resources
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

COMMAND = "python deploy/packaging/generate.py"
"""What to run, from the repository's root, after a .proto file has changed."""


class GenerationError(Exception):
    """protoc refused the .proto files; it has printed why."""


def proto_files(protos: Path) -> list[Path]:
    """Every .proto file below the import root ``protos``, in a stable order."""
    return sorted((protos / "dragonhall").rglob("*.proto"))


def outputs(proto: Path) -> list[Path]:
    """The files that protoc writes for ``proto``, given beside it: messages and services, each with its stub."""
    return [proto.with_name(proto.stem + ending) for ending in ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")]


def stale(protos: Path) -> list[Path]:
    """The .proto files below ``protos`` whose generated code is missing, or older than they are."""
    return [proto for proto in proto_files(protos) if not _is_current(proto)]


def _is_current(proto: Path) -> bool:
    changed = proto.stat().st_mtime_ns
    return all(output.exists() and output.stat().st_mtime_ns >= changed for output in outputs(proto))


def generate(protos: Path, target: Path) -> list[Path]:
    """Write the generated code of every .proto below ``protos`` into the import root ``target``.

    Returns the generated files' paths, relative to ``target``. Raises GenerationError when protoc fails.
    """
    from grpc_tools import protoc

    files = [proto.relative_to(protos) for proto in proto_files(protos)]
    if not files:
        return []
    _let_protoc_find_its_plugins()
    well_known = resources.files("grpc_tools") / "_proto"
    plugins = [f"--python_out={target}", f"--grpc_python_out={target}"]
    stubs = [f"--mypy_out=quiet:{target}", f"--mypy_grpc_out=quiet:{target}"]
    arguments = ["protoc", f"-I{protos}", f"-I{well_known}", *plugins, *stubs, *(file.as_posix() for file in files)]
    if protoc.main(arguments) != 0:
        raise GenerationError(f"protoc failed on {protos}")
    return [output for file in files for output in outputs(file) if (target / output).exists()]


def _let_protoc_find_its_plugins() -> None:
    """protoc looks for protoc-gen-mypy on PATH, which an environment called by its full path is not on."""
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])


def main() -> int:
    """Generate into the source tree."""
    protos = REPOSITORY / "protos"
    try:
        written = generate(protos, protos)
    except GenerationError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(written)} files written below {protos}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
