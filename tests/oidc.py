"""A small OpenID Connect provider: https, a page to choose who one is, codes for once, PKCE, signed identities."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, cast

from flask import Flask, Response, jsonify, redirect, request
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

from tests.certificates import write_certificate

CLIENT, SECRET = "aspectra-test", "s3cret-of-the-client"


class TestProvider:
    """What it says can be changed to see what is made of it."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self._context, self.certificate = server_context(folder, ("localhost",))
        self.key = RSAKey.generate_key(3072, {"kid": "one", "use": "sig"})
        self.people: dict[str, dict[str, Any]] = {}
        """By what is chosen on its page, the claims."""
        self.issuer = ""
        self.called = ""
        """The issuer that it says to be, where that is another."""
        self.changed: dict[str, Any] = {}
        """Claims of each token, put over the right ones."""
        self.algorithm = "RS256"
        self.down = False
        self.elsewhere = ""
        """Where it sends on who asks for this path."""
        self.followed = 0
        """How often somebody went there."""
        self.asked: list[dict[str, str]] = []
        """What came with the requests to sign in."""
        self._codes: dict[str, tuple[str, dict[str, str]]] = {}
        self.app = Flask("provider")
        self.app.before_request(self._away)
        self.app.get("/.well-known/openid-configuration")(self._configuration)
        self.app.get("/keys")(self._keys)
        self.app.get("/authorize")(self._choose)
        self.app.get("/chosen")(self._chosen)
        self.app.post("/token")(self._token)
        self.app.route("/elsewhere", methods=["GET", "POST"])(self._elsewhere)

    @contextmanager
    def running(self) -> Iterator[None]:
        server = make_server("localhost", 0, self.app, threaded=True, ssl_context=self._context)
        self.issuer = f"https://localhost:{server.server_port}"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def _away(self) -> Response | None:
        if self.elsewhere and request.path == self.elsewhere:
            return cast(Response, redirect(f"{self.issuer}/elsewhere", 307))
        return Response("down", 500) if self.down else None

    def _elsewhere(self) -> Response:
        """What was asked for at `elsewhere`, as it would be there."""
        self.followed += 1
        answers = {"/token": self._token, "/keys": self._keys}
        return cast(Response, answers.get(self.elsewhere, self._configuration)())

    def _configuration(self) -> Response:
        return jsonify(
            issuer=self.called or self.issuer,
            authorization_endpoint=f"{self.issuer}/authorize",
            token_endpoint=f"{self.issuer}/token",
            jwks_uri=f"{self.issuer}/keys",
            id_token_signing_alg_values_supported=["RS256", "HS256", "none"],
        )

    def _keys(self) -> Response:
        return jsonify(keys=[self.key.as_dict(private=False)])

    def _choose(self) -> str:
        self.asked.append(request.args.to_dict())
        query = request.query_string.decode()
        people = "".join(f'<p><a href="/chosen?who={who}&amp;{query}">{who}</a></p>' for who in self.people)
        return f"<!doctype html><title>Provider</title><h1>Who are you?</h1>{people}"

    def _chosen(self) -> Any:
        code = secrets.token_urlsafe(16)
        self._codes[code] = request.args["who"], request.args.to_dict()
        return redirect(f"{request.args['redirect_uri']}?code={code}&state={request.args['state']}")

    def _token(self) -> Any:
        sent = request.form
        who, asked = self._codes.pop(sent.get("code", ""), ("", {}))
        challenge = _base64(hashlib.sha256(sent.get("code_verifier", "").encode()).digest()).decode()
        known = request.authorization
        right = (
            asked
            and (known and (known.username, known.password) == (CLIENT, SECRET))
            and (asked["code_challenge_method"], asked["code_challenge"]) == ("S256", challenge)
            and asked["redirect_uri"] == sent.get("redirect_uri")
        )
        if not right:
            return jsonify(error="invalid_grant"), 400
        at = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": who, "iat": at, "exp": at + 60, "nonce": asked["nonce"]}
        token = self._signed({**claims, **self.people[who], **self.changed})
        return jsonify(access_token=secrets.token_urlsafe(), token_type="Bearer", expires_in=60, id_token=token)

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.algorithm == "RS256":
            return jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)
        # By hand: no library signs so.
        said = b".".join(_base64(json.dumps(part).encode()) for part in ({"alg": self.algorithm}, claims))
        shared = self.key.as_pem(private=False)  # which everybody can read
        signature = hmac.new(shared, said, "sha256").digest() if self.algorithm == "HS256" else b""
        return b".".join((said, _base64(signature))).decode()


def _base64(content: bytes) -> bytes:
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def server_context(folder: Path, names: tuple[str, ...]) -> tuple[ssl.SSLContext, Path]:
    """TLS with a certificate for ``names`` that signs itself, and that certificate's file."""
    certificate, key = write_certificate(folder, names)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate
