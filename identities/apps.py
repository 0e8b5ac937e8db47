"""The app of identities, templates, mounts and sessions."""

from django.apps import AppConfig


class IdentitiesConfig(AppConfig):
    name = "identities"

    def ready(self) -> None:
        # Models can only be imported once every app is known.
        from identities.mounting import annotated, is_mounted, mount
        from memorystores.mounting import Mounts, register

        register(Mounts(mount=mount, is_mounted=is_mounted, annotated=annotated))
