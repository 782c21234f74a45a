"""The audit trail: who did what with whose notes, entry by entry, each bound to the one before."""
