"""The tests' API behind a real web server: gunicorn, or waitress by `python -m tests.platform.served PORT`."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dreamsvc.settings")

from django.conf import settings

settings.ROOT_URLCONF = "tests.platform.probe"

from dreamsvc import serving  # noqa: E402 - after the setting above
from dreamsvc.wsgi import application as application  # noqa: E402

if __name__ == "__main__":
    serving.web_server(host="127.0.0.1", port=int(sys.argv[1])).run()
