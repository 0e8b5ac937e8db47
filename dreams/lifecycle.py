"""Every move of a dream: one conditional UPDATE whose row count decides. Nobody reads, checks and then writes.

Each runs in a transaction of its own where there is none, since SQLite gives its writers their turn by transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Coalesce, Now

from dreams.clock import NowPlus
from dreams.status import LIVE, Status
from dreamsvc.models import Workspace

if TYPE_CHECKING:
    from dreams.models import Dream  # noqa: F401 - the type of the rows; importing it here at run time is a cycle

NUDGE_BATCH = 200
BACKOFF_SECONDS = (30.0, 60.0, 120.0, 240.0)
BACKOFF_LAST_SECONDS = 300.0

LAPSED = Q(status=Status.RUNNING, lease_until__lte=Now())
"""Running, but whoever ran it has not been heard of for a whole lease."""
OVERDUE = Q(deadline_at__lte=Now())


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to run a dream, until another attempt takes it over."""

    dream_id: str
    workspace_id: str
    attempt: int


class DreamQuerySet(models.QuerySet["Dream"]):
    def for_workspace(self, workspace_id: str) -> Self:
        return self.filter(workspace_id=workspace_id)

    def live(self) -> Self:
        return self.filter(status__in=LIVE)

    def held(self, claim: Claim) -> Self:
        """The claim's dream while the claim is good. An UPDATE of it opens every transaction of a worker."""
        return self.filter(id=claim.dream_id, status=Status.RUNNING, attempt=claim.attempt)

    def claimable(self) -> Self:
        """Pending, or running with a lapsed lease; neither overdue nor lost too often, which the sweep ends."""
        return self.filter(
            Q(status=Status.PENDING) | LAPSED,
            Q(deadline_at__isnull=True) | Q(deadline_at__gt=Now()),
            lost__lt=settings.DREAM_MAX_LOST,
        )

    def claim(self, dream_id: str) -> Claim | None:
        """Takes the dream to run it; None when it is not to be had or its workspace runs as many as it may.

        The workspace's lock makes the count of running dreams and the claim one thing. The deadline is set by the
        first claim and spans all attempts.
        """
        with transaction.atomic():
            workspace_id = self.filter(id=dream_id).values_list("workspace_id", flat=True).first()
            if workspace_id is None or not self._may_run(workspace_id, dream_id):
                return None
            claimed = (
                self.claimable()
                .filter(id=dream_id)
                .update(
                    status=Status.RUNNING,
                    attempt=F("attempt") + 1,
                    lost=F("lost") + 1,
                    lease_until=NowPlus(settings.DREAM_LEASE_SECONDS),
                    started_at=Coalesce("started_at", Now()),
                    deadline_at=Coalesce("deadline_at", NowPlus(settings.DREAM_DEADLINE_SECONDS)),
                    progress=None,
                    nudge_at=Now(),
                    nudges=0,
                )
            )
            return Claim(dream_id, workspace_id, self._attempt(dream_id)) if claimed else None

    def _may_run(self, workspace_id: str, dream_id: str) -> bool:
        Workspace.objects.select_for_update(no_key=True).filter(id=workspace_id).first()
        others = self.for_workspace(workspace_id).filter(status=Status.RUNNING).exclude(id=dream_id)
        return bool(others.count() < settings.DREAM_MAX_RUNNING)

    def _attempt(self, dream_id: str) -> int:
        return self.values_list("attempt", flat=True).get(id=dream_id)

    def hold(self, claim: Claim, **changes: Any) -> bool:
        """Locks the dream's row to the end of the transaction, writing `changes`; False when the claim is no longer
        good. A worker then stops quietly: the dream has ended, or somebody else runs it."""
        with transaction.atomic():
            return bool(self.held(claim).update(**(changes or {"attempt": F("attempt")})))

    def beat(self, claim: Claim) -> bool:
        """Renews the lease, a lapsed one too as long as nobody has taken the dream over."""
        return self.hold(claim, lease_until=NowPlus(settings.DREAM_LEASE_SECONDS))

    def release(self, claim: Claim) -> bool:
        """Hands the dream back to be claimed at once; it then does not count as lost. Once per claim."""
        with transaction.atomic():
            return bool(
                self.held(claim)
                .filter(lease_until__gt=Now())
                .update(lease_until=Now(), lost=F("lost") - 1, nudge_at=Now(), nudges=0)
            )

    def void_leases(self) -> int:
        """Lapses every lease: for a start that knows all former workers dead. Those claims stay counted as lost."""
        with transaction.atomic():
            return self.filter(status=Status.RUNNING).update(lease_until=Now())

    def hurry(self) -> int:
        """Makes every waiting dream due now: for a start whose broker has lost all messages."""
        with transaction.atomic():
            return self.claimable().update(nudge_at=Now(), nudges=0)

    def nudge(self) -> list[str]:
        """Ids whose message is due, oldest due first, at most `NUDGE_BATCH`; the next one is put off.

        Two sweeps at once share the rows out: what one has locked the other skips.
        """
        with transaction.atomic():
            due = self.claimable().filter(nudge_at__lte=Now()).order_by("nudge_at", "id")
            ids = list(due.select_for_update(skip_locked=True).values_list("id", flat=True)[:NUDGE_BATCH])
            self.filter(id__in=ids).update(nudge_at=NowPlus(_backoff()), nudges=F("nudges") + 1)
        return ids

    def nudge_again(self, dream_ids: list[str]) -> None:
        """Takes back the nudges that could not be sent, so that a long outage of the broker puts nothing off."""
        with transaction.atomic():
            self.filter(id__in=dream_ids, nudges__gt=0).update(nudge_at=Now(), nudges=F("nudges") - 1)

    def oldest_pending(self, workspace_id: str) -> str | None:
        pending = self.for_workspace(workspace_id).filter(status=Status.PENDING)
        return pending.order_by("id").values_list("id", flat=True).first()


def _backoff() -> Case:
    """Seconds until a dream's next message by how many it had: 30 s, doubling, at most 5 min."""
    steps = [When(nudges=count, then=Value(seconds)) for count, seconds in enumerate(BACKOFF_SECONDS)]
    return Case(*steps, default=Value(BACKOFF_LAST_SECONDS))
