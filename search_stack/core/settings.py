"""The one settings object: read once at the edge, passed in, never a global."""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from search_stack.core.addresses import in_clear, shown, with_certificate, with_password
from search_stack.core.broker_socket import socket_address, socket_path
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable
from search_stack.core.moved import moved_ledger
from search_stack.core.promoted import promoted
from search_stack.core.secret_files import SecretFiles, file_variable, secrets_of

PREFIX = "ASPECTRA_"
NOTE_CHARACTERS = 2_000_000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
IN_CLEAR = (
    "leads to another machine without TLS. Write https://, rediss://, amqps://, or ?sslmode=verify-full for "
    f"PostgreSQL; {PREFIX}PLAIN_STORES=1 where the network between is guarded by other means"
)
_PLACE = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(\d{1,5})")
_HOST = re.compile(r"[a-z0-9][a-z0-9.-]{0,252}")
RETIRED = {
    "engine_transport_port": "the local node has no transport port",
    "redis_port": "the local broker listens on a Unix socket",
}
"""Settings of earlier versions, which are passed over, and why they have no meaning any more."""


def _home(xdg: str, below_home: str, kind: str, for_root: str) -> Path:
    """Folder for state, as the XDG rules name it.

    The engine refuses to run as root and drops to another user, who must be able to reach
    its files: for root they are in ~/.aspectra, or where that home is closed to others, as it
    mostly is, in the system's own folders.
    """
    # An empty or relative path counts as none, say the rules.
    if (named := Path(os.environ.get(xdg, ""))).is_absolute():
        return named / "aspectra"
    home = Path.home()
    if os.geteuid() != 0:
        return home / below_home / "aspectra"
    # Other programs close ~/.cache and ~/.local to others, so root's folders stand beside those.
    return home / ".aspectra" / kind if home.stat().st_mode & 0o001 else Path(for_root)


class _ConfigFile(TomlConfigSettingsSource):
    """The configuration file without retired settings: an upgrade must not stop where one still stands."""

    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if name not in RETIRED}


def _config_file(settings_cls: type[BaseSettings], path: str) -> TomlConfigSettingsSource:
    if not Path(path).is_file():
        raise AspectraError(f"{PREFIX}CONFIG names {path}, which is not a file.", "Mend the path or unset it.")
    try:
        return _ConfigFile(settings_cls, path)
    except OSError as e:
        raise unreadable(path, e, "Mend its permissions.") from e
    except ValueError as e:
        # The parser's own words may repeat a value; the place is enough.
        place = re.search(r"at line \d+, column \d+|at end of document", str(e))
        where = f" {place[0]}" if place else ""
        raise AspectraError(
            f"{path}: not TOML{where}.", 'Write each line as: web_port = 8600, or index_prefix = "a"'
        ) from None


