"""Readers, sections, passages, the ledger of notes, and the workers that index them."""
