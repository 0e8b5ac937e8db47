"""All settings, from the environment. Nothing else reads the environment; `.env.example` documents each name."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from dreamsvc.environment import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()
if (BASE_DIR / ".env").is_file():
    env.read_env(str(BASE_DIR / ".env"))


def _own_secret(directory: Path) -> str:
    """A secret made once per `DREAMSVC_VAR` and readable by its owner only, so that no default ever ships.

    It appears whole or not at all, and the first of two processes that start at once wins.
    """
    file = directory / "secret_key"
    try:
        if not file.exists():
            with tempfile.NamedTemporaryFile("w", dir=directory) as draft:
                print(secrets.token_urlsafe(48), file=draft, flush=True)
                with suppress(FileExistsError):
                    os.link(draft.name, file)
        return file.read_text().strip()
    except OSError:
        return ""  # Django refuses to work without one; the system check and `doctor` say why


# --- Process -------------------------------------------------------------------------------------------------------
DEBUG = env.flag("DEBUG", False)
VAR = Path(env.text("DREAMSVC_VAR", str(BASE_DIR / "var"))).resolve()
ROLE = env.text("DREAMSVC_ROLE", "web")  # web | worker | control: time-outs and pools differ
with suppress(OSError):  # the system check, `doctor` and whatever needs the folder say so
    VAR.mkdir(parents=True, exist_ok=True)
SECRET_KEY = env.text("SECRET_KEY", "") or _own_secret(VAR)
ALLOWED_HOSTS = env.texts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])

INSTALLED_APPS = [
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django.contrib.staticfiles",
    "dreamsvc",
    "memorystores",
    "identities",
    "dreams",
    "workers",
]
MIDDLEWARE: list[str] = [
    "dreamsvc.middleware.RequestIdMiddleware",
    "dreamsvc.middleware.RequestLogMiddleware",
    "dreamsvc.middleware.RefusalMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
]
ROOT_URLCONF = "dreamsvc.urls"
WSGI_APPLICATION = "dreamsvc.wsgi.application"
APPEND_SLASH = False
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # the only static files are those of installed packages: nothing to collect
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-us"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES: list[dict[str, Any]] = [
    {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {}}
]


# --- Log -----------------------------------------------------------------------------------------------------------
LOG_LEVEL = env.one_of("LOG_LEVEL", ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], "INFO")
LOG_FORMAT = env.one_of("LOG_FORMAT", ["console", "json"], "console" if sys.stderr.isatty() else "json")
_shared_processors: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
]
_renderers: list[Any] = (
    [structlog.dev.ConsoleRenderer()]
    if LOG_FORMAT == "console"
    else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
)
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_renderers],
            "foreign_pre_chain": [*_shared_processors, structlog.stdlib.ExtraAdder()],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"level": "CRITICAL"},  # the request log has a line for every answer already
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},  # a line per request of ours to somebody else
        "waitress.queue": {"level": "ERROR"},  # a line per queued request fills the pipe and blocks the server
    },
}
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_shared_processors,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True  # our own middleware has judged it before
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO


# --- Database ------------------------------------------------------------------------------------------------------
def _database() -> dict[str, Any]:
    config = env.database("DATABASE_URL", f"sqlite:///{VAR / 'dreamsvc.sqlite3'}")
    return _sqlite(config) if "sqlite" in config["ENGINE"] else _postgresql(config)


def _sqlite(config: dict[str, Any]) -> dict[str, Any]:
    options = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    return {**config, "ENGINE": "dreamsvc.sqlite", "OPTIONS": options, "CONN_MAX_AGE": None}


def _postgresql(config: dict[str, Any]) -> dict[str, Any]:
    """Bounded waits: a process stopped inside a transaction must not block the others for ever (seconds, ms in SQL)."""
    web = ROLE == "web"
    limits = f"-c idle_in_transaction_session_timeout={10_000 if web else 30_000}"
    if web:
        limits += " -c lock_timeout=5000"
    options: dict[str, Any] = {**config.get("OPTIONS", {}), "options": limits, "connect_timeout": 5}
    pooled = web and env.flag("DB_POOL", False)
    if pooled:
        options["pool"] = {"min_size": 1, "max_size": env.whole("DB_POOL_SIZE", 16), "timeout": 5}
    return {
        **config,
        "OPTIONS": options,
        "CONN_MAX_AGE": 0 if pooled else 60,
        "CONN_HEALTH_CHECKS": not pooled,
    }


DATABASES = {"default": _database()}

# --- Queue ---------------------------------------------------------------------------------------------------------
REDIS_URL = env.text("REDIS_URL", "")
EMBEDDED_BROKER = not REDIS_URL
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "dreams"
CELERY_TASK_ROUTES = {"workers.tasks.sweep": {"queue": "control"}}
# Acknowledged early: a message is only a nudge, and kombu 5.7 ends a worker with an AttributeError when its broker goes
# away while a message is unacknowledged. Without prefetch a busy worker keeps none that an idle one could take.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = not EMBEDDED_BROKER  # Redis only
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # a dream goes on without its broker
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 0, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if EMBEDDED_BROKER
    else {"socket_connect_timeout": 1, "socket_timeout": 5 if ROLE == "worker" else 2}
)

# --- Dreams --------------------------------------------------------------------------------------------------------
DREAM_LEASE_SECONDS = env.number("DREAM_LEASE_SECONDS", 30.0)
DREAM_BEAT_SECONDS = env.number("DREAM_BEAT_SECONDS", 5.0)
DREAM_STALL_SECONDS = env.number("DREAM_STALL_SECONDS", 300.0)
DREAM_DEADLINE_SECONDS = env.number("DREAM_DEADLINE_SECONDS", 1800.0)
DREAM_MAX_LOST = env.whole("DREAM_MAX_LOST", 3)
DREAM_MAX_RUNNING = env.whole("DREAM_MAX_RUNNING", 4)
DREAM_MAX_LIVE = env.whole("DREAM_MAX_LIVE", 100)
DREAM_SWEEP_SECONDS = env.number("DREAM_SWEEP_SECONDS", 2.0)
DREAM_WORKER_CONCURRENCY = env.whole("DREAM_WORKER_CONCURRENCY", 4)
DREAM_MIN_CLUSTER_SIZE = env.whole("DREAM_MIN_CLUSTER_SIZE", 3)
DREAM_SIMILARITY_THRESHOLD = env.number("DREAM_SIMILARITY_THRESHOLD", 0.75)
DREAM_MAX_CLUSTERS_PER_RUN = env.whole("DREAM_MAX_CLUSTERS_PER_RUN", 10)
DREAM_CONSOLIDATION_MAX_INPUT_TOKENS = env.whole("DREAM_CONSOLIDATION_MAX_INPUT_TOKENS", 1500)
DREAM_CONSOLIDATION_MAX_OUTPUT_TOKENS = env.whole("DREAM_CONSOLIDATION_MAX_OUTPUT_TOKENS", 300)
DREAM_COOLDOWN_DAYS = env.whole("DREAM_COOLDOWN_DAYS", 7)
DREAM_TOP_K_NEIGHBORS = env.whole("DREAM_TOP_K_NEIGHBORS", 3)
CELERY_TASK_TIME_LIMIT = None if EMBEDDED_BROKER else DREAM_DEADLINE_SECONDS + 60
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "workers.tasks.sweep", "schedule": DREAM_SWEEP_SECONDS}}

# --- Stores --------------------------------------------------------------------------------------------------------
STORE_MAX_MEMORIES = env.whole("STORE_MAX_MEMORIES", 10_000)
STORE_MAX_BYTES = env.whole("STORE_MAX_BYTES", 100_000_000)
REPLACED_DEFAULT_ARCHIVE_DAYS = env.whole("REPLACED_DEFAULT_ARCHIVE_DAYS", 30)
SEARCH_BACKEND = "workers.retrieval.search"  # a dotted path: the apps never import the workers

# --- API -----------------------------------------------------------------------------------------------------------
MAX_BODY_BYTES = 32 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
IDEMPOTENCY_HOURS = 24
EMBEDDER = "workers.providers.embedders.LocalEmbedder"  # cheap to make: it loads its model when it first embeds
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["dreamsvc.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["dreamsvc.authentication.HasScope"],
    "DEFAULT_PARSER_CLASSES": ["dreamsvc.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "dreamsvc.negotiation.AlwaysJSON",
    "EXCEPTION_HANDLER": "dreamsvc.exception_handler.handle",
    "DEFAULT_SCHEMA_CLASS": "dreamsvc.openapi.Schema",
    "UNAUTHENTICATED_USER": None,
    "COMPACT_JSON": True,
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "dreamsvc",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/v1/",
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": ["dreamsvc.openapi.add_errors"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},  # the validator is somebody's on the internet
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
