"""People signed in by the hospital's OpenID Connect provider: authorisation code with PKCE (OpenID Connect Core 1.0,
RFC 7636 with S256), by Authlib."""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from access.keys import new_key
from access.roles import Role
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

SIGNED_BY = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Algorithms with a public key: neither ``none`` nor one by a shared secret."""
SECONDS = 10
"""That the provider has to answer."""


class ProviderAway(AspectraError):
    """The provider does not answer, or not as one does."""


class NotSignedIn(AspectraError):
    """The provider has not signed the person in, or they may not come in here."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in under way: what it must come back with."""

    url: str
    """Where the browser goes."""
    back: str
    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """Whom the provider has signed in."""

    subject: str
    """SHA-256 of issuer and subject: a name may be given to another person."""
    name: str
    role: Role


class Provider:
    """
    Raises:
        AspectraError: a setting is missing or wrong.
    """

    def __init__(self, settings: Settings) -> None:
        _check(settings)
        self._settings = settings
        self._client: Any = None

    @property
    def host(self) -> str:
        return urlsplit(self._settings.oidc_issuer).hostname or ""

    def begin(self, back: str) -> Begun:
        """
        Args:
            back: our address that the browser comes back to.

        Raises:
            ProviderAway: it does not answer.
        """
        wanted = {"acr_values": " ".join(strengths)} if (strengths := self._settings.strengths) else {}
        with _failures(self.host):
            made = self._known().create_authorization_url(redirect_uri=back, nonce=new_key(), **wanted)
        return Begun(made["url"], back, made["state"], made["nonce"], made["code_verifier"])

    def finish(self, begun: Begun, code: str) -> Arrival:
        """Whom ``code`` stands for.

        Raises:
            ProviderAway: it does not answer.
            NotSignedIn: the code is none, its token is not what it must be, or the person has no role here.
        """
        with _failures(self.host):
            client = self._known()
            token = client.fetch_access_token(redirect_uri=begun.back, code=code, code_verifier=begun.verifier)
            claims = client.parse_id_token(token, begun.nonce)
        if not claims:
            raise ProviderAway(f"{self.host} sent no identity.", "Have it send id_token for the scope openid.")
        if self._settings.strengths and not _methods(claims) & {*self._settings.strengths}:
            raise NotSignedIn(
                f"{self.host} does not say that you gave a second proof of who you are.",
                "Sign in there with one; if you did, whoever runs Aspectra looks at ASPECTRA_OIDC_STRENGTH.",
            )
        return self._arrival(claims)

    def _arrival(self, claims: Mapping[str, Any]) -> Arrival:
        settings = self._settings
        name, said = claims.get(settings.oidc_name_claim), claims.get(settings.oidc_role_claim, [])
        if not isinstance(name, str):
            raise NotSignedIn(
                f"{self.host} does not say what you are called.",
                f"Whoever runs Aspectra sets ASPECTRA_OIDC_NAME_CLAIM, which is {settings.oidc_name_claim} now.",
            )
        groups = said if isinstance(said, list) else [said]
        role = next((role for group, role in _roles(settings).items() if group in groups), None)
        if role is None:
            raise NotSignedIn(
                f"{self.host} gives you no role here.", "Ask for one of the groups that may use Aspectra."
            )
        subject = hashlib.sha256(f"{claims['iss']}\0{claims['sub']}".encode()).hexdigest()
        return Arrival(subject, name, Role(role))

    def _known(self) -> Any:
        """Authlib's client, with what the provider says of itself.

        Raises:
            ProviderAway: it says to be another.
        """
        if self._client is None:
            client = _client(self._settings)
            metadata = client.load_server_metadata()
            if str(metadata.get("issuer", "")).rstrip("/") != self._settings.oidc_issuer:
                raise ProviderAway(
                    f"{self.host} calls itself another issuer.", "Set ASPECTRA_OIDC_ISSUER to what it says."
                )
            offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
            metadata["id_token_signing_alg_values_supported"] = [name for name in offered if name in SIGNED_BY]
            self._client = client
        return self._client


