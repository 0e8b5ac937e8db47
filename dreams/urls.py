"""The paths of dreams and of what they leave behind, under /v1."""

from django.urls import path

from dreams import views

urlpatterns = [
    path("dreams", views.DreamsView.as_view()),
    path("dreams/<str:dream_id>", views.DreamView.as_view()),
    path("dreams/<str:dream_id>/cancel", views.DreamCancelView.as_view()),
    path("dreams/<str:dream_id>/archive", views.DreamArchiveView.as_view()),
    path("dreams/<str:dream_id>/plan", views.DreamPlanView.as_view()),
    path("dreams/<str:dream_id>/diff", views.DreamDiffView.as_view()),
    path("dreams/<str:dream_id>/lineage", views.DreamLineageView.as_view()),
    path("dreams/<str:dream_id>/journal", views.DreamJournalView.as_view()),
    path("dreams/<str:dream_id>/rollback", views.DreamRollbackView.as_view()),
]
