"""What a dream changed, and where its output came from, on the wire."""

from __future__ import annotations

from typing import Final

from dreams.serializers.plans import OPERATIONS
from dreamsvc.serializers import Bool, Enum, OutputSerializer, Text

ORIGINS: Final = ("kept", "relinked", *OPERATIONS)


class PathDiffOutput(OutputSerializer):
    """One path that the dream touched, before and after."""

    path = Text()
    before = Text(allow_null=True, help_text="Null where no memory stood there, or its text was redacted.")
    after = Text(allow_null=True, help_text="Null where no memory stands there, or its text was redacted.")
    before_redacted = Bool()
    after_redacted = Bool()
    unified = Text(help_text="The change as a unified diff with three lines of context.")


class LineageOutput(OutputSerializer):
    """A memory of the output holds a memory of the input, or a part of it."""

    path = Text(help_text="Where the output has it.")
    memory_id = Text(help_text="The memory of the output.")
    source_path = Text()
    source_memory_id = Text()
    source_version_id = Text()
    passage_hash = Text(help_text="SHA-256 of the passage, or memory, that was merged; else, or once redacted, empty.")
    operation = Enum(
        ORIGINS,
        name="LineageOperation",
        help_text="`kept`: as it was. `relinked`: only links changed. Else the operation that joined the two.",
    )
