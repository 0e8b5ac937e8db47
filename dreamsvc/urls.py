"""Every URL of the service."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from dreamsvc import operations
from dreamsvc.openapi import openapi_json
from dreamsvc.operations import get_only

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", get_only(operations.healthz)),
    path("readyz", get_only(operations.readyz)),
    path("docs", get_only(SpectacularSwaggerSplitView.as_view(url="/v1/openapi.json"))),
    path("v1/openapi.json", get_only(openapi_json)),
    path("v1/", include("memorystores.urls")),
    path("v1/", include("identities.urls")),
    path("v1/", include("dreams.urls")),
    re_path("", operations.unknown_url),
]
