"""A redacted text goes from the plans and journals of the dreams that read or wrote its store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from django.db.models import Q, QuerySet

from dreams.models import Dream, DreamOperation, JournalEntry, Lineage
from memorystores.redaction import Redacted
from workers.engine import codec
from workers.engine.journal import Entry, JournalRecord, render

GONE = "Its text was redacted."
TEXTS = ("text", "replacement", "quote")
DERIVED: Mapping[str, Any] = {"differs": [], "shared": [], "evidence": {}}
"""What an operation says of the texts it is about: the facts that they share or differ in."""


def dreams_forget(redacted: Redacted, /) -> None:
    """A clearer of redactions. Ids, paths, counts and reasons stay, so that a journal still says what was done."""
    if redacted.text is None:
        return
    for dream in _dreams(redacted):
        _forget(dream, redacted)
    Lineage.objects.filter(source_version_id=redacted.version_id).update(passage_hash="")


def _dreams(redacted: Redacted) -> QuerySet[Dream]:
    of_store = Q(primary_store_id=redacted.store_id) | Q(output_store_id=redacted.store_id)
    return Dream.objects.filter(of_store, workspace_id=redacted.workspace_id)


def _forget(dream: Dream, redacted: Redacted) -> None:
    touched: set[str] = set()
    for operation in dream.operations.all():
        cleared = _cleared(operation.body, redacted)
        if cleared != operation.body:
            touched.add(operation.body["id"])
            DreamOperation.objects.filter(pk=operation.pk).update(body={**cleared, **_known(operation.body)})
    entry = JournalEntry.objects.filter(dream=dream).first()
    if entry is not None:
        _forget_journal(entry, touched, redacted)


def _known(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: empty for name, empty in DERIVED.items() if name in body}


def _cleared(value: Any, redacted: Redacted) -> Any:
    """The JSON value without the text: of the version itself, and wherever it is quoted once nothing holds it."""
    if isinstance(value, list):
        return [_cleared(each, redacted) for each in value]
    if not isinstance(value, dict):
        return value
    if _is_of(value, redacted):
        value = {**value, **{name: "" for name in (*TEXTS, "sha256") if value.get(name)}, **_known(value)}
    return {name: _cleared(each, redacted) for name, each in value.items()}


def _is_of(value: Mapping[str, Any], redacted: Redacted) -> bool:
    source = value.get("source", value)
    if isinstance(source, dict) and source.get("version_id") == redacted.version_id:
        return True
    return any(_quotes(value.get(name), redacted) for name in TEXTS)


def _quotes(text: object, redacted: Redacted) -> bool:
    return redacted.gone and isinstance(text, str) and bool(text.strip()) and text.strip() in str(redacted.text)


def _forget_journal(entry: JournalEntry, touched: set[str], redacted: Redacted) -> None:
    record = codec.decode(JournalRecord, entry.record)
    entries = tuple(_silenced(each) if _tells(each, touched, redacted) else each for each in record.entries)
    if entries != record.entries:
        silenced = replace(record, entries=entries)
        JournalEntry.objects.filter(pk=entry.pk).update(
            record=cast(Any, codec.encode(silenced)), markdown=render(silenced)
        )


def _tells(entry: Entry, touched: set[str], redacted: Redacted) -> bool:
    return entry.reference in touched or _quotes(entry.quote, redacted)


def _silenced(entry: Entry) -> Entry:
    return replace(entry, why=GONE, quote=None, details=())
