"""The project as a Django application."""

from django.apps import AppConfig
from django.core.checks import register

from dreamsvc.checks import settings_are_sane


class DreamsvcConfig(AppConfig):
    name = "dreamsvc"

    def ready(self) -> None:
        register(settings_are_sane)
