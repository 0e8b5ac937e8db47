"""Property tests say nothing about speed: a loaded machine is no fault of the code."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "engine", deadline=None, suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large), max_examples=60
)
settings.load_profile("engine")
