"""One dream from claim to end: claim, snapshot, engine, apply."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Generator
from datetime import datetime
from typing import cast

from django.db import InterfaceError, OperationalError

from dreams.ending import DreamError, dream_end
from dreams.lifecycle import OVERDUE, Claim
from dreams.models import Dream
from dreams.status import ErrorType, Status
from workers import handover
from workers.apply import dream_apply
from workers.engine import dream as engine
from workers.engine.plan import Plan
from workers.engine.values import PHASES
from workers.failures import DreamFailed, Outdated, Stopped
from workers.fences import check_inputs
from workers.heart import Heart, hand_back
from workers.job import Job
from workers.ports import dream_policy, dream_ports
from workers.snapshot import snapshot_take
from workers.sweep import TIMEOUT

LOOK_SECONDS = 0.5
"""Within a phase the inputs are looked at this often; at each new phase in any case."""

logger = logging.getLogger(__name__)


def dream_run(dream_id: str) -> None:
    """Runs the dream if it is to be had, whatever the message that asked for it has been through."""
    if handover.stopping():
        Dream.objects.nudge_again([dream_id])
        return
    claim = Dream.objects.claim(dream_id)
    if claim is not None:
        with Heart(claim) as heart:
            done = guarded(claim, lambda: dream_apply(dream_plan(claim, heart), heart))
        if not done:
            hand_back(claim)


def guarded(claim: Claim, work: Callable[[], None]) -> bool:
    """Does the work of a claim; whatever goes wrong with it ends the dream as it should, or leaves it to others.

    False: it has to be started over.
    """
    try:
        work()
    except Outdated:
        return False
    except Stopped:
        logger.info("%s is no longer ours", claim.dream_id)
    except DreamFailed as failure:
        _fail(claim, failure.error)
    except (OperationalError, InterfaceError) as trouble:
        # Nobody knows whether a commit came through: the lease lapses, and the row tells the next one.
        logger.warning("%s stopped: %s", claim.dream_id, type(trouble).__name__)
    except Exception as bug:  # noqa: BLE001 - a bug ends the dream here, or every worker would try it in turn
        _log_bug(claim, bug)
        _fail(claim, DreamError(ErrorType.INTERNAL, type(bug).__name__))
    return True


def dream_plan(claim: Claim, heart: Heart) -> Job:
    """Reads the inputs and dreams; raises Stopped or DreamFailed."""
    dream = Dream.objects.get(id=claim.dream_id)
    taken = snapshot_take(claim, dream)
    ports = dream_ports(dream, taken, heart)
    phases = dream.phases if dream.phases is not None else PHASES
    started = cast(datetime, dream.started_at)
    steps = engine.run(taken.snapshot, taken.transcripts, dream_policy(), ports, started, phases)
    plan = _driven(steps, Watch(claim, dream, taken.policy_revision, heart).step)
    return Job(claim, dream, taken, plan, ports.count_tokens)


def _driven(steps: Generator[engine.Step, None, Plan], see: Callable[[engine.Step], None]) -> Plan:
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return cast(Plan, end.value)
        see(step)


class Watch:
    """What is asked between two steps: is the dream still ours, are its inputs as they were, is there time left."""

    def __init__(self, claim: Claim, dream: Dream, policy_revision: int, heart: Heart) -> None:
        self._claim = claim
        self._dream = dream
        self._policy_revision = policy_revision
        self._heart = heart
        self._phase = ""
        self._looked = 0.0

    def step(self, step: engine.Step) -> None:
        """Shows the progress; raises Stopped or DreamFailed when the dream must not go on."""
        self._heart.touch()
        now = time.monotonic()
        if step.phase != self._phase or now - self._looked >= LOOK_SECONDS:
            self._phase, self._looked = step.phase, now
            self._look(step)

    def _look(self, step: engine.Step) -> None:
        progress = {"phase": step.phase, "done": step.done, "total": step.total}
        if not Dream.objects.hold(self._claim, progress=progress):
            raise Stopped
        if Dream.objects.held(self._claim).filter(OVERDUE).exists():
            raise DreamFailed(TIMEOUT.type, TIMEOUT.message)
        check_inputs(self._dream, self._policy_revision)


def _fail(claim: Claim, error: DreamError) -> None:
    """If the dream is ours no more, or did end after all, this does nothing."""
    dream_end(dream_id=claim.dream_id, status=Status.FAILED, attempt=claim.attempt, error=error)


def _log_bug(claim: Claim, bug: Exception) -> None:
    """Where it happened, without the exception's text, which may quote a memory."""
    frames = "".join(traceback.format_tb(bug.__traceback__))
    logger.error("%s failed: %s\n%s", claim.dream_id, type(bug).__name__, frames)
