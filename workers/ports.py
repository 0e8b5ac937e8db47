"""What a dream may call, by the policy of its store and the time it has."""

from __future__ import annotations

import time

from django.conf import settings
from django.db.models.functions import Now

from dreams.models import Dream
from workers.engine.protection import sealed
from workers.engine.values import Policy, Ports, TimeLeft
from workers.heart import Heart
from workers.snapshot import Taken
from workers.vectors import CachedEmbedder, TokenCounts, text_embedder

EMBEDDING_SHARE = 0.5
"""Embeddings only serve the report here: half of the time is theirs, the rest waits for the next dream."""


def dream_policy() -> Policy:
    """The engine's thresholds with what the settings say."""
    return Policy(
        similarity_threshold=settings.DREAM_SIMILARITY_THRESHOLD,
        top_k=settings.DREAM_TOP_K_NEIGHBORS,
        min_cluster_size=settings.DREAM_MIN_CLUSTER_SIZE,
        max_clusters=settings.DREAM_MAX_CLUSTERS_PER_RUN,
        max_input_tokens=settings.DREAM_CONSOLIDATION_MAX_INPUT_TOKENS,
        max_output_tokens=settings.DREAM_CONSOLIDATION_MAX_OUTPUT_TOKENS,
        cooldown_days=settings.DREAM_COOLDOWN_DAYS,
    )


def dream_ports(dream: Dream, taken: Taken, heart: Heart) -> Ports:
    """The embedder of the settings, which tells the heart of each batch; none for a store that nothing may read."""
    embedder = text_embedder()
    if sealed(taken.snapshot):
        return Ports(count_tokens=embedder.count_tokens)
    return Ports(
        count_tokens=TokenCounts(embedder, named=(memory.text for memory in taken.snapshot.memories)),
        embedder=CachedEmbedder(embedder, beat=heart.touch),
        time_left=_time_left(dream),
    )


def _time_left(dream: Dream) -> TimeLeft:
    """Counts down by this process's clock, from what the database's says is left now."""
    now, deadline = Dream.objects.values_list(Now(), "deadline_at").get(id=dream.id)
    seconds = (deadline - now).total_seconds()
    if "seconds" in dream.budget:
        seconds = min(seconds, dream.budget["seconds"])
    until = time.monotonic() + EMBEDDING_SHARE * seconds
    return lambda: until - time.monotonic()
