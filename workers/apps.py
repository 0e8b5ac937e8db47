from django.apps import AppConfig


class WorkersConfig(AppConfig):
    name = "workers"

    def ready(self) -> None:
        # Models, which these import, are there only now.
        from memorystores import redaction
        from workers.forgetting import dreams_forget
        from workers.vectors import vectors_forget

        redaction.register(vectors_forget)
        redaction.register(dreams_forget)
