"""JSON Web Tokens: which are good, which are not, and how the issuer's keys are got."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives import serialization

from dragonhall.server.identity import json_web_tokens
from dragonhall.server.identity.json_web_tokens import TokenChecker
from dragonhall.server.identity.key_set import KeySet, KeysUnavailable, Source, source_of
from dragonhall.server.identity.oidc import ALGORITHMS, Issuer
from dragonhall.server.refusal import Refusal
from dragonhall.v1 import game_service_pb2
from tests.service.certificates import Authority
from tests.service.harness import OPEN, Running, dragons, refused, reserved, running
from tests.service.jwks import AUDIENCE, ISSUER, Published, SigningKey, ec_key, ed25519_key, https_server, rsa_key
from tests.service.test_callers import bearer, reason

RSA, PSS, EC, ED = rsa_key(), rsa_key("pss", "PS256"), ec_key(), ed25519_key()
AUTHORITY = Authority()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with https_server(tmp_path_factory.mktemp("issuer"), AUTHORITY) as server:
        server.publish(RSA, PSS, EC, ED)
        yield server


def auth_text(published: Published, more: str = "") -> str:
    where = f'keys = "{published.url}"\nkeys_ca = "{published.ca}"'
    return f'[oidc]\nissuer = "{ISSUER}"\naudience = "{AUDIENCE}"\n{where}\n{more}'


def create(server: Running, token: str) -> Any:
    request = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN, OPEN, reserved("mine")])
    return server.games.CreateGame(request, metadata=bearer(token))


@pytest.fixture(scope="module")
def checker(published: Published) -> TokenChecker:
    issuer = Issuer(ISSUER, (AUDIENCE,), published.url, published.ca, ALGORITHMS, 30, "sub", "permissions")
    return TokenChecker(issuer)


async def why_not(checker: TokenChecker, token: str) -> str:
    """Why a token is refused."""
    with pytest.raises(Refusal) as caught:
        await checker.check(token)
    assert caught.value.reason.value == "CREDENTIALS_INVALID"
    assert token[:40] not in caught.value.message
    return caught.value.message.removeprefix("the JSON Web Token is refused: ")


# Over the wire


async def test_a_good_token_is_let_in_and_named(
    tmp_path: Path, published: Published, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dragonhall.server")
    path = tmp_path / "auth.toml"
    path.write_text(auth_text(published, 'permissions = "permissions"\ncreate = false\nbots = ["mine"]\n'))
    async with running(tmp_path / "games.db", auth=path) as server:
        game = (await create(server, RSA.token(permissions="create other"))).game
        assert "method=CreateGame" in caplog.text
        assert "caller='oidc:ann'" in caplog.text
        may_not = await reason(create(server, RSA.token()))
        assert may_not == ("NOT_ALLOWED", {"permission": "create"})
        take = game_service_pb2.TakeSeatRequest(game_id=game.game_id, player_name="B", bot_name="mine")
        assert (await reason(server.games.TakeSeat(take)))[0] == "NOT_ALLOWED"
        assert (await server.games.TakeSeat(take, metadata=bearer(EC.token()))).seat == 2


async def test_a_bad_token_is_told_so(tmp_path: Path, published: Published) -> None:
    path = tmp_path / "auth.toml"
    path.write_text(auth_text(published) + "[anonymous]\ncreate = true\n")
    async with running(tmp_path / "games.db", auth=path) as server:
        for token in (RSA.token(exp=time.time() - 31), rsa_key().token(), "a.b.c"):
            assert (await reason(create(server, token)))[0] == "CREDENTIALS_INVALID"


async def test_while_the_keys_cannot_be_had_the_caller_is_told_when_to_come_back(tmp_path: Path) -> None:
    path = tmp_path / "auth.toml"
    nobody = Published("https://localhost:9/keys.json", AUTHORITY.save(tmp_path))
    path.write_text(auth_text(nobody))
    async with running(tmp_path / "games.db", auth=path) as server:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await create(server, RSA.token())
        refusal = refused(caught.value)
        assert refusal.reason == "CREDENTIALS_INVALID"
        assert 0 < refusal.retry_after <= 10


# Good and bad tokens


@pytest.mark.parametrize("key", [RSA, PSS, EC, ED], ids=lambda key: key.algorithm)
async def test_signatures_of_all_kinds_are_checked(checker: TokenChecker, key: SigningKey) -> None:
    assert (await checker.check(key.token())).name == "ann"
    head, payload, signature = key.token().split(".")
    forged = payload[:-4] + ("AAAA" if payload[-4:] != "AAAA" else "BBBB")
    assert await why_not(checker, f"{head}.{forged}.{signature}")
    assert await why_not(checker, f"{head}.{payload}.{signature[:-6]}AAAAAA") == "its signature is wrong"
    assert await why_not(checker, f"{head}.{payload}.") == "its signature is wrong"


def segment(data: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def unsigned() -> str:
    """Of the algorithm "none"."""
    return f"{segment({'alg': 'none', 'kid': 'rsa'})}.{RSA.token().split('.')[1]}."


def signed_with_the_public_key(algorithm: str = "HS256") -> str:
    """What everyone can do who takes the issuer's public key for a shared secret."""
    public = RSA.private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    signed = f"{segment({'alg': algorithm, 'kid': 'rsa', 'typ': 'JWT'})}.{RSA.token().split('.')[1]}"
    signature = base64.urlsafe_b64encode(hmac.digest(public, signed.encode(), hashlib.sha256)).rstrip(b"=").decode()
    return f"{signed}.{signature}"


