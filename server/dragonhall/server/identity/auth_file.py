"""The auth file: who may do what. TOML::

    [anonymous]                     # callers without credentials; if absent, they may create and import nothing
    create = false
    games = 20                      # quotas; those left out are the server's for everyone, see `Limits`
    streams = 20
    submits_per_second = 50
    submits_burst = 100
    sandbox = 2

    [[caller]]                      # any number
    name = "web"                    # 1 to 64 of a-z, 0-9, "-", "_", "." and "@"
    key_sha256 = "617015e8…"        # of its API key, see ``dragonhall key``; or several: ["…", "…"]
    certificate = "web.example"     # or the name in its client certificate; or several
    create = true                   # may create games; true unless said otherwise
    import = false                  # may import records; false unless said otherwise
    bots = ["greedy"]               # plays under these bot names, and nobody else may who is not given them too

    [oidc]                          # JSON Web Tokens, see `oidc.Issuer`; permissions and quotas as above, of each
    issuer = "https://login.example"
    audience = "dragonhall"
    keys = "https://login.example/keys.json"

Only hashes of keys are in it. Still, who can write it can let anybody in: mode 0600.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dragonhall.server.config import ConfigError, Limits
from dragonhall.server.identity.caller import Caller
from dragonhall.server.identity.oidc import Issuer
from dragonhall.server.identity.quotas import Allowance
from dragonhall.server.identity.table import Table

CALLER_NAME: Final = re.compile(r"[a-z0-9_.@-]{1,64}")
KEY_HASH: Final = re.compile(r"[0-9a-f]{64}")
BOT_NAME: Final = re.compile(r"[a-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True)
class Known:
    """A kind of caller: what it may do and use."""

    caller: Caller
    allowance: Allowance


@dataclass(frozen=True)
class AuthFile:
    """All that a server knows of its callers."""

    anonymous: Known
    """Without a name of its own: it is each address's."""
    keys: Mapping[str, Known]
    """By the key's hash."""
    certificates: Mapping[str, Known]
    """By a name in the certificate."""
    issuer: Issuer | None
    by_token: Known
    """Whoever comes with the issuer's token; without a name either."""


def read_auth_file(path: Path, limits: Limits, allow_imports: bool) -> AuthFile:
    """The file's contents. Raises `ConfigError`, which names the file and the place in it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"the auth file {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the auth file {path} is not TOML: {error}") from error
    return _Reading(path, Table(str(path), data), Allowance.of(limits), allow_imports).whole()


def without_auth_file(limits: Limits, allow_imports: bool) -> AuthFile:
    """What holds where there is none: whoever comes may create games."""
    anyone = Known(Caller("anonymous", may_import=allow_imports), Allowance.of(limits))
    return AuthFile(anyone, {}, {}, None, anyone)


class _Reading:
    """One file that is being read."""

    def __init__(self, path: Path, file: Table, allowance: Allowance, allow_imports: bool) -> None:
        self._folder = path.parent
        self._file = file
        self._allowance = allowance
        self._allow_imports = allow_imports
        self._bots: dict[str, frozenset[str]] = {}
        """What each caller plays under, by its name."""

    def whole(self) -> AuthFile:
        anonymous = self._file.table("anonymous")
        stranger = self._known(anonymous, "anonymous", may_create=False, may_import=False)
        anonymous.end()
        keys: dict[str, Known] = {}
        certificates: dict[str, Known] = {}
        for table in self._file.tables("caller"):
            self._caller(table, keys, certificates)
        issuer, by_token = self._oidc(stranger)
        self._file.end()
        return self._with_kept_bots(AuthFile(stranger, keys, certificates, issuer, by_token))

    def _caller(self, table: Table, keys: dict[str, Known], certificates: dict[str, Known]) -> None:
        name = table.text("name", CALLER_NAME)
        if name in self._bots:
            raise table.wrong("name", f"{name!r} is another caller's already")
        known = self._known(table, name, may_create=True, may_import=self._allow_imports)
        hashes, subjects = table.texts("key_sha256", KEY_HASH), table.texts("certificate")
        table.end()
        if not hashes and not subjects:
            raise table.wrong("key_sha256", "give this, or certificate: else nobody is this caller")
        for field, credentials, place in (("key_sha256", hashes, keys), ("certificate", subjects, certificates)):
            for credential in credentials:
                if credential in place:
                    raise table.wrong(field, f"belongs to {place[credential].caller.name!r} already")
                place[credential] = known

    def _oidc(self, stranger: Known) -> tuple[Issuer | None, Known]:
        if "oidc" not in self._file:
            return None, stranger
        table = self._file.table("oidc")
        known = self._known(table, "oidc", may_create=True, may_import=self._allow_imports)
        issuer = Issuer.read(table, self._folder)
        table.end()
        return issuer, known

    def _known(self, table: Table, name: str, *, may_create: bool, may_import: bool) -> Known:
        self._bots[name] = frozenset(table.texts("bots", BOT_NAME))
        caller = Caller(name, table.flag("create", may_create), table.flag("import", may_import))
        default = self._allowance
        allowance = Allowance(
            games=table.whole_number("games", default.games),
            streams=table.whole_number("streams", default.streams),
            submits_per_second=table.positive("submits_per_second", default.submits_per_second),
            submits_burst=table.whole_number("submits_burst", default.submits_burst, least=1),
            sandbox=table.whole_number("sandbox", default.sandbox),
        )
        return Known(caller, allowance)

    def _with_kept_bots(self, file: AuthFile) -> AuthFile:
        """Each caller is refused the bots that others play under and it does not."""
        kept = frozenset().union(*self._bots.values())

        def known(one: Known) -> Known:
            refused = kept - self._bots.get(one.caller.name, frozenset())
            return replace(one, caller=replace(one.caller, refused_bots=refused))

        return AuthFile(
            known(file.anonymous),
            {key: known(one) for key, one in file.keys.items()},
            {subject: known(one) for subject, one in file.certificates.items()},
            file.issuer,
            known(file.by_token),
        )
