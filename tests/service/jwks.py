"""An issuer of JSON Web Tokens for tests: real keys, served by a real HTTPS server on this machine."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tests.service.certificates import Authority

ISSUER = "https://login.example"
AUDIENCE = "dragonhall"


@dataclass(frozen=True)
class SigningKey:
    """A private key of an issuer."""

    key_id: str
    algorithm: str
    private: Any

    def public_jwk(self) -> dict[str, Any]:
        """As the issuer publishes it."""
        made = jwt.get_algorithm_by_name(self.algorithm).to_jwk(self.private.public_key(), as_dict=True)
        return {**made, "kid": self.key_id, "use": "sig"}

    def token(self, headers: dict[str, Any] | None = None, **claims: Any) -> str:
        """A token that is good unless ``claims`` say otherwise; what is ``None`` is left out."""
        now = time.time()
        all_claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "iat": now, "exp": now + 86_400, **claims}
        said = {name: value for name, value in all_claims.items() if value is not None}
        header = {"kid": self.key_id, **(headers or {})}
        return jwt.encode(said, self.private, self.algorithm, {k: v for k, v in header.items() if v is not None})


def rsa_key(key_id: str = "rsa", algorithm: str = "RS256", bits: int = 2048) -> SigningKey:
    """An RSA key."""
    return SigningKey(key_id, algorithm, rsa.generate_private_key(65537, bits))


def ec_key(key_id: str = "ec") -> SigningKey:
    """A key on the curve P-256."""
    return SigningKey(key_id, "ES256", ec.generate_private_key(ec.SECP256R1()))


def ed25519_key(key_id: str = "ed") -> SigningKey:
    """An Ed25519 key."""
    return SigningKey(key_id, "EdDSA", ed25519.Ed25519PrivateKey.generate())


@dataclass
class Published:
    """What the server answers with, and how often it was asked."""

    url: str
    ca: Path
    keys: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    requests: int = 0

    def publish(self, *keys: SigningKey) -> None:
        """These and no others."""
        self.keys = [key.public_jwk() for key in keys]


@contextmanager
def https_server(folder: Path, authority: Authority) -> Iterator[Published]:
    """A server of a key set while the block lasts."""
    certificate, key = authority.issue("localhost").save(folder, "issuer")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    published = Published("", authority.save(folder, "issuers-ca"))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            published.requests += 1
            body = json.dumps({"keys": published.keys}).encode()
            self.send_response(published.status)
            for name, value in published.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        published.url = f"https://localhost:{server.server_port}/keys.json"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield published
        finally:
            server.shutdown()
            thread.join()