def claims_that_are(value: Any) -> str:
    """A good signature under claims that are no object."""
    signed = f"{segment({'alg': 'ES256', 'kid': 'ec'})}.{base64.urlsafe_b64encode(json.dumps(value).encode()).decode()}"
    algorithm = jwt.get_algorithm_by_name("ES256")
    signature = algorithm.sign(signed.rstrip("=").encode(), EC.private)
    return f"{signed.rstrip('=')}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def header(text: str) -> str:
    """A token whose header is just that."""
    return f"{base64.urlsafe_b64encode(text.encode()).rstrip(b'=').decode()}.e30.e30"


NOW = time.time()

BAD = {
    "expired": (RSA.token(exp=NOW - 31), "it has expired"),
    "not yet valid": (RSA.token(nbf=NOW + 86_400), "it is not valid yet"),
    "issued in the future": (RSA.token(iat=NOW + 86_400), "it is not valid yet"),
    "never expires": (RSA.token(exp=None), "it has to have the claims"),
    "another audience": (RSA.token(aud="chess"), "it is meant for another audience"),
    "no audience": (RSA.token(aud=None), "it has to have the claims"),
    "another issuer": (RSA.token(iss="https://evil.example"), "it comes from another issuer"),
    "no issuer": (RSA.token(iss=None), "it has to have the claims"),
    "alg none": (unsigned(), "its algorithm is none of"),
    "HS256 by the public key": (signed_with_the_public_key(), "its algorithm is none of"),
    "RS256 by an EC key": (RSA.token({"kid": "ec"}), "it is not"),
    "ES256 by an RSA key": (EC.token({"kid": "rsa"}), "it is not"),
    "another's key": (rsa_key().token(), "its signature is wrong"),
    "an unknown key": (rsa_key("nobody's").token(), "it is not signed with one of the issuer's keys"),
    "no key id among several": (SigningKey("x", "RS256", RSA.private).token({"kid": None}), "it is not"),
    "critical extensions": (RSA.token({"crit": ["exp"]}), "it"),
    "no name": (RSA.token(sub=None), "its claim 'sub'"),
    "an empty name": (RSA.token(sub=""), "its claim 'sub'"),
    "a name of two lines": (RSA.token(sub="a\nevent=forged"), "its claim 'sub'"),
    "a long name": (RSA.token(sub="x" * 201), "its claim 'sub'"),
    "claims that are a list": (claims_that_are([1]), "it is not"),
    "claims that are a number": (claims_that_are(1), "it is not"),
    "far too long": (RSA.token(more="x" * 9000), "it is longer than 8192"),
    "garbage": ("a.b.c", "it is not one that can be read"),
    "empty parts": ("..", "it is not one that can be read"),
    "not ASCII": ("é.ü.ö", "it is not one that can be read"),
    "a header of lists in lists": (header("[" * 4000), "it is not one that can be read"),
    "a header of objects in objects": (header('{"alg":' * 700), "it is not one that can be read"),
    "a header that is a list": (header('["alg"]'), "it is not one that can be read"),
    "a key id that is a list": (header('{"alg": "RS256", "kid": ["rsa"]}'), "it is not one that can be read"),
    "an algorithm that is a list": (header('{"alg": ["RS256"]}'), "it"),
    "a number without end in the header": (header('{"alg": ' + "9" * 5000 + "}"), "it is not one that can be read"),
    "an expiry without end": (RSA.token(exp=float("inf")), "it is not one that can be read"),
    "an expiry that is nothing": (RSA.token(exp=float("nan")), "it is not one that can be read"),
    "an expiry that is no number": (RSA.token(exp="soon"), "it is not"),
}


@pytest.mark.parametrize("what", BAD)
async def test_a_token_is_refused_with_the_reason(checker: TokenChecker, what: str) -> None:
    token, words = BAD[what]
    assert (await why_not(checker, token)).startswith(words)


async def test_clocks_may_be_off_by_the_leeway(checker: TokenChecker) -> None:
    now = time.time()
    claims = await checker.check(RSA.token(exp=now - 10, nbf=now + 20, iat=now + 20))
    assert claims.expires == pytest.approx(now + 20, abs=1.5)


async def test_permissions_come_in_a_list_or_a_text(checker: TokenChecker) -> None:
    good: list[Any] = ["create bot:x", ["create", "bot:x"]]
    for said in good:
        assert (await checker.check(EC.token(permissions=said))).permissions == {"create", "bot:x"}
    bad: list[Any] = [None, 1, {"create": True}, [1, None]]
    for said in bad:
        assert (await checker.check(EC.token(permissions=said))).permissions == frozenset()


