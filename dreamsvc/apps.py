"""The project as a Django application."""

from django.apps import AppConfig


class DreamsvcConfig(AppConfig):
    name = "dreamsvc"
