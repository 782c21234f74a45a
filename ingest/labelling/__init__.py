"""What a note says: its sections, findings and entities."""

from ingest.labelling.labeller import Labeller, NoteLabels, find_mention

__all__ = ["Labeller", "NoteLabels", "find_mention"]
