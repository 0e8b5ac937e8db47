"""Every URL of the service."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from dreamsvc import operations
from dreamsvc.openapi import openapi_json
from dreamsvc.operations import get_only

APPS = ("memorystores", "identities", "dreams")

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", get_only(operations.healthz)),
    path("readyz", get_only(operations.readyz)),
    path("docs", get_only(SpectacularSwaggerSplitView.as_view(url="/v1/openapi.json"))),
    path("v1/openapi.json", get_only(openapi_json)),
    *(path("v1/", include(f"{app}.urls")) for app in APPS if find_spec(f"{app}.urls")),
    re_path("", operations.unknown_url),
]