async def test_a_short_rsa_key_proves_nothing(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyJWT's own, about signing with it
        short = rsa_key("short", bits=1024)
        token = short.token()
    assert await why_not(checker_of(tmp_path, short), token)


# Keys


def checker_of(folder: Path, *keys: SigningKey, **extra: Any) -> TokenChecker:
    """A checker whose keys are in a file."""
    path = folder / "keys.json"
    path.write_text(json.dumps({"keys": [{**key.public_jwk(), **extra} for key in keys]}))
    return TokenChecker(Issuer(ISSUER, (AUDIENCE,), str(path), None, ALGORITHMS, 30, "sub", None))


async def test_keys_may_be_in_a_file(tmp_path: Path) -> None:
    checker = checker_of(tmp_path, ED)
    assert (await checker.check(ED.token())).name == "ann"
    assert (await checker.check(ED.token({"kid": None}))).name == "ann", "there is only one that it can be"
    assert await why_not(checker_of(tmp_path, ED, alg="ES256"), ED.token()), "the key is for something else"
    assert await why_not(checker_of(tmp_path, ED, use="enc"), ED.token()), "the key is for something else"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def counted(published: Published) -> tuple[KeySet, Clock]:
    """A fresh set of the published keys, and its clock."""
    published.requests, published.status, published.headers = 0, 200, {}
    published.publish(RSA, PSS, EC, ED)
    clock = Clock()
    return KeySet(source_of(published.url, published.ca), clock), clock


async def test_keys_are_fetched_once_and_anew_when_one_is_not_known(published: Published) -> None:
    keys, clock = counted(published)
    assert await keys.find("rsa")
    for _ in range(50):
        assert await keys.find("ec")
    assert published.requests == 1
    fresh = ec_key("fresh")
    published.publish(fresh)
    clock.now += 11
    assert await keys.find("fresh")
    assert published.requests == 2
    assert await keys.find("rsa") is None, "withdrawn"
    published.publish(RSA, PSS, EC, ED)


async def test_unknown_keys_do_not_make_the_server_ask_all_the_time(published: Published) -> None:
    keys, clock = counted(published)
    found = await asyncio.gather(*(keys.find(f"made up {i}") for i in range(100)))
    assert found == [None] * 100
    assert published.requests == 1
    clock.now += 11
    await asyncio.gather(*(keys.find(f"made up {i}") for i in range(100)))
    assert published.requests == 2


async def test_keys_hold_while_their_source_is_gone_but_not_for_ever(published: Published) -> None:
    keys, clock = counted(published)
    assert await keys.find("rsa")
    published.status = 500
    clock.now += 3600
    assert await keys.find("rsa")
    assert published.requests == 2
    clock.now += 86_400
    with pytest.raises(KeysUnavailable):
        await keys.find("rsa")
    published.status = 200
    clock.now += 11
    assert await keys.find("rsa")


async def test_keys_come_from_where_they_should(published: Published, tmp_path: Path) -> None:
    keys, _ = counted(published)
    published.status, published.headers = 302, {"Location": published.url + "?elsewhere"}
    with pytest.raises(KeysUnavailable):
        await keys.find("rsa")
    assert published.requests == 1, "a redirect is not followed"
    published.status, published.headers = 200, {}
    for ca in (None, Authority("Another").save(tmp_path, "another")):
        with pytest.raises(KeysUnavailable):
            await KeySet(source_of(published.url, ca)).find("rsa")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": 1}', "\xff", "[" * 100_000])
async def test_what_is_no_key_set_gives_no_keys(text: str) -> None:
    with pytest.raises(KeysUnavailable):
        await KeySet(Source(lambda: text.encode("latin-1"), 600.0, 10.0)).find("rsa")


ODD = {**RSA.public_jwk(), "kid": ["rsa"]}


async def test_keys_that_are_none_of_an_issuers_are_passed_over() -> None:
    text = json.dumps({"keys": [1, {"kty": "oct", "kid": "secret", "k": "c2VjcmV0"}, EC.public_jwk(), {}, ODD]})
    keys = KeySet(Source(lambda: text.encode(), 600.0, 10.0))
    assert await keys.find("ec")
    assert await keys.find("secret") is None


async def test_a_token_is_checked_once_and_again_after_a_while(
    tmp_path: Path, published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted(published)
    checked: list[str] = []
    verify = TokenChecker._verified

    def counting(self: TokenChecker, token: str, *rest: Any) -> dict[str, Any]:
        checked.append(token)
        return verify(self, token, *rest)

    monkeypatch.setattr(json_web_tokens.TokenChecker, "_verified", counting)
    path = tmp_path / "auth.toml"
    path.write_text(auth_text(published))
    async with running(tmp_path / "games.db", auth=path) as server:
        long = EC.token()
        for _ in range(3):
            await create(server, long)
        assert checked == [long]
        short = EC.token(exp=time.time() - 27)  # of the leeway, 30 s
        await create(server, short)
        await asyncio.sleep(3.1)
        assert (await reason(create(server, short)))[0] == "CREDENTIALS_INVALID"
