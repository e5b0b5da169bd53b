"""TLS: a server's certificate, renewed without a restart."""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from dragonhall.server.config import ConfigError, TlsFiles

logger = logging.getLogger("dragonhall.server")


@dataclass(frozen=True)
class _Contents:
    """Of the files."""

    certificate: bytes
    key: bytes = field(repr=False)
    client_ca: bytes | None

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        return grpc.ssl_server_certificate_configuration([(self.key, self.certificate)], self.client_ca)


class Tls:
    """What a port is opened with. Before each new connection it is looked whether the files have changed."""

    def __init__(self, files: TlsFiles) -> None:
        """Raises `ConfigError`, which says which file is wrong and how."""
        self._files = files
        self._stamps = _stamps(files)
        self._contents = _read(files)
        self.credentials = grpc.dynamic_ssl_server_credentials(
            self._contents.configuration(),
            self._renewed,  # type: ignore[arg-type]  # may be None, as its documentation says
            files.client_ca is not None,
        )

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """For a new connection, in one of gRPC's threads: what is to be used from now on; ``None``: what was.

        Files that do not belong together, as while they are being replaced, change nothing, and are looked at again for
        the next connection.
        """
        try:
            stamps = _stamps(self._files)
            if stamps == self._stamps:
                return None
            contents = _read(self._files)
        except ConfigError as error:
            logger.error("event=tls_files_refused error=%r", str(error))
            return None
        self._stamps = stamps
        if contents == self._contents:
            return None
        self._contents = contents
        logger.info("event=tls_files_read certificate=%r", str(self._files.certificate))
        return contents.configuration()


def _paths(files: TlsFiles) -> list[Path]:
    return [path for path in (files.certificate, files.key, files.client_ca) if path is not None]


def _stamps(files: TlsFiles) -> list[tuple[int, int, int]]:
    """What changes when a file does."""
    try:
        return [(stat.st_mtime_ns, stat.st_size, stat.st_ino) for stat in (path.stat() for path in _paths(files))]
    except OSError as error:
        raise ConfigError(f"TLS: {error.filename} cannot be read: {error.strerror}") from error


def _read(files: TlsFiles) -> _Contents:
    """The files' contents, checked as far as they can be before a client is there: gRPC would accept anything, and
    refuse every client."""
    certificate, key = _bytes(files.certificate), _bytes(files.key)
    client_ca = _bytes(files.client_ca) if files.client_ca else None
    if b"-----BEGIN CERTIFICATE-----" not in certificate:
        raise ConfigError(f"TLS: {files.certificate} holds no certificate: PEM is needed")
    if b"PRIVATE KEY-----" not in key:
        raise ConfigError(f"TLS: {files.key} holds no private key: PEM is needed")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key, _no_passphrase)
    except (ssl.SSLError, OSError) as error:
        raise ConfigError(f"TLS: {files.key} is not the key of {files.certificate}: {_reason(error)}") from error
    if client_ca is not None:
        _check_ca(files, client_ca)
    return _Contents(certificate, key, client_ca)


def _check_ca(files: TlsFiles, client_ca: bytes) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(cadata=client_ca.decode("ascii"))
    except (ssl.SSLError, UnicodeDecodeError) as error:
        raise ConfigError(f"TLS: {files.client_ca} holds no certificates of a CA: PEM is needed") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"TLS: {path} cannot be read: {error.strerror}") from error


def _no_passphrase() -> str:
    raise ConfigError("TLS: the private key has a passphrase, and nobody is there to give it: save it without one")


def _reason(error: OSError) -> str:
    return getattr(error, "reason", None) or error.strerror or "it cannot be used"
