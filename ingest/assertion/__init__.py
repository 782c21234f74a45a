"""What a sentence says of a mention: present, absent, possible, historical, hypothetical, family."""

from ingest.assertion.engine import assess
from ingest.assertion.judgement import Judgement

__all__ = ["Judgement", "assess"]
