"""`manage.py doctor`: what is missing, and how to mend it."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management import BaseCommand

from dreamsvc.diagnosis import Finding, examine


class Command(BaseCommand):
    """Looks at everything, also after a failure; exit code 1 when something is missing."""

    help = "Look at everything that the service needs, and say how to mend what is missing."
    requires_system_checks = []  # they are one of the findings

    def handle(self, *args: Any, **options: Any) -> None:
        findings = []
        for finding in examine():
            self.stdout.write(_line(finding))
            findings.append(finding)
        if any(finding.problem for finding in findings):
            sys.exit(1)
        self.stdout.write("All is well.")


def _line(finding: Finding) -> str:
    if finding.problem is None:
        return f"ok    {finding.what}"
    return f"FAIL  {finding.what}: {finding.problem}\n      {finding.remedy}"
