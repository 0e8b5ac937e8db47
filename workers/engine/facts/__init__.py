"""What a text states: hard facts, names, the words that turn a statement, and how two texts differ in them.

All of it reads canonical words, so values compare after folding.
"""

from workers.engine.facts.differences import Replacement, differing_token, is_time_token, replacement
from workers.engine.facts.hard import Fact, FactKind, fact_values, hard_facts
from workers.engine.facts.naming import names, path_marks
from workers.engine.facts.stems import content_stems, stem
from workers.engine.facts.wording import StatementWords, statement_words
from workers.engine.language import language

__all__ = [
    "Fact",
    "FactKind",
    "Replacement",
    "StatementWords",
    "content_stems",
    "differing_token",
    "fact_values",
    "hard_facts",
    "is_time_token",
    "language",
    "names",
    "path_marks",
    "replacement",
    "statement_words",
    "stem",
]
