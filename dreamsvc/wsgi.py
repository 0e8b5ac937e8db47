"""The WSGI application for gunicorn and waitress."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dreamsvc.settings")
application = get_wsgi_application()
