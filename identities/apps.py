from django.apps import AppConfig


class IdentitiesConfig(AppConfig):
    name = "identities"

    def ready(self) -> None:
        # Models can only be imported once every app is known.
        from identities.mounting import mount
        from memorystores.mounting import register

        register(mount)
