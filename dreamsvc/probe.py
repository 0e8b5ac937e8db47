"""`python -m dreamsvc.probe`: embeds one word, in a process of its own, as a model must not be loaded before a fork."""

from __future__ import annotations

import os

import django
from django.conf import settings
from django.utils.module_loading import import_string


def main() -> None:
    """Raises when the embedder does not work."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dreamsvc.settings")
    django.setup()
    embedder = import_string(settings.EMBEDDER)()
    if len(embedder.embed(["dream"])) != 1:
        raise RuntimeError("the embedder did not answer with one vector")


if __name__ == "__main__":
    main()