class Settings(BaseSettings):
    """Each field is set by the environment (``ASPECTRA_`` and its name in capitals; a secret also by a file, which the
    same with ``_FILE`` names) or by the TOML file that ``ASPECTRA_CONFIG`` names; the environment wins."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True, hide_input_in_errors=True)

    data_dir: Path = Field(
        default_factory=lambda: _home("XDG_DATA_HOME", ".local/share", "data", "/var/lib/aspectra"),
        description="Folder of the ledger, the engine's data, the broker's file, logs and process ids.",
    )
    cache_dir: Path = Field(
        default_factory=lambda: _home("XDG_CACHE_HOME", ".cache", "cache", "/var/cache/aspectra"),
        description="Folder of what can be fetched again: the unpacked engine.",
    )

    lexicon_dir: Path | None = Field(
        None, description="Folder of your own lexicon files; lexicons in data_dir where not set."
    )

    plain_stores: bool = Field(
        False, description="Whether engine, broker and ledger may be on other machines without TLS, in the clear."
    )
    client_certificate: Path | None = Field(
        None,
        description="Certificate, PEM, that is shown to an engine, broker and PostgreSQL which ask for one.",
    )
    client_key: Path | None = Field(
        None, description="That certificate's private key, PEM, without a passphrase, readable by its owner alone."
    )
    engine_url: str = Field(
        "", repr=False, description="Address of an OpenSearch cluster to use instead of a local node."
    )
    engine_user: str = Field("", description="User name for that cluster.")
    engine_password: SecretStr = Field(SecretStr(""), description="Password for that cluster.")
    engine_ca_file: Path | None = Field(None, description="CA certificate that signed the cluster's own.")
    engine_port: int = Field(19200, ge=1, le=65535, description="HTTP port of the local node, on loopback.")
    engine_heap: str = Field("1g", pattern=r"^\d+[mg]$", description="Java heap of the local node: 512m, 1g, …")
    engine_cluster_name: str = Field("aspectra", description="Cluster name of the local node.")
    engine_run_as: str = Field(
        "nobody", description="User that the local node and broker run as when root starts them."
    )
    engine_timeout: float = Field(30.0, gt=0, description="Seconds after which a request to the engine fails.")
    vector_engine: Literal["lucene", "faiss"] = Field(
        "lucene", description="k-NN engine of the index; faiss needs the full OpenSearch image."
    )
    index_prefix: str = Field(
        "aspectra", pattern=r"^[a-z][a-z0-9-]*$", description="First part of every index and alias name."
    )
    index_shards: int = Field(1, ge=1, description="Primary shards of a new index.")
    index_replicas: int = Field(0, ge=0, description="Replicas of an index once it is filled.")

    broker_url: SecretStr = Field(
        SecretStr(""), description="Address of a broker to use instead of a local one (rediss://, amqps://)."
    )
    broker_password: SecretStr = Field(
        SecretStr(""), description="Password for that broker, where its address has none."
    )
    broker_ca_file: Path | None = Field(
        None, description="CA certificate that signed the broker's own; the system's where not set."
    )
    ledger_url: SecretStr = Field(
        SecretStr(""), description="SQLAlchemy address of the ledger; SQLite in data_dir where empty."
    )
    ledger_password: SecretStr = Field(
        SecretStr(""), description="Password for that database, where its address has none."
    )

    note_characters: int = Field(
        NOTE_CHARACTERS, ge=1, description="Longest note, in characters; a longer one is rejected."
    )
    latest_day: date | None = Field(
        None,
        description="Latest day of a note or a birth; tomorrow where not set. Shifted days need a later one.",
    )
    rejects_lines: int = Field(
        10_000, ge=1, description="Rejected records that a run's rejects file lists; the others are counted."
    )
    rejects_keep_days: int = Field(
        90, ge=0, description="Days after which the next ingest removes a run's rejects file; 0 keeps all."
    )

    worker_processes: int = Field(
        0, ge=0, description="Processes of one worker; 0 takes one for each processor, at most 4."
    )
    batch_notes: int = Field(16, ge=1, le=1000, description="Notes that one task indexes.")
    max_attempts: int = Field(
        5, ge=1, description="Attempts at one version of a note before it is set aside as failed."
    )
    task_seconds: int = Field(40, ge=5, description="Hard limit of one task, in seconds.")
    visibility_seconds: int = Field(
        50, ge=10, description="Seconds after which an unfinished task's notes are taken up by another worker."
    )
    queue_batches: int = Field(64, ge=1, description="Tasks that wait in the broker at a time, at most.")

    encoder_bundle: str = Field(
        "minilm-bi-int8", description="Bundle that encodes passages: a shipped name or a folder."
    )
    reranker_bundle: str = Field(
        "minilm-cross-int8", description="Bundle that reranks: a shipped name, a folder, or empty for none."
    )
    mentions: str = Field(
        "",
        description="Pipeline whose mentions are labelled instead of the lexicon's own: spacy:NAME, a package or a "
        "folder; empty for the lexicon's.",
    )
    onnx_provider: Literal["auto", "cpu", "cuda", "openvino"] = Field(
        "auto",
        description="Where models run; auto takes CUDA where ONNX Runtime offers it and the bundle is no int8; "
        "openvino takes fp32 bundles.",
    )
    onnx_threads: int = Field(0, ge=0, description="Threads of one model session; 0 takes every processor.")
    passage_tokens: int = Field(
        112, ge=16, le=510, description="Longest passage, in the encoder's tokens; at most what the encoder reads."
    )
    rerank_depth: int = Field(64, ge=1, le=500, description="Passages of the first stage that are reranked.")
    rerank_cut: int = Field(
        16,
        ge=0,
        le=500,
        description="Of those, how many the cross-encoder reads: the first by vectors and words; 0 for all.",
    )
    evidence_bytes: int = Field(
        default=128 * 2**20,
        gt=0,
        description="Memory for what criteria have brought, in each process that searches: 40 bytes a note.",
    )
    candidate_depth: int = Field(
        200, ge=10, le=1000, description="Passages that BM25 and k-NN each bring to the first stage."
    )

    accounts: bool = Field(
        False, description="Whether people sign in: the page and the API then answer to accounts (aspectra user add)."
    )
    web_names: str = Field(
        "",
        description="Names of hosts, parted by commas, that the page answers to over https, by its own certificate "
        "or a proxy of this machine; people must sign in then.",
    )
    web_certificate: Path | None = Field(
        None, description="Certificate of the page, followed by its chain, PEM: the page then speaks https itself."
    )
    web_key: Path | None = Field(
        None, description="The certificate's private key, PEM, without a passphrase, readable by its owner alone."
    )
    web_host: str = Field(
        "127.0.0.1",
        description="Address that the page listens on: loopback, or with accounts, names and a certificate any.",
    )
    web_port: int = Field(8600, ge=1, le=65535, description="Port of the page.")
    least_patients: int = Field(
        5,
        ge=2,
        le=1000,
        description="Patients of whom viewers are told a number; of fewer they are told that they are few.",
    )
    oidc_issuer: str = Field(
        "", description="Address of the OpenID Connect provider that people sign in with, https; none where empty."
    )
    oidc_client_id: str = Field("", description="What that provider calls this installation.")
    oidc_client_secret: SecretStr = Field(SecretStr(""), description="The secret that goes with it; empty for none.")
    oidc_ca_file: Path | None = Field(
        None, description="Certificates of authorities that may sign the provider's; else those of certifi."
    )
    oidc_scope: str = Field("openid profile", description="What is asked of the provider; openid is among it.")
    oidc_name_claim: str = Field("preferred_username", description="The claim that names the account.")
    oidc_role_claim: str = Field("roles", description="The claim with the person's groups: a list, or one of them.")
    oidc_roles: str = Field(
        json.dumps({name: name for name in ("manager", "reviewer", "searcher", "auditor", "admin")}),
        description="A JSON object: by group the role that it gives; of several groups the first here counts.",
    )
    oidc_strength: str = Field(
        "",
        description="How the provider must have signed somebody in: by one of these, parted by commas, as it says in "
        "the claim acr or amr, as mfa; in any way where empty.",
    )
    oidc_key_bits: int = Field(
        3072,
        ge=2048,
        description="Bits that the RSA keys by which the provider signs must have; 2048 takes those of one that can "
        "neither make longer ones nor sign by P-256.",
    )
    passwords: bool = Field(
        True, description="Whether passwords of this installation open the page; where not, the provider alone does."
    )
    audit_hash: Literal["sha256", "sha3-256"] = Field(
        "sha256",
        description="Hash that binds new entries of the audit trail; a trail never goes back to one that comes before.",
    )
    audit_collector: str = Field(
        "",
        description="Host and port of a syslog collector, over TLS (RFC 5425), that is told of each entry of the audit "
        "trail, as siem.hospital.example:6514; none where empty.",
    )
    audit_collector_ca_file: Path | None = Field(
        None, description="CA certificate that signed the collector's own; the system's where not set."
    )
    web_threads: int = Field(4, ge=1, description="Threads that answer the page's requests.")
    web_requests_per_minute: int = Field(
        300,
        ge=0,
        description="Requests of each kind that one browser may make in a minute, and all clients without "
        "the page's cookie together; 0 for no limit.",
    )

    log_format: Literal["text", "json"] = Field("text", description="Lines that the worker and the page log.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least that the worker and the page log."
    )
    log_megabytes: int = Field(
        16, ge=1, description="Size of one log of the worker or the page; the one before it is kept beside it."
    )

    @field_validator("engine_url", "broker_url", "ledger_url")
    @classmethod
    def _encrypted(cls, url: str | SecretStr, info: ValidationInfo) -> str | SecretStr:
        address = url if isinstance(url, str) else url.get_secret_value()
        if not info.data.get("plain_stores") and in_clear(address):
            raise ValueError(IN_CLEAR)
        return url

    @field_validator("engine_url")
    @classmethod
    def _http_address(cls, url: str) -> str:
        try:
            where = urlsplit(url)
            whole = not url or (where.scheme in ("http", "https") and where.hostname and where.port != 0)
        except ValueError:
            whole = False
        if not whole:
            # The address itself may hold a password: it is not repeated.
            raise ValueError("is not an address; write it as https://search.example:9200")
        return url

    @field_validator("oidc_roles")
    @classmethod
    def _by_group(cls, roles: str) -> str:
        try:
            found = json.loads(roles)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not all(isinstance(role, str) for role in found.values()):
            raise ValueError('is no JSON object of groups and roles; write it as {"radiology": "searcher"}')
        return roles

    @field_validator("audit_collector")
    @classmethod
    def _host_and_port(cls, place: str) -> str:
        found = _PLACE.fullmatch(place)
        if place and not (found and 0 < int(found[1]) < 65536):
            raise ValueError("is no host and port; write it as siem.hospital.example:6514")
        return place

    @field_validator("web_names")
    @classmethod
    def _host_names(cls, names: str) -> str:
        found = [name.strip().lower() for name in names.split(",") if name.strip()]
        if wrong := [name for name in found if not _HOST.fullmatch(name) or name in LOOPBACK]:
            raise ValueError(
                f"{wrong[0]!r} is not the name of a host, without port or slash, as search.hospital.example"
            )
        return ",".join(found)

    @field_validator("oidc_issuer")
    @classmethod
    def _over_tls(cls, issuer: str) -> str:
        if issuer and not (issuer.startswith("https://") and urlsplit(issuer).hostname):
            raise ValueError("is not an address; write it as https://login.example/realms/hospital")
        return issuer.rstrip("/")

    @field_validator("web_key", "client_key")
    @classmethod
    def _goes_with_its_certificate(cls, key: Path | None, info: ValidationInfo) -> Path | None:
        certificate = str(info.field_name).replace("_key", "_certificate")
        if (key is None) != (info.data.get(certificate) is None):
            raise ValueError(f"goes with {PREFIX}{certificate.upper()}: set both or neither")
        return key

    @field_validator("web_host")
    @classmethod
    def _encrypted_beyond_loopback(cls, host: str, info: ValidationInfo) -> str:
        if host in LOOPBACK:
            return host
        if not _is_address(host):
            raise ValueError(f"{host!r} is not an address of a machine; write it as 10.0.0.5, or 0.0.0.0 for all")
        wanted = {"accounts": f"{PREFIX}ACCOUNTS=1", "web_names": f"{PREFIX}WEB_NAMES"}
        wanted |= {"web_key": f"{PREFIX}WEB_CERTIFICATE and {PREFIX}WEB_KEY"}
        if missing := [how for name, how in wanted.items() if not info.data.get(name)]:
            raise ValueError(
                f"{host!r} is reached by other machines, which wants {', '.join(missing)} too. Without, use one of "
                f"{', '.join(LOOPBACK)}, and a proxy with TLS or an SSH tunnel"
            )
        return host

    @field_validator("visibility_seconds")
    @classmethod
    def _longer_than_a_task(cls, seconds: int, info: ValidationInfo) -> int:
        task = info.data.get("task_seconds", 0)
        if seconds <= task:
            raise ValueError(f"must be more than task_seconds ({task}), or a running task would be started twice")
        return seconds

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        sources: list[PydanticBaseSettingsSource] = [init_settings, env_settings, SecretFiles(settings_cls)]
        if config := os.environ.get(PREFIX + "CONFIG"):
            sources.append(_config_file(settings_cls, config))
        return tuple(sources)

    @property
    def engine_address(self) -> str:
        return self.engine_url or f"http://127.0.0.1:{self.engine_port}"

    @property
    def engine_address_shown(self) -> str:
        """The engine's address for messages: without user and password."""
        return shown(self.engine_address)

    @property
    def lexicon_folder(self) -> Path:
        return self.lexicon_dir or self.data_dir / "lexicons"

    @property
    def broker_address(self) -> str:
        given = with_password(self.broker_url.get_secret_value(), self.broker_password.get_secret_value())
        return given or socket_address(self.broker_socket)

    @property
    def broker_socket(self) -> Path:
        return socket_path(self.data_dir)

    @property
    def ledger_address(self) -> str:
        given = with_password(self.ledger_url.get_secret_value(), self.ledger_password.get_secret_value())
        if given and self.client_certificate and self.client_key:
            given = with_certificate(given, self.client_certificate, self.client_key)
        return given or f"sqlite:///{self.data_dir / 'ledger.sqlite3'}"

    @property
    def trusted_names(self) -> tuple[str, ...]:
        """Of the page, over https."""
        return tuple(self.web_names.split(",")) if self.web_names else ()

    @property
    def strengths(self) -> tuple[str, ...]:
        """Of which the provider must name one."""
        return tuple(name.strip() for name in self.oidc_strength.split(",") if name.strip())

    @property
    def web_address(self) -> str:
        """For people."""
        named = self.trusted_names if self.web_certificate else ()
        return self._web_at(named[0] if named else self.web_host)

    @property
    def web_local_address(self) -> str:
        """By which this machine itself reaches the page."""
        return self._web_at({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.web_host, self.web_host))  # noqa: S104

    def _web_at(self, host: str) -> str:
        scheme = "https" if self.web_certificate else "http"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.web_port}"


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def load_settings() -> Settings:
    """Read the settings from the environment and the configuration file; where they name no bundle or ledger,
    the one that `aspectra models use` or `aspectra ledger move` chose.

    Raises:
        AspectraError: a value is wrong, or a variable with our prefix is unknown; the
            message names each one, and no value of a secret.
    """
    ours = {name for name in os.environ if name.startswith(PREFIX)}
    unknown = {n for n in ours if n.removeprefix(PREFIX).lower() not in {*Settings.model_fields, "config", "data"}}
    unknown -= {file_variable(PREFIX, name) for name in secrets_of(Settings)}
    for name in sorted(n for n in unknown if n.removeprefix(PREFIX).lower() in RETIRED):
        unknown.remove(name)
        sys.stderr.write(f"{name} has no meaning any more: {RETIRED[name.removeprefix(PREFIX).lower()]}.\n")
    if unknown:
        raise AspectraError(
            f"Unknown settings in the environment: {', '.join(sorted(unknown))}.", "docs/settings.md lists them all."
        )
    try:
        settings = Settings()
    except ValidationError as e:
        wrong = "; ".join(
            f"{PREFIX}{'_'.join(map(str, p['loc'])).upper()}: {p['msg'].removeprefix('Value error, ')}"
            for p in e.errors(include_input=False)
        )
        raise AspectraError(f"Settings: {wrong}.", "docs/settings.md explains each setting.") from None
    chosen: dict[str, object] = dict(promoted(settings.data_dir))
    if moved := moved_ledger(settings.data_dir):
        if not settings.plain_stores and in_clear(moved):
            raise AspectraError(f"Where `aspectra ledger move` took the ledger {IN_CLEAR}.")
        chosen["ledger_url"] = SecretStr(moved)
    return settings.model_copy(update={n: v for n, v in chosen.items() if n not in settings.model_fields_set})
