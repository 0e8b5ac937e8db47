"""URLs below /v1/."""

from __future__ import annotations

from django.urls import path

from identities.views.events import SessionEventsView, SessionImportView
from identities.views.identities import IdentitiesView, IdentityDisableView, IdentityEnableView, IdentityView
from identities.views.mounts import DefaultMemoryView, MountsView, MountView
from identities.views.sessions import SessionArchiveView, SessionsView, SessionView
from identities.views.templates import TemplateArchiveView, TemplatesView, TemplateView

PAIR = "identities/<str:identity_id>/templates/<str:template_id>"

urlpatterns = [
    path("identities", IdentitiesView.as_view()),
    path("identities/<str:identity_id>", IdentityView.as_view()),
    path("identities/<str:identity_id>/enable", IdentityEnableView.as_view()),
    path("identities/<str:identity_id>/disable", IdentityDisableView.as_view()),
    path(f"{PAIR}/memory_stores", MountsView.as_view()),
    path(f"{PAIR}/memory_stores/<str:memory_store_id>", MountView.as_view()),
    path(f"{PAIR}/default_memory", DefaultMemoryView.as_view()),
    path("templates", TemplatesView.as_view()),
    path("templates/<str:template_id>", TemplateView.as_view()),
    path("templates/<str:template_id>/archive", TemplateArchiveView.as_view()),
    path("sessions", SessionsView.as_view()),
    path("sessions/import", SessionImportView.as_view()),
    path("sessions/<str:session_id>", SessionView.as_view()),
    path("sessions/<str:session_id>/archive", SessionArchiveView.as_view()),
    path("sessions/<str:session_id>/events", SessionEventsView.as_view()),
]
