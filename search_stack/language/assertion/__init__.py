"""What a sentence says of a mention: present, absent, possible, historical, hypothetical, family."""

from search_stack.language.assertion.engine import assess
from search_stack.language.assertion.judgement import Judgement, Said, Sentence, Target
from search_stack.language.assertion.scopes import matches
from search_stack.language.assertion.tokens import tokenized

__all__ = ["Judgement", "Said", "Sentence", "Target", "assess", "matches", "tokenized"]
