"""System checks: settings that would only hurt later, found at start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured

ROLES = ("web", "worker", "control")
POSITIVE = (
    "DREAM_LEASE_SECONDS",
    "DREAM_BEAT_SECONDS",
    "DREAM_STALL_SECONDS",
    "DREAM_DEADLINE_SECONDS",
    "DREAM_SWEEP_SECONDS",
    "DREAM_MAX_LOST",
    "DREAM_MAX_RUNNING",
    "DREAM_MAX_LIVE",
    "DREAM_WORKER_CONCURRENCY",
    "DREAM_TOP_K_NEIGHBORS",
    "DREAM_MAX_CLUSTERS_PER_RUN",
    "DREAM_CONSOLIDATION_MAX_INPUT_TOKENS",
    "DREAM_CONSOLIDATION_MAX_OUTPUT_TOKENS",
    "STORE_MAX_MEMORIES",
    "STORE_MAX_BYTES",
)
SECRET_LENGTH = 32


def settings_are_sane(**_: Any) -> list[CheckMessage]:
    """Every figure within the range in which the service works."""
    return [*_positive(), *_ranges(), *_security()]


def _positive() -> Iterator[CheckMessage]:
    for name in POSITIVE:
        if getattr(settings, name) <= 0:
            yield Error(f"{name} must be above 0", id="dreamsvc.E001")


def _ranges() -> Iterator[CheckMessage]:
    if settings.ROLE not in ROLES:
        yield Error(f"DREAMSVC_ROLE must be one of {', '.join(ROLES)}", id="dreamsvc.E002")
    if settings.DREAM_LEASE_SECONDS < 3 * settings.DREAM_BEAT_SECONDS:
        hint = "One late beat must not cost a dream its lease."
        yield Error(
            "DREAM_LEASE_SECONDS must be at least three times DREAM_BEAT_SECONDS", hint=hint, id="dreamsvc.E003"
        )
    if not 0 < settings.DREAM_SIMILARITY_THRESHOLD <= 1:
        yield Error("DREAM_SIMILARITY_THRESHOLD must be above 0 and at most 1", id="dreamsvc.E004")
    if settings.DREAM_MIN_CLUSTER_SIZE < 2:
        yield Error("DREAM_MIN_CLUSTER_SIZE must be at least 2", id="dreamsvc.E005")
    if min(settings.DREAM_COOLDOWN_DAYS, settings.REPLACED_DEFAULT_ARCHIVE_DAYS) < 0:
        yield Error("DREAM_COOLDOWN_DAYS and REPLACED_DEFAULT_ARCHIVE_DAYS must not be negative", id="dreamsvc.E006")
    if settings.DREAM_MAX_LIVE < settings.DREAM_MAX_RUNNING:
        yield Error("DREAM_MAX_LIVE must be at least DREAM_MAX_RUNNING", id="dreamsvc.E007")


def _security() -> Iterator[CheckMessage]:
    if len(_secret_key()) < SECRET_LENGTH:
        hint = "Set SECRET_KEY, or make the folder DREAMSVC_VAR writable, where one is made."
        yield Error(f"SECRET_KEY must have at least {SECRET_LENGTH} characters", hint=hint, id="dreamsvc.E008")
    if "*" in settings.ALLOWED_HOSTS and not settings.DEBUG:
        hint = "Name the hosts under which clients reach the service."
        yield Warning("ALLOWED_HOSTS accepts every host name", hint=hint, id="dreamsvc.W001")


def _secret_key() -> str:
    try:
        return str(settings.SECRET_KEY)
    except ImproperlyConfigured:  # so Django answers when it is empty
        return ""
