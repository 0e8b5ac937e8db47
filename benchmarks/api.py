"""What a poll of a dream costs: GET /v1/dreams/{id} against a bare DRF view of one row behind the same authentication.

    python -m benchmarks.api [--rounds 30] [--calls 100]

Both views answer in turn in one process through Django's handler, on a database of the benchmark's own. Also prints how
many queries a list of 1 and of 100 dreams takes.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.environment import temporary_database, use_django

use_django()

from django.db import connection  # noqa: E402 - Django must be set up before its models are imported
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.request import Request  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402

from dreams.models import Dream  # noqa: E402
from dreamsvc.keys import api_key_create  # noqa: E402
from memorystores.models import MemoryStore  # noqa: E402


class BareSerializer(serializers.ModelSerializer[Dream]):
    """What one would write first: the row's public columns, one by one."""

    class Meta:
        model = Dream
        fields = (
            "id",
            "status",
            "inputs",
            "model_id",
            "model_speed",
            "instructions",
            "output_behavior",
            "input_tokens",
            "output_tokens",
            "cache_creation_input_tokens",
            "cache_read_input_tokens",
            "error_type",
            "created_at",
            "started_at",
            "ended_at",
            "archived_at",
            "dry_run",
            "progress",
            "report",
        )


class BareView(APIView):
    schema = None

    def get(self, request: Request, pk: str) -> Response:
        return Response(BareSerializer(Dream.objects.get(pk=pk)).data)


urlpatterns = [path("bare/<str:pk>", BareView.as_view()), path("", include("dreamsvc.urls"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--calls", type=int, default=100)
    options = parser.parse_args()
    logging.disable(logging.INFO)  # a line a request would drown the table
    with temporary_database(urlconf=__name__):
        key, store = _rows()
        client = Client(headers={"x-api-key": key})
        dreams = [_dream(store) for _ in range(100)]
        ours, bare = f"/v1/dreams/{dreams[0].id}", f"/bare/{dreams[0].id}"
        ratios, seconds = _compare(client, ours, bare, options.rounds, options.calls)
        print("| view | median ms |\n|---|---|")
        print(f"| GET /v1/dreams/{{id}} | {seconds[0] * 1000:.2f} |\n| bare DRF view | {seconds[1] * 1000:.2f} |")
        print(f"\nratio, median of {options.rounds} rounds: {statistics.median(ratios):.2f}")
        for limit in (1, 100):
            print(f"queries of a list of {limit}: {_queries(client, limit)}")


def _rows() -> tuple[str, MemoryStore]:
    row, key = api_key_create(workspace_name="benchmark", scope="admin")
    return key, MemoryStore.objects.create(workspace=row.workspace, name="notes")


def _dream(store: MemoryStore) -> Dream:
    inputs = [{"type": "memory_store", "memory_store_id": store.id}]
    return Dream.objects.create(workspace_id=store.workspace_id, primary_store_id=store.id, inputs=inputs)


def _compare(client: Client, ours: str, bare: str, rounds: int, calls: int) -> tuple[list[float], tuple[float, float]]:
    """The ratio of each round, ours first in every other one, and both medians in seconds."""
    times: dict[str, list[float]] = {ours: [], bare: []}
    for number in range(rounds + 1):
        for url in (ours, bare) if number % 2 else (bare, ours):
            elapsed = _timed(partial(client.get, url), calls)
            if number:  # the first round warms up
                times[url].append(elapsed)
    ratios = [one / other for one, other in zip(times[ours], times[bare], strict=True)]
    return ratios, (statistics.median(times[ours]), statistics.median(times[bare]))


def _timed(call: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        assert call().status_code == 200
    return (time.perf_counter() - start) / calls


def _queries(client: Client, limit: int) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert len(client.get(f"/v1/dreams?limit={limit}").json()["data"]) == limit
    return len(queries)


if __name__ == "__main__":
    main()
