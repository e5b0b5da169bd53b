"""Who calls: what is sent, and what never leaves this machine in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from grpc import aio

from dragonhall.client import (
    Client,
    DragonhallError,
    Patience,
    ServerUnavailable,
    Tls,
    UnsafeCredentials,
    open_seat,
)
from dragonhall.client.access import Access
from dragonhall.client.errors import NOT_TRUSTED
from dragonhall.client.sync import SyncClient
from dragonhall.server import Server, ServerConfig, TlsFiles
from dragonhall.server.identity.keys import new_key, stanza
from dragonhall.v1 import game_service_pb2
from tests.client.games import DRAGONS
from tests.service.certificates import Authority

KEY = "key-of-the-tests"


class Noting(grpc.GenericRpcHandler):
    """Answers every call with nothing, and notes who called."""

    def __init__(self) -> None:
        self.callers: list[str] = []

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        metadata = dict(details.invocation_metadata or ())
        self.callers.append(str(metadata.get("authorization", "")))
        if details.method.endswith("ListRules"):
            return grpc.unary_unary_rpc_method_handler(self._list_rules)
        if details.method.endswith("Play"):
            return grpc.stream_stream_rpc_method_handler(self._nothing)
        return grpc.unary_stream_rpc_method_handler(self._nothing)

    async def _list_rules(self, request: bytes, context: object) -> bytes:
        return game_service_pb2.ListRulesResponse().SerializeToString()

    async def _nothing(self, request: object, context: object) -> AsyncIterator[bytes]:
        for nothing in list[bytes]():
            yield nothing


@pytest.fixture
async def noting() -> AsyncIterator[tuple[Noting, str]]:
    """The server and its address."""
    server, noted = aio.server(), Noting()
    server.add_generic_rpc_handlers((noted,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield noted, f"127.0.0.1:{port}"
    await server.stop(None)


async def test_every_call_and_stream_says_who_calls(noting: tuple[Noting, str]) -> None:
    noted, target = noting
    async with Client(target, api_key=KEY) as client:
        await client.list_rules()
        assert [observation async for observation in client.observe("game")] == []
        async with client.play():
            while len(noted.callers) < 3:
                await client.list_rules()
    assert set(noted.callers) == {f"Bearer {KEY}"}


async def test_a_client_without_a_key_says_nothing(noting: tuple[Noting, str]) -> None:
    noted, target = noting
    async with Client(target) as client:
        await client.list_rules()
    assert noted.callers == [""]


async def test_the_newest_token_is_asked_for_before_each_call(noting: tuple[Noting, str]) -> None:
    noted, target = noting
    tokens = iter(["one", "two"])

    async def refresh() -> str:
        return next(tokens)

    async with Client(target, token=refresh) as client:
        await client.list_rules()
        await client.list_rules()
    assert noted.callers == ["Bearer one", "Bearer two"]


async def test_a_key_does_not_go_to_another_machine_in_plain_text() -> None:
    with pytest.raises(UnsafeCredentials, match=r"games\.example:7350 in plain text") as refused:
        Client("games.example:7350", api_key=KEY)
    assert KEY not in str(refused.value)
    for client in (
        Client("games.example:7350", api_key=KEY, allow_plain_text=True),
        Client("games.example:7350", api_key=KEY, tls=True),
        Client("games.example:7350", api_key=KEY, credentials=grpc.ssl_channel_credentials()),
    ):
        await client.close()


@pytest.mark.parametrize("secret", ["", "two words", "line\n", "schlüssel"])
async def test_what_cannot_be_a_key_is_refused_and_not_repeated(secret: str) -> None:
    with pytest.raises(ValueError, match="visible ASCII") as refused:
        Access(api_key=secret)
    assert not secret or secret not in str(refused.value)
    with pytest.raises(ValueError, match="visible ASCII"):
        await Access(token=lambda: secret).metadata()


async def test_arguments_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not both"):
        Client("127.0.0.1:1", api_key=KEY, token=KEY)
    with pytest.raises(ValueError, match="not both"):
        Client("127.0.0.1:1", tls=True, credentials=grpc.ssl_channel_credentials())
    with pytest.raises(ValueError, match="together"):
        Tls(certificate_chain=b"certificate")
    (tmp_path / "key.pem").write_bytes(b"secret")
    with pytest.raises(ValueError, match="together"):
        Tls.of_files(private_key=tmp_path / "key.pem")
    assert "secret" not in repr(Tls(certificate_chain=b"certificate", private_key=b"secret"))


def test_pem_files_are_named_by_paths_or_by_texts(tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    path.write_bytes(b"roots")
    assert Tls.of_files(root_certificates=path) == Tls.of_files(root_certificates=str(path)) == Tls(b"roots")


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[tuple[str, Tls, str]]:
    """A server that wants a client's certificate and knows one API key: its address, how to reach it, and the key."""
    authority, key = Authority(), new_key()
    certificate, private = authority.issue("localhost").save(tmp_path, "server")
    auth, roots = tmp_path / "auth.toml", authority.save(tmp_path, "ca")
    auth.write_text(stanza("tests", key))
    server = Server(
        ServerConfig(
            listen="127.0.0.1:0", store=tmp_path / "hall.db", tls=TlsFiles(certificate, private, roots), auth=auth
        )
    )
    port = await server.start()
    own_certificate, own_key = authority.issue("a client").save(tmp_path, "client")
    tls = Tls.of_files(root_certificates=roots, certificate_chain=own_certificate, private_key=own_key)
    yield f"localhost:{port}", tls, key
    await server.stop()


async def test_a_guarded_server_lets_in_who_has_certificate_and_key(guarded: tuple[str, Tls, str]) -> None:
    target, tls, key = guarded
    async with Client(target, tls=tls, api_key=key) as client:
        assert (await client.create_game(DRAGONS, [open_seat()] * 3)).host_token

    def create() -> str:
        with SyncClient(target, tls=tls, api_key=key) as blocking:
            return blocking.create_game(DRAGONS, [open_seat()] * 3).host_token

    assert await asyncio.to_thread(create)


async def test_a_server_that_is_not_trusted_is_told_of_before_an_address_where_nobody_is(
    guarded: tuple[str, Tls, str],
) -> None:
    """At localhost: gRPC tells of one address alone, which may be ::1."""
    told: asyncio.Queue[str] = asyncio.Queue()
    soon = timedelta(seconds=0.05)
    patience = Patience(None, soon, soon, on_failure=lambda _, cause: told.put_nowait(cause))
    async with Client(guarded[0], tls=True, patience=patience) as stranger, asyncio.timeout(60):
        asking = asyncio.create_task(stranger.list_rules())
        while await told.get() != NOT_TRUSTED:
            pass
        assert {await told.get() for _ in range(50)} == {NOT_TRUSTED}
        asking.cancel()


async def test_a_guarded_server_says_what_is_missing(guarded: tuple[str, Tls, str]) -> None:
    target, tls, _ = guarded
    async with Client(target, tls=tls) as stranger:
        with pytest.raises(DragonhallError) as refused:
            await stranger.create_game(DRAGONS, [open_seat()] * 3)
        assert refused.value.reason in ("NOT_ALLOWED", "CREDENTIALS_INVALID")
    async with Client(target, tls=tls, api_key=new_key()) as guessing:
        with pytest.raises(DragonhallError, match="CREDENTIALS_INVALID"):
            await guessing.list_rules()
    impatient = Patience(give_up_after=timedelta(seconds=0.5))
    async with Client(target, tls=Tls(tls.root_certificates), patience=impatient) as without_certificate:
        with pytest.raises(ServerUnavailable):
            await without_certificate.list_rules()
