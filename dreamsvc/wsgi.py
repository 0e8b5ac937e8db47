"""The WSGI application for gunicorn and waitress."""

import os

from django.core.wsgi import get_wsgi_application

from dreamsvc.bodies import MeasuredBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dreamsvc.settings")
application = MeasuredBodies(get_wsgi_application())