def _methods(claims: Mapping[str, Any]) -> set[str]:
    """How somebody was signed in, by the claims acr, a name, and amr, a list of names (OpenID Connect Core 1.0, 2)."""
    said = (claims.get("acr"), *(claims.get("amr") or ()))  # Authlib refuses another amr than a list
    return {name for name in said if isinstance(name, str)}


def _roles(settings: Settings) -> dict[str, str]:
    """By group, the first counts."""
    found: dict[str, str] = json.loads(settings.oidc_roles)
    return found


def _check(settings: Settings) -> None:
    if not settings.accounts:
        raise AspectraError("ASPECTRA_OIDC_ISSUER is set, and ASPECTRA_ACCOUNTS is not.", "Set it to 1.")
    if not settings.oidc_client_id:
        raise AspectraError("ASPECTRA_OIDC_CLIENT_ID is not set.", "Register this installation with the provider.")
    if wrong := sorted({*_roles(settings).values()} - {*Role}):
        raise AspectraError(f"ASPECTRA_OIDC_ROLES: {wrong[0]} is no role.", f"Roles are {', '.join(Role)}.")
    if "openid" not in settings.oidc_scope.split():
        raise AspectraError("ASPECTRA_OIDC_SCOPE lacks openid.", "Without it the provider does not say who comes.")


def _client(settings: Settings) -> Any:
    from authlib.integrations.base_client.sync_app import OAuth2Mixin
    from authlib.integrations.base_client.sync_openid import OpenIDMixin
    from authlib.integrations.requests_client import OAuth2Session

    class Session(OAuth2Session):  # type: ignore[misc]  # Authlib has no types
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.max_redirects = 0  # it answers itself, or not at all: secret and code go to no other address

    class Client(OAuth2Mixin, OpenIDMixin):  # type: ignore[misc]
        client_cls = Session

        def fetch_jwk_set(self, force: bool = False) -> dict[str, Any]:
            """joserfc merely warns of a short key.

            Raises:
                ProviderAway: one of the provider's keys is too short.
            """
            found: dict[str, Any] = super().fetch_jwk_set(force)
            need_long(found, settings)
            return found

    return Client(
        None,  # none of the frameworks that it knows keeps its state: we do
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret.get_secret_value() or None,
        server_metadata_url=f"{settings.oidc_issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": settings.oidc_scope,
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
            "verify": str(settings.oidc_ca_file) if settings.oidc_ca_file else True,
            "trust_env": False,  # else a variable of the environment would choose the authorities
        },
    )


def need_long(keys: Mapping[str, Any], settings: Settings) -> None:
    """
    Args:
        keys: a JSON Web Key Set (RFC 7517).

    Raises:
        ProviderAway: an RSA key of it is shorter than the settings want.
    """
    for key in keys.get("keys", ()):
        signs_by_rsa = key.get("kty") == "RSA" and key.get("use") != "enc"
        bits = _number(key["n"]).bit_length() if signs_by_rsa else settings.oidc_key_bits
        if bits < settings.oidc_key_bits:
            raise ProviderAway(
                f"{urlsplit(settings.oidc_issuer).hostname} signs with an RSA key of {bits:,} bits.",
                f"Whoever runs it makes one of {settings.oidc_key_bits:,} or more, or P-256. "
                "How many are wanted, says ASPECTRA_OIDC_KEY_BITS.",
            )


def _number(said: str) -> int:
    """As keys hold it: base64url without padding, the greatest byte first."""
    return int.from_bytes(urlsafe_b64decode(said + "=" * (-len(said) % 4)))


@contextmanager
def _failures(host: str) -> Iterator[None]:
    """
    Raises:
        ProviderAway: the provider does not answer as one.
        NotSignedIn: it refuses, or its token is not what it must be.
    """
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    try:
        yield
    except (AuthlibBaseError, JoseError) as e:
        # Their words may repeat a token.
        raise NotSignedIn(f"{host} did not sign you in ({type(e).__name__}).", "Try again.") from None
    except (RequestException, RuntimeError, KeyError, TypeError, ValueError) as e:
        raise ProviderAway(
            f"{host} does not answer as a sign-in provider ({type(e).__name__}).", "Try again in a moment."
        ) from None
