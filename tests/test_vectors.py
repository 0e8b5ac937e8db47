"""Vectors and token counts that are remembered in the database."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from django.db import DatabaseError, connection
from pytest_django import DjangoAssertNumQueries

from memorystores.models import PassageVector
from memorystores.redaction import Redacted
from workers import vectors
from workers.engine.values import Vectors
from workers.providers.embedders import LocalEmbedder
from workers.vectors import CachedEmbedder, TokenCounts, text_embedder, text_key, vectors_forget

TEXTS = ["Redis caches the sessions.", "用户喜欢喝咖啡。", "The dog is called Bruno."]


class Counting(LocalEmbedder):
    """The real embedder, with a note of what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[str]] = []
        self.counted: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return super().embed(texts)

    def count_tokens(self, text: str) -> int:
        self.counted.append(text)
        return super().count_tokens(text)


@pytest.mark.django_db
def test_a_text_is_embedded_once() -> None:
    embedder = Counting()
    first = CachedEmbedder(embedder)
    fresh = first.embed(TEXTS)
    assert (first.hits, first.embedded) == (0, 3)
    again = CachedEmbedder(embedder)
    kept = again.embed([TEXTS[2], "Something new.", TEXTS[0]])
    assert (again.hits, again.embedded) == (2, 1)
    assert np.array_equal(kept[[0, 2]], fresh[[2, 0]])
    assert [text for texts in embedder.asked for text in texts] == [*TEXTS, "Something new."]
    assert np.array_equal(fresh, LocalEmbedder().embed(TEXTS))


@pytest.mark.django_db
def test_a_text_given_twice_is_embedded_once_and_fills_both_rows() -> None:
    embedder = Counting()
    found = CachedEmbedder(embedder).embed([TEXTS[0], TEXTS[1], TEXTS[0]])
    assert np.array_equal(found[0], found[2])
    assert embedder.asked == [TEXTS[:2]]


@pytest.mark.django_db
def test_an_empty_text_is_neither_embedded_nor_remembered() -> None:
    embedder = Counting()
    assert not CachedEmbedder(embedder).embed(["", " \n"]).any()
    assert CachedEmbedder(embedder).embed([]).shape == (0, embedder.dimensions)
    assert not PassageVector.objects.exists()


@pytest.mark.django_db
def test_rows_hold_little_endian_floats_of_one_embedder() -> None:
    embedder = LocalEmbedder()
    row = CachedEmbedder(embedder).embed(TEXTS[:1])[0]
    kept = PassageVector.objects.get()
    assert (kept.embedder, kept.sha256, kept.tokens) == (embedder.id, text_key(TEXTS[0]), None)
    assert kept.vector is not None
    assert np.array_equal(np.frombuffer(bytes(kept.vector), dtype="<f4"), row)
    PassageVector.objects.update(embedder="another")
    assert not CachedEmbedder(embedder).known([text_key(TEXTS[0])]).any()


@pytest.mark.django_db
def test_what_is_known_is_read_in_batches(
    django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = CachedEmbedder(LocalEmbedder())
    expected = cached.embed(TEXTS)
    monkeypatch.setattr(vectors, "ROWS_AT_ONCE", 2)
    with django_assert_num_queries(2):
        assert np.array_equal(cached.embed(TEXTS), expected)


@pytest.mark.django_db
def test_the_heart_is_told_between_batches_and_may_stop_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "EMBEDDED_AT_ONCE", 1)
    beats: list[int] = []

    def beat() -> None:
        beats.append(PassageVector.objects.count())
        if len(beats) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        CachedEmbedder(LocalEmbedder(), beat=beat).embed(TEXTS)
    assert beats == [0, 1, 2]
    assert PassageVector.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_writers_of_the_same_texts_do_not_stand_in_each_others_way() -> None:
    texts = [f"Shared statement {i}." for i in range(40)]
    failures: list[DatabaseError] = []
    start = threading.Barrier(4)

    def work(turn: int) -> None:
        try:
            start.wait(timeout=30)
            CachedEmbedder(LocalEmbedder()).embed(texts if turn % 2 else texts[::-1])
        except DatabaseError as failure:
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert failures == []
    assert PassageVector.objects.count() == 40


@pytest.mark.django_db
def test_counts_of_named_texts_are_remembered() -> None:
    embedder = Counting()
    counts = TokenCounts(embedder, named=TEXTS)
    found = [counts(text) for text in (*TEXTS, *TEXTS, "a passage")]
    assert found == [LocalEmbedder().count_tokens(text) for text in (*TEXTS, *TEXTS, "a passage")]
    assert embedder.counted == [*TEXTS, "a passage"]
    assert PassageVector.objects.count() == 3
    embedder.counted.clear()
    again = TokenCounts(embedder, named=TEXTS)
    assert [again(text) for text in TEXTS] == found[:3]
    assert embedder.counted == []


@pytest.mark.django_db
def test_a_count_and_a_vector_share_a_row() -> None:
    embedder = LocalEmbedder()
    for order in (("tokens", "vector"), ("vector", "tokens")):
        text = f"First the {order[0]}."
        for what in order:
            if what == "tokens":
                TokenCounts(embedder, named=[text])(text)
            else:
                CachedEmbedder(embedder).embed([text])
        row = PassageVector.objects.get(sha256=text_key(text))
        assert row.tokens == embedder.count_tokens(text)
        assert row.vector is not None


@pytest.mark.django_db
def test_white_space_around_a_text_is_not_counted_again() -> None:
    embedder = Counting()
    counts = TokenCounts(embedder, named=["\nA memory of one passage.\n"])
    assert counts("\nA memory of one passage.\n") == counts("A memory of one passage.")
    assert embedder.counted == ["A memory of one passage."]
    assert TokenCounts(embedder, named=["A memory of one passage.\n"])("A memory of one passage.") > 0
    assert embedder.counted == ["A memory of one passage."]


@pytest.mark.django_db
def test_many_counts_are_saved_before_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "ROWS_AT_ONCE", 2)
    counts = TokenCounts(LocalEmbedder(), named=(*TEXTS, "never counted"))
    for text in TEXTS:
        counts(text)
    assert PassageVector.objects.count() == 2


def redacted(text: str | None, *, gone: bool = True) -> Redacted:
    return Redacted("ws", "memstore_1", "mem_1", "memver_1", "/notes.md", text, gone)


@pytest.mark.django_db
def test_a_redacted_text_takes_its_vectors_along() -> None:
    embedder = LocalEmbedder()
    text = "# Pets\n\nThe dog is called Bruno.\n\n- a cat\n"
    CachedEmbedder(embedder).embed(["The dog is called Bruno.", "- a cat", "Elsewhere."])
    TokenCounts(embedder, named=[text])(text)
    for kept in (redacted(None), redacted(text, gone=False)):
        vectors_forget(kept)
        assert PassageVector.objects.count() == 4
    vectors_forget(redacted(text))
    assert list(PassageVector.objects.values_list("sha256", flat=True)) == [text_key("Elsewhere.")]


def test_the_embedder_of_the_settings_is_the_bundled_one() -> None:
    assert isinstance(text_embedder(), LocalEmbedder)
