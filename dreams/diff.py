"""What a dream changed, path by path: the input as the dream was applied to it, and the output as it was written."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from dreams.models import Dream
from dreamsvc.errors import NotFound
from dreamsvc.pagination import Order, encode, page_request
from memorystores.models import MemoryStore, MemoryVersion, Operation

CONTEXT_LINES = 3


MAX_DIFFS = 20


@dataclass(frozen=True, slots=True)
class PathDiff:
    """One touched path. None: no memory stands there on that side, or its text was redacted, as the flag then says."""

    path: str
    before: str | None
    after: str | None
    before_redacted: bool
    after_redacted: bool
    unified: str


def touched_page(dream: Dream, params: Mapping[str, str]) -> tuple[list[str], str | None]:
    """One page of the touched paths, and the cursor of the next; texts are long, so a page holds at most 20."""
    order = Order(f"diff/{dream.id}", "", "path", descending=False, resolve=lambda _: None)
    request = page_request(params, order, at_most=MAX_DIFFS)
    paths = [path for path in dream.files_touched or [] if request.key is None or path > str(request.key)]
    page = paths[: request.limit]
    return page, encode(order, page[-1]) if len(paths) > len(page) else None


def path_diffs(dream: Dream, paths: Sequence[str]) -> list[PathDiff]:
    """The diffs of these touched paths; raises NotFound when the input or the output store is gone."""
    input_store(dream)
    if not paths:  # nothing applied: there is no revision to look at either
        return []
    _store(dream, dream.output_store_id, "outputs")
    before = _texts(_input_versions(dream), paths, _sources(dream, paths))
    after = _texts(_output_versions(dream), paths, _outputs(dream, paths))
    return [_path_diff(path, before, after) for path in paths]


def input_store(dream: Dream) -> MemoryStore:
    """The store that the dream read; raises NotFound once it is deleted."""
    return _store(dream, dream.primary_store_id, "inputs")


def _store(dream: Dream, store_id: str | None, param: str) -> MemoryStore:
    store = MemoryStore.objects.for_workspace(dream.workspace_id).filter(id=store_id).first()
    if store is None:
        raise NotFound(f"{param}: memory store {store_id} is gone", param=param)
    return store


def _input_versions(dream: Dream) -> QuerySet[MemoryVersion]:
    return MemoryVersion.objects.filter(store_id=dream.primary_store_id, store_revision__lte=dream.applied_revision)


def _output_versions(dream: Dream) -> QuerySet[MemoryVersion]:
    """The output store as this dream left it: later writes have later revisions."""
    versions = MemoryVersion.objects.filter(store_id=dream.output_store_id)
    last = versions.filter(actor_id=dream.id).order_by("-store_revision").values("store_revision")[:1]
    return versions.filter(store_revision__lte=last)


def _sources(dream: Dream, paths: Sequence[str]) -> Mapping[str, str]:
    """Paths of the input by memory id, as lineage has them: a redacted version no longer says its own."""
    return dict(dream.lineage.filter(source_path__in=paths).values_list("source_memory_id", "source_path"))


def _outputs(dream: Dream, paths: Sequence[str]) -> Mapping[str, str]:
    return dict(dream.lineage.filter(path__in=paths).values_list("memory_id", "path"))


def _texts(
    versions: QuerySet[MemoryVersion], paths: Sequence[str], named: Mapping[str, str]
) -> Mapping[str, str | None]:
    """Text by path of the memories that these versions leave at the paths; None where it was redacted.

    A memory may have come to a path or left it, so the last version decides of every memory that was ever there.
    """
    ever = Q(memory_id__in=versions.filter(path__in=paths).values("memory_id")) | Q(memory_id__in=list(named))
    heads = _last(versions.filter(ever).select_related("content").order_by("store_revision"))
    return {
        version.path or named.get(version.memory_id, ""): version.content.text if version.content else None
        for version in heads
        if version.operation != Operation.DELETED
    }


def _last(versions: Iterable[MemoryVersion]) -> Iterable[MemoryVersion]:
    return {version.memory_id: version for version in versions}.values()


def _path_diff(path: str, old: Mapping[str, str | None], new: Mapping[str, str | None]) -> PathDiff:
    before, after = old.get(path), new.get(path)
    lines = difflib.unified_diff(_lines(before), _lines(after), path, path, n=CONTEXT_LINES)
    return PathDiff(
        path=path,
        before=before,
        after=after,
        before_redacted=path in old and before is None,
        after_redacted=path in new and after is None,
        unified="".join(lines),
    )


def _lines(text: str | None) -> list[str]:
    """Lines with their ends; a missing last end is given one, so that no two diff lines run together."""
    lines = [line + "\n" for line in (text or "").split("\n")]
    return lines[:-1] if lines[-1] == "\n" else lines
