"""hatchling's build hook: adds generated protobuf code, and extension modules where a C compiler is found.

DRAGONHALL_COMPILE says what is done about compiling:

``auto``     compile; warn and go on interpreted if that fails (the default of a wheel)
``off``      do not (the default of an editable install, where an extension module would hide later edits of its source)
``require``  compile, and fail if that fails
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from deploy.packaging.compiled import (
    IMPORT_ROOTS,
    CompilationError,
    compile_modules,
    extension_modules,
    modules_to_compile,
    place_in_tree,
)
from deploy.packaging.generate import generate

CHOICES = ("auto", "off", "require")


class DragonhallBuildHook(BuildHookInterface[Any]):
    """Fills a wheel, or for an editable install the source tree, with what is built rather than kept."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects a wheel's files; ``version`` is "standard" or "editable"."""
        self.repository = Path(self.root)
        self.scratch = Path(tempfile.mkdtemp(prefix="dragonhall-build-"))
        atexit.register(shutil.rmtree, self.scratch, ignore_errors=True)  # also after a build that fails
        if version == "editable":
            self._prepare_tree()
        else:
            self._add_to_wheel(build_data)

    def _prepare_tree(self) -> None:
        protos = self.repository / "protos"
        generate(protos, protos)
        for root in IMPORT_ROOTS:
            for extension in extension_modules(self.repository / root / "dragonhall"):
                (self.repository / root / "dragonhall" / extension).unlink()
        for extension in self._compile(_choice(default="off"), self.scratch):
            shutil.copy(self.scratch / extension, place_in_tree(self.repository, extension))

    def _add_to_wheel(self, build_data: dict[str, Any]) -> None:
        built = generate(self.repository / "protos", self.scratch)
        extensions = self._compile(_choice(default="auto"), self.scratch)
        if extensions:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        for file in [*built, *extensions]:
            build_data["force_include"][str(self.scratch / file)] = file.as_posix()

    def _compile(self, choice: str, target: Path) -> list[Path]:
        if choice == "off":
            return []
        try:
            sources = modules_to_compile(self.repository, self.config.get("compile", []))
            return compile_modules(self.repository, sources, target)
        except CompilationError as error:
            if choice == "require":
                raise
            self.app.display_warning(f"Not compiled, the rules will run interpreted and slower: {error}")
            return []


def _choice(default: str) -> str:
    choice = os.environ.get("DRAGONHALL_COMPILE", default)
    if choice not in CHOICES:
        raise ValueError(f"DRAGONHALL_COMPILE is {choice!r}; it must be one of {', '.join(CHOICES)}")
    return choice
