"""Tables of the ledger, the system of record."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect

metadata = MetaData()
_KEY = BigInteger().with_variant(Integer, "sqlite")

PENDING, INDEXED, FAILED, DELETING = "pending", "indexed", "failed", "deleting"
STATES = (PENDING, INDEXED, FAILED, DELETING)


class UtcDateTime(TypeDecorator[datetime]):
    """Aware times, always UTC; SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


runs = Table(
    "runs",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("source", Text, nullable=False),
    Column("format", String(32), nullable=False),
    Column("started", UtcDateTime, nullable=False),
    Column("finished", UtcDateTime),
    Column("new", Integer, nullable=False, default=0),
    Column("unchanged", Integer, nullable=False, default=0),
    Column("changed", Integer, nullable=False, default=0),
    Column("rejected", Integer, nullable=False, default=0),
)

notes = Table(
    "notes",
    metadata,
    Column("key", _KEY, primary_key=True, autoincrement=True),
    Column("collection", Text, nullable=False),
    Column("note_id", String(255), nullable=False),
    Column("patient_id", String(255), nullable=False),
    Column("type", Text, nullable=False),
    Column("date", Date),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("run", _KEY, ForeignKey("runs.id")),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("last_error", String(500), nullable=False, default=""),
    Column("claim", String(32)),
    # Until then the claim holds; a note without a claim is left alone until then (backing off).
    Column("claimed_until", UtcDateTime),
    # Passages that may be in the index: a high-water mark while a version is being written.
    Column("passages", Integer, nullable=False, default=0),
    # Passages of this version already written, so that a very long note can go on where it stopped.
    Column("progress", Integer, nullable=False, default=0),
    Column("updated", UtcDateTime, nullable=False),
    UniqueConstraint("note_id", name="notes_note_id"),
    Index("notes_work", "state", "attempts", "key"),
    Index("notes_claim", "claim"),
    Index("notes_collection", "collection"),
    sqlite_autoincrement=True,
)

builds = Table(
    "builds",
    metadata,
    Column("index_name", String(255), primary_key=True),
    # Every note up to this key has been written to the new index.
    Column("cursor", _KEY, nullable=False, default=0),
    Column("started", UtcDateTime, nullable=False),
)

# One row: the ledger's own name, which every index built from it carries.
identity = Table(
    "identity",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("made", UtcDateTime, nullable=False),
    # Where the notes went, without a password; nobody may write here any more.
    Column("moved_to", Text),
)

labellings = Table(
    "labellings",
    metadata,
    # What the passages labelled so carry.
    Column("version", String(64), primary_key=True),
    Column("made", UtcDateTime, nullable=False),
    # JSON: a fingerprint of each concept that was known, by id.
    Column("concepts", Text, nullable=False),
)
