"""Tables of the ledger, the system of record."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
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

patients = Table(
    "patients",
    metadata,
    # Passages and bitmaps carry it: 32 bits, never given again.
    Column("no", Integer, primary_key=True, autoincrement=True),
    Column("patient_id", String(255), nullable=False),
    Column("sex", String(32), nullable=False, server_default=""),
    Column("birth_date", Date),
    Column("death_date", Date),
    # The number of the patient as whom this one counts, who may count as a third; it has no notes and facts then.
    Column("replaced_by", Integer),
    # When it came to count so, or as itself again.
    Column("regrouped", UtcDateTime),
    UniqueConstraint("patient_id", name="patients_patient_id"),
    Index("patients_replaced", "replaced_by"),
    sqlite_autoincrement=True,
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
    # The version that brought the text; those after it have the same, of a patient who counts as another.
    Column("text_version", Integer, nullable=False, server_default="1"),
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
    Column("patient_no", Integer, nullable=False, server_default="0"),
    # As the source has it, where the patient of that id counts as another, whose id and number are above.
    Column("given_patient", String(255)),
    Column("encounter_id", String(255), nullable=False, server_default=""),
    # As the source gives it, as the text says it, and as it counts: by the birth date, where that is known.
    Column("age_given", Integer),
    Column("age_read", Integer),
    Column("age", Integer),
    # As the text says it of the patient; empty where it does not.
    Column("sex_read", String(8), nullable=False, server_default=""),
    UniqueConstraint("note_id", name="notes_note_id"),
    Index("notes_work", "state", "attempts", "key"),
    Index("notes_claim", "claim"),
    Index("notes_updated", "state", "updated"),
    Index("notes_collection", "collection"),
    Index("notes_patient", "patient_no"),
    Index("notes_age", "age"),
    sqlite_autoincrement=True,
)

facts = Table(
    "facts",
    metadata,
    Column("key", _KEY, primary_key=True, autoincrement=True),
    Column("patient_no", Integer, nullable=False),
    # Of the patient whom the source names, where that one counts as another.
    Column("given_no", Integer),
    Column("day", Date),
    Column("system", String(64), nullable=False),
    Column("code", String(255), nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Double),
    Column("unit", String(64), nullable=False),
    Column("encounter_id", String(255), nullable=False),
    Column("collection", Text, nullable=False),
    # Of the record of the collection that says it; what that says anew takes its place.
    Column("source_id", String(300), nullable=False, server_default=""),
    # Of all of the above, the patient by the id that the source gives.
    Column("content_hash", String(64), nullable=False),
    # The last run that brought it.
    Column("run", _KEY, ForeignKey("runs.id")),
    # Counts up whenever the index must hold something else: the codes above it, or nothing.
    Column("version", Integer, nullable=False),
    # PENDING, INDEXED or DELETING.
    Column("state", String(16), nullable=False),
    UniqueConstraint("content_hash", name="facts_content"),
    Index("facts_work", "state", "key"),
    Index("facts_code", "system", "code"),
    Index("facts_collection", "collection", "run"),
    Index("facts_patient", "patient_no"),
    Index("facts_source", "source_id"),
    sqlite_autoincrement=True,
)

code_parents = Table(
    "code_parents",
    metadata,
    Column("key", _KEY, primary_key=True, autoincrement=True),
    Column("system", String(64), nullable=False),
    Column("code", String(255), nullable=False),
    # Empty for a code that only has a name.
    Column("parent", String(255), nullable=False),
    # What the code means.
    Column("name", Text, nullable=False),
    Column("run", _KEY, ForeignKey("runs.id")),
    # PENDING until the facts below it follow, then INDEXED; DELETING until they no longer do.
    Column("state", String(16), nullable=False),
    UniqueConstraint("system", "code", "parent", name="code_parents_code"),
    Index("code_parents_work", "state", "key"),
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
    # Counts up with every change of what is known of patients.
    Column("people", Integer, nullable=False, server_default="0"),
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

# A name, and how often its query is asked anew; what was found is in its versions.
cohorts = Table(
    "cohorts",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("name", String(64), nullable=False),
    Column("description", Text, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    # Seconds from one run to the next; none where it has no schedule.
    Column("every", Integer),
    Column("due", UtcDateTime),
    # Until then the claim of whoever runs it holds.
    Column("claim", String(32)),
    Column("claimed_until", UtcDateTime),
    # When a scheduled run last came to its end, and what was wrong then.
    Column("looked", UtcDateTime),
    Column("problem", Text, nullable=False, server_default=""),
    # For which it is kept; 0 for those of the machine's commands.
    Column("purpose", _KEY, nullable=False, server_default="0"),
    UniqueConstraint("purpose", "name", name="cohorts_name"),
    sqlite_autoincrement=True,
)

# Never changed once it is there: `search_stack.cohorts.version.Version` says what it holds.
cohort_versions = Table(
    "cohort_versions",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("cohort", _KEY, ForeignKey("cohorts.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("scheduled", Boolean, nullable=False),
    Column("unit", String(16), nullable=False),
    # JSON.
    Column("origin", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    Column("steps", Text, nullable=False),
    Column("patient_count", Integer, nullable=False),
    Column("note_count", Integer, nullable=False),
    Column("undated", Integer, nullable=False),
    # A roaring bitmap of patient numbers; then packed columns.
    Column("patients", LargeBinary, nullable=False),
    Column("evidence", LargeBinary, nullable=False),
    Column("notes", LargeBinary, nullable=False),
    Column("past", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
    # Of the request that made it, where that had a key: the same one again makes no other version.
    Column("request_key", String(255)),
    Column("request_digest", String(64)),
    UniqueConstraint("cohort", "number", name="cohort_versions_number"),
    UniqueConstraint("request_key", name="cohort_versions_request"),
    sqlite_autoincrement=True,
)

# Of the review of a cohort: what its reviewers fill in.
review_fields = Table(
    "review_fields",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("cohort", _KEY, ForeignKey("cohorts.id"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    # JSON.
    Column("choices", Text, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("made_by", Text, nullable=False),
    # From then on nobody is asked for it any more; what was filled in stays.
    Column("retired", UtcDateTime),
    Index("review_fields_cohort", "cohort"),
    sqlite_autoincrement=True,
)

# Rows are only added; triggers refuse to change one, but for words that go. `search_stack.review.decisions` says what
# stands.
review_decisions = Table(
    "review_decisions",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("cohort", _KEY, ForeignKey("cohorts.id"), nullable=False),
    Column("patient_no", Integer, nullable=False),
    # Of the cohort, that was looked at.
    Column("version", Integer, nullable=False),
    Column("reviewer", String(255), nullable=False),
    # It settles what reviewers differ on.
    Column("final", Boolean, nullable=False),
    # include, exclude, doubt; empty of a row that only takes another back.
    Column("verdict", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("comment", Text, nullable=False),
    # JSON: values by the id of their field.
    Column("filled", Text, nullable=False),
    # Digest of the evidence that was seen.
    Column("evidence", String(64), nullable=False),
    # The row that this one takes back.
    Column("undoes", _KEY, ForeignKey("review_decisions.id")),
    Column("made", UtcDateTime, nullable=False),
    # JSON: numbers of the other ids that counted as the patient then, and had brought notes or facts.
    Column("besides", Text, nullable=False, server_default="[]"),
    # When reason, comment and text were taken out, because a note went that they may quote.
    Column("words_gone", UtcDateTime),
    UniqueConstraint("undoes", name="review_decisions_undoes"),
    Index("review_decisions_cohort", "cohort", "final", "id"),
    sqlite_autoincrement=True,
)

# Likewise: whether a piece of evidence is read rightly.
review_marks = Table(
    "review_marks",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("cohort", _KEY, ForeignKey("cohorts.id"), nullable=False),
    Column("patient_no", Integer, nullable=False),
    Column("reviewer", String(255), nullable=False),
    Column("criterion", Text, nullable=False),
    Column("concept", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("assertion", String(16), nullable=False),
    # None of a structured fact, whose key stands behind.
    Column("note_key", _KEY),
    Column("note_version", Integer, nullable=False),
    Column("begin", _KEY, nullable=False),
    Column("end", _KEY, nullable=False),
    # right, wrong; empty takes back what was said before.
    Column("reading", String(8), nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Index("review_marks_cohort", "cohort", "patient_no"),
    sqlite_autoincrement=True,
)

# Written by a worker, which claims them one at a time.
exports = Table(
    "exports",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    # JSON: a kept version, or a query.
    Column("of", Text, nullable=False),
    Column("form", String(16), nullable=False),
    Column("output", Text, nullable=False),
    # JSON.
    Column("options", Text, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("made_by", Text, nullable=False),
    # waiting, running, done or failed.
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    # How far it is: of the stage's patients or rows.
    Column("stage", String(16), nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    # Until then it is being written; behind it, whoever wrote it is gone.
    Column("claim", String(32)),
    Column("claimed_until", UtcDateTime),
    Column("finished", UtcDateTime),
    Column("problem", Text, nullable=False),
    # Of the request that asked for it, where that had a key.
    Column("request_key", String(255)),
    Column("request_digest", String(64)),
    # For which it is written, as of a cohort.
    Column("purpose", _KEY, nullable=False, server_default="0"),
    UniqueConstraint("request_key", name="exports_request"),
    sqlite_autoincrement=True,
)

# People who may sign in: `access` says what they may do.
accounts = Table(
    "accounts",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("name", String(64), nullable=False),
    Column("role", String(16), nullable=False),
    # Argon2id, with its salt and parameters.
    Column("password", String(255), nullable=False),
    # One-time: nothing but its change is open.
    Column("must_change", Boolean, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("signed_in", UtcDateTime),
    # SHA-256 of issuer and subject, where a provider signs the person in; such an account has no password.
    Column("subject", String(64)),
    # The first steps of the start page were put away.
    Column("toured", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("name", name="accounts_name"),
    Index("accounts_subject", "subject", unique=True),
    sqlite_autoincrement=True,
)

# What people read notes for: `access.purposes`. Collections never change: what was kept for it must stay in its reach.
purposes = Table(
    "purposes",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    # A study's number, or the short name of a project.
    Column("code", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("title", Text, nullable=False),
    # By whom, and under which number.
    Column("approval", Text, nullable=False),
    # Its last day.
    Column("until", Date, nullable=False),
    # JSON: a list of names; none for all that there are and will be.
    Column("collections", Text),
    Column("made", UtcDateTime, nullable=False),
    Column("made_by", Text, nullable=False),
    # When it was ended before its time.
    Column("closed", UtcDateTime),
    UniqueConstraint("code", name="purposes_code"),
    sqlite_autoincrement=True,
)

purpose_people = Table(
    "purpose_people",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("purpose", _KEY, ForeignKey("purposes.id"), nullable=False),
    Column("account", _KEY, ForeignKey("accounts.id"), nullable=False),
    UniqueConstraint("purpose", "account", name="purpose_people_once"),
    Index("purpose_people_account", "account"),
    sqlite_autoincrement=True,
)

# Groups whose number somebody was told who must not learn of single patients: later answers are held against them.
answers = Table(
    "answers",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("account", _KEY, ForeignKey("accounts.id"), nullable=False),
    Column("purpose", _KEY, nullable=False),
    # A roaring bitmap of patient numbers, and its SHA-256.
    Column("patients", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("made", UtcDateTime, nullable=False),
    UniqueConstraint("account", "purpose", "digest", name="answers_once"),
    sqlite_autoincrement=True,
)

# Of the page. They stay where they began: neither a move nor a backup takes them along.
sessions = Table(
    "sessions",
    metadata,
    # SHA-256 of the key that the browser holds.
    Column("digest", String(64), primary_key=True),
    Column("account", _KEY, ForeignKey("accounts.id"), nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("seen", UtcDateTime, nullable=False),
    # As it was stated last.
    Column("purpose", _KEY),
    Index("sessions_account", "account"),
)

# Of the API.
api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", _KEY, primary_key=True, autoincrement=True),
    Column("account", _KEY, ForeignKey("accounts.id"), nullable=False),
    Column("label", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    # Names of rights, parted by blanks.
    Column("rights", Text, nullable=False),
    Column("made", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime, nullable=False),
    # For which alone it is good.
    Column("purpose", _KEY),
    UniqueConstraint("digest", name="api_tokens_digest"),
    Index("api_tokens_account", "account"),
    sqlite_autoincrement=True,
)

# Who did what: `access.audit`. Triggers refuse to change or delete an entry.
audit = Table(
    "audit",
    metadata,
    Column("number", _KEY, primary_key=True, autoincrement=False),
    Column("at", UtcDateTime, nullable=False),
    Column("person", String(255), nullable=False),
    Column("action", String(16), nullable=False),
    Column("outcome", String(16), nullable=False),
    # JSON: ids of the source.
    Column("patients", Text, nullable=False),
    Column("notes", Text, nullable=False),
    # Sealed with a key that is not in the database.
    Column("query", Text, nullable=False),
    # JSON.
    Column("about", Text, nullable=False),
    # Of the entry and of the digest before it, by the hash of its form.
    Column("digest", String(64), nullable=False),
    Column("form", String(16), nullable=False, server_default=""),
    Index("audit_at", "at"),
    Index("audit_person", "person", "number"),
)
