"""The demonstration's calls, over HTTP like anybody's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx2

from dreamsvc.demo.folder import Note

LIVE = ("pending", "running")
POLL_SECONDS = 0.2


class Refused(Exception):
    """The service answered with an error; the message is the service's."""


class Client:
    """A small client of the service; raises Refused on any error."""

    def __init__(self, base_url: str, key: str) -> None:
        self._http = httpx2.Client(base_url=f"{base_url}/v1", headers={"x-api-key": key}, timeout=60)

    def pair(self, name: str) -> dict[str, str]:
        """A new identity and template, as a dream's input names them."""
        tag = uuid4().hex[:8]
        identity = self._call("POST", "/identities", {"external_id": f"{name}-{tag}", "name": name})
        template = self._call("POST", "/templates", {"name": f"{name}-{tag}"})
        return {"type": "identity_template", "identity_id": identity["id"], "template_id": template["id"]}

    def default_store(self, pair: dict[str, str], name: str) -> str:
        """A new store that is the pair's default memory."""
        mount = {key: pair[key] for key in ("identity_id", "template_id")} | {"access": "read_write"}
        return str(self._call("POST", "/memory_stores", {"name": name, "mount": mount})["id"])

    def add(self, store_id: str, note: Note) -> None:
        body = {"path": note.path, "content": note.text, "observed_at": note.observed_at.isoformat()}
        self._call("POST", f"/memory_stores/{store_id}/memories", body)

    def dream(self, pair: dict[str, str], watch: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """Runs a dream of the pair's default memory to its end, telling `watch` of each look at it."""
        dream: dict[str, Any] = self._call("POST", "/dreams", {"inputs": [pair]})
        while dream["status"] in LIVE:
            watch(dream)
            time.sleep(POLL_SECONDS)
            dream = self._call("GET", f"/dreams/{dream['id']}")
        return dream

    def journal(self, dream_id: str) -> str:
        return self._http.get(f"/dreams/{dream_id}/journal", headers={"accept": "text/markdown"}).text

    def diffs(self, dream_id: str) -> Iterator[dict[str, Any]]:
        page: str | None = None
        while True:
            query = f"?page={page}" if page else ""
            answer = self._call("GET", f"/dreams/{dream_id}/diff{query}")
            yield from answer["data"]
            page = answer["next_page"]
            if page is None:
                return

    def default_memory(self, pair: dict[str, str]) -> str:
        path = f"/identities/{pair['identity_id']}/templates/{pair['template_id']}/default_memory"
        return str(self._call("GET", path)["memory_store_id"])

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        response = self._http.request(method, path, json=body)
        if response.is_error:
            raise Refused(f"{method} {path}: {response.json()['error']['message']}")
        return response.json()
