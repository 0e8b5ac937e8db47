"""Relative to /v1/."""

from __future__ import annotations

from django.urls import path

from memorystores.views.memories import MemoriesView, MemoryView, SearchView
from memorystores.views.stores import StoreArchiveView, StoresView, StoreView
from memorystores.views.versions import VersionRedactView, VersionsView, VersionView

STORE = "memory_stores/<str:memory_store_id>"

urlpatterns = [
    path("memory_stores", StoresView.as_view()),
    path(STORE, StoreView.as_view()),
    path(f"{STORE}/archive", StoreArchiveView.as_view()),
    path(f"{STORE}/memories", MemoriesView.as_view()),
    path(f"{STORE}/memories/<str:memory_id>", MemoryView.as_view()),
    path(f"{STORE}/search", SearchView.as_view()),
    path(f"{STORE}/memory_versions", VersionsView.as_view()),
    path(f"{STORE}/memory_versions/<str:memory_version_id>", VersionView.as_view()),
    path(f"{STORE}/memory_versions/<str:memory_version_id>/redact", VersionRedactView.as_view()),
]
