"""TLS: who is let in, how certificates are renewed, and what is said of files that are wrong."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from dragonhall.server import ConfigError, Server, ServerConfig, TlsFiles
from dragonhall.v1 import game_service_pb2, game_service_pb2_grpc, play_service_pb2, play_service_pb2_grpc
from tests.service.certificates import Authority, Pair, private_pem
from tests.service.harness import OPEN, dragons, refused

AUTHORITY = Authority()


def files(folder: Path, client_ca: Authority | None = None) -> TlsFiles:
    """A server's, in a folder."""
    certificate, key = AUTHORITY.issue("localhost").save(folder, "server")
    return TlsFiles(certificate, key, client_ca.save(folder, "clients") if client_ca else None)


@asynccontextmanager
async def serving(folder: Path, tls: TlsFiles, **settings: Any) -> AsyncIterator[int]:
    """The port of a server with TLS."""
    server = Server(ServerConfig(listen="localhost:0", store=folder / "games.db", tls=tls, **settings))
    port = await server.start()
    try:
        yield port
    finally:
        await server.stop()


def secure(port: int, pair: Pair | None = None, authority: Authority = AUTHORITY) -> grpc.aio.Channel:
    """A client's connection of its own."""
    key, certificate = (pair.key, pair.certificate) if pair else (None, None)
    credentials = grpc.ssl_channel_credentials(authority.pem, key, certificate)
    return grpc.aio.secure_channel(f"localhost:{port}", credentials, [("grpc.use_local_subchannel_pool", 1)])


async def names_of_games(channel: grpc.aio.Channel) -> int:
    """How many games are listed: any call would do."""
    stub = game_service_pb2_grpc.GameServiceStub(channel)
    return len((await stub.ListGames(game_service_pb2.ListGamesRequest(), timeout=20)).games)


async def create(channel: grpc.aio.Channel) -> str:
    stub = game_service_pb2_grpc.GameServiceStub(channel)
    request = game_service_pb2.CreateGameRequest(options=dragons(), seats=[OPEN] * 3)
    return (await stub.CreateGame(request, timeout=20)).game.game_id


async def test_calls_and_streams_go_over_tls_and_nothing_goes_without(tmp_path: Path) -> None:
    async with serving(tmp_path, files(tmp_path)) as port:
        async with secure(port) as channel:
            game_id = await create(channel)
            stream: Any = play_service_pb2_grpc.PlayServiceStub(channel).Observe(
                play_service_pb2.ObserveRequest(game_id=game_id)
            )
            assert (await stream.read()).HasField("snapshot")
            stream.cancel()
        async with secure(port, authority=Authority("Another CA")) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await names_of_games(channel)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await names_of_games(channel)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE


async def test_with_a_client_ca_nobody_is_let_in_without_its_certificate(tmp_path: Path) -> None:
    clients = Authority("Clients")
    async with serving(tmp_path, files(tmp_path, clients)) as port:
        async with secure(port, clients.issue("bot")) as channel:
            assert await names_of_games(channel) == 0
        for pair in (None, AUTHORITY.issue("bot")):
            async with secure(port, pair) as channel:
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await names_of_games(channel)
                assert caught.value.code() == grpc.StatusCode.UNAVAILABLE


TWO_CALLERS = """
[[caller]]
name = "web"
certificate = "web.example"
[[caller]]
name = "ops"
certificate = "Ops"
"""


