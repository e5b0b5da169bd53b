"""A bot of an author's own, found by where it is written: ``FILE.py:CLASS`` or ``package.module:CLASS``."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Final, cast

from dragonhall.bots.policy import PolicyFactory
from dragonhall.bots.sdk import Bot, BotFactory, is_bot_class

_CONSTRUCTOR: Final = ("chair", "rng")
_CHOOSE_OF_BOT: Final = ("view", "decision")
_CHOOSE: Final = ("view", "seen", "decision", "actions")


class InvalidPolicy(Exception):
    """A place that holds no policy. The message says what is wrong with it."""


def is_place(text: str) -> bool:
    """Whether ``text`` says where a policy is written, and is no kind's name."""
    return ":" in text


def load_policy(place: str) -> PolicyFactory:
    """What makes the policies of the bot at ``FILE.py:NAME`` or ``package.module:NAME``.

    That is a class of bots (`Bot`), a class of policies (`Policy`), or a function that is called as its constructor is.

    Modules next to the file can be imported from it; a package may be installed or in the working directory. Raises
    `InvalidPolicy` if there is no such file, module or name, if importing it fails, and if it makes no policy.
    """
    where, _, name = place.rpartition(":")
    if not where or not name:
        raise InvalidPolicy(f"{place!r} is neither FILE.py:CLASS nor package.module:CLASS")
    module = _of_file(Path(where)) if where.endswith(".py") else _of_name(where)
    if not hasattr(module, name):
        raise InvalidPolicy(f"there is no {name} in {where}{_others(module)}")
    return _checked(getattr(module, name), place)


def _of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InvalidPolicy(f"there is no file {path}")
    _make_importable(path.absolute().parent)
    spec = importlib.util.spec_from_file_location(f"dragonhall_own_{path.stem}", path.absolute())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # as dataclasses, among others, want it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _import_failed(str(path), error) from error
    return module


def _of_name(name: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise InvalidPolicy(f"{name!r} is neither a file FILE.py nor a module's name")
    _make_importable(Path.cwd())
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            text = f"there is no module {name}, neither installed nor in the working directory"
            raise InvalidPolicy(text) from error
        raise _import_failed(name, error) from error


def _make_importable(folder: Path) -> None:
    """At the end, so that a file called ``random.py`` takes nothing's place."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _import_failed(what: str, error: BaseException) -> InvalidPolicy:
    """What an author's code raised, with the line it comes from. A SyntaxError says that itself."""
    ours = (__file__, importlib.__file__)
    frames = [] if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)
    lines = [f" ({frame.filename}, line {frame.lineno})" for frame in frames if frame.filename not in ours]
    place = lines[-1] if lines else ""
    return InvalidPolicy(f"importing {what} failed: {type(error).__name__}: {error}{place}")


def _others(module: ModuleType) -> str:
    names = [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and callable(getattr(value, "choose", None))
    ]
    return f"; there is: {', '.join(names)}" if names else ""


def made_by(bot: PolicyFactory | type[Bot]) -> PolicyFactory:
    """What makes the policies of a class of bots; anything else is taken for that itself."""
    return BotFactory(cast(type[Bot], bot)) if is_bot_class(bot) else cast(PolicyFactory, bot)


def _checked(found: object, place: str) -> PolicyFactory:
    """``found``, which can be called as a policy's constructor is, and has the method if it is a class."""
    if not _takes(found, _CONSTRUCTOR):
        raise InvalidPolicy(f"{place} makes no policy: it has to take ({', '.join(_CONSTRUCTOR)})")
    what, arguments = ("bot", _CHOOSE_OF_BOT) if is_bot_class(found) else ("policy", _CHOOSE)
    method = getattr(found, "choose", None)
    lacks = getattr(method, "__isabstractmethod__", False) or not _takes(method, ("self", *arguments))
    if inspect.isclass(found) and lacks:
        raise InvalidPolicy(f"{place} is no {what}: it has to have a method choose(self, {', '.join(arguments)})")
    return made_by(cast(PolicyFactory, found))


def _takes(what: object, arguments: tuple[str, ...]) -> bool:
    if not callable(what):
        return False
    try:
        inspect.signature(what).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # written in C: it does not say
        return True
    return True
