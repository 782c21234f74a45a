"""The ledger of notes: the system of record from which every index can be rebuilt."""

from ingest.ledger.ledger import Ledger, StoredNote, content_hash

__all__ = ["Ledger", "StoredNote", "content_hash"]