async def test_a_certificate_names_its_caller(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clients = Authority("Clients")
    auth = tmp_path / "auth.toml"
    auth.write_text(
        '[[caller]]\nname = "web"\ncertificate = "web.example"\n[[caller]]\nname = "ops"\ncertificate = "Ops"\n'
    )
    caplog.set_level(logging.INFO, "dragonhall.server")
    async with serving(tmp_path, files(tmp_path, clients), auth=auth) as port:
        for pair, name in ((clients.issue("x", "web.example"), "web"), (clients.issue("Ops"), "ops")):
            async with secure(port, pair) as channel:
                game_id = await create(channel)
            assert f"event=done method=CreateGame game={game_id} caller='{name}'" in caplog.text
        async with secure(port, clients.issue("a stranger")) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await names_of_games(channel)
            assert refused(caught.value).reason == "CREDENTIALS_INVALID"


async def test_without_an_auth_file_a_certificates_name_is_the_callers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clients = Authority("Clients")
    caplog.set_level(logging.INFO, "dragonhall.server")
    async with serving(tmp_path, files(tmp_path, clients)) as port, secure(port, clients.issue("Ann")) as channel:
        await create(channel)
    assert "caller='cert:Ann'" in caplog.text


async def test_renewed_files_hold_for_the_next_connection(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    renewed = Authority("Renewed")
    async with serving(tmp_path, files(tmp_path)) as port, secure(port) as before:
        assert await names_of_games(before) == 0
        pair = renewed.issue("localhost")
        (tmp_path / "server.pem").write_bytes(pair.certificate)  # and the key is still the old one's
        async with secure(port) as channel:
            assert await names_of_games(channel) == 0
        assert "event=tls_files_refused" in caplog.text
        (tmp_path / "server.key").write_bytes(pair.key)
        async with secure(port, authority=renewed) as channel:
            assert await names_of_games(channel) == 0
        assert await names_of_games(before) == 0, "a connection that is open goes on"


async def test_a_renewed_client_ca_lets_in_whom_it_signed_and_no_other(tmp_path: Path) -> None:
    before, after = Authority("Before"), Authority("After")
    async with serving(tmp_path, files(tmp_path, before)) as port:
        after.save(tmp_path, "clients")
        async with secure(port, after.issue("bot")) as channel:
            assert await names_of_games(channel) == 0
        async with secure(port, before.issue("bot")) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await names_of_games(channel)
            assert caught.value.code() == grpc.StatusCode.UNAVAILABLE


def _missing(tls: TlsFiles) -> None:
    tls.certificate.unlink()


def _missing_key(tls: TlsFiles) -> None:
    tls.key.unlink()


def _anothers_key(tls: TlsFiles) -> None:
    tls.key.write_bytes(AUTHORITY.issue("localhost").key)


def _no_certificate(tls: TlsFiles) -> None:
    tls.certificate.write_bytes(tls.key.read_bytes())


def _no_key(tls: TlsFiles) -> None:
    tls.key.write_bytes(tls.certificate.read_bytes())


def _with_a_passphrase(tls: TlsFiles) -> None:
    tls.key.write_bytes(private_pem(ec.generate_private_key(ec.SECP256R1()), b"secret"))


def _no_ca(tls: TlsFiles) -> None:
    assert tls.client_ca
    tls.client_ca.write_text("trust everyone")


def _a_folder(tls: TlsFiles) -> None:
    tls.certificate.unlink()
    tls.certificate.mkdir()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_missing, r"server.pem cannot be read: No such file"),
        (_missing_key, r"server.key cannot be read: No such file"),
        (_anothers_key, r"server.key is not the key of .*server.pem: KEY_VALUES_MISMATCH"),
        (_no_certificate, r"server.pem holds no certificate"),
        (_no_key, r"server.key holds no private key"),
        (_with_a_passphrase, "has a passphrase"),
        (_no_ca, "clients.pem holds no certificates"),
        (_a_folder, "server.pem cannot be read"),
    ],
)
async def test_files_that_cannot_serve_are_a_clear_error(
    tmp_path: Path, spoil: Callable[[TlsFiles], None], words: str
) -> None:
    tls = files(tmp_path, Authority("Clients"))
    spoil(tls)
    config = ServerConfig(listen="localhost:0", store=tmp_path / "games.db", tls=tls)
    with pytest.raises(ConfigError, match=words):
        await Server(config).start()


async def test_plain_text_beyond_this_machine_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for listen, warned in (("127.0.0.1:0", False), ("0.0.0.0:0", True)):
        server = Server(ServerConfig(listen=listen, store=tmp_path / "games.db"))
        await server.start()
        await server.stop()
        assert ("event=plain_text" in caplog.text) == warned
