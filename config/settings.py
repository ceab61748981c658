"""Settings, read once from the environment; `docs/settings.md` lists every variable."""

from pathlib import Path
from typing import Literal

import django_stubs_ext
from csp.constants import NONCE, NONE, SELF

from config.environment import (
    env_bool,
    env_choice,
    env_embeddings,
    env_limits,
    env_list,
    env_number,
    env_path,
    env_policies,
    env_text,
    env_url,
    secret_key_file,
)
from config.static_files import version_of

django_stubs_ext.monkeypatch()  # Django's generic classes take their type arguments at run time too

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = env_path("PEGBOARD_STATE", BASE_DIR / "var")
"""Where the database, the indexes and the keys lie."""

DEBUG = env_bool("PEGBOARD_DEBUG", False)
SECRET_KEY = secret_key_file(STATE_DIR / "django.key")
ENCRYPTION_KEY_FILE = STATE_DIR / "secrets.key"
"""Encrypts secrets in the database; kept apart from the database and its backups."""
ALLOWED_HOSTS = env_list("PEGBOARD_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env_list("PEGBOARD_ORIGINS", [])
PEGBOARD_SANDBOX: Literal["auto", "required", "off"] = env_choice(
    "PEGBOARD_SANDBOX", "auto", ("auto", "required", "off")
)
PEGBOARD_INDEX_DIR = STATE_DIR / "index"
PEGBOARD_EMBEDDINGS = env_embeddings("PEGBOARD_EMBEDDINGS")
"""The model that makes vectors: `local`, or provider and name as LiteLLM takes them. Empty: no vectors."""
PEGBOARD_EMBEDDINGS_URL = env_url("PEGBOARD_EMBEDDINGS_URL")
PEGBOARD_EMBEDDINGS_KEY = env_text("PEGBOARD_EMBEDDINGS_KEY", "")
PEGBOARD_POLICIES = env_policies("PEGBOARD_POLICIES")
"""Code that a catalog’s policy may ask, by the name that catalogs choose it by: `module:function`."""
PEGBOARD_OUTPUT_DIR = STATE_DIR / "tool_output_folder"
"""Outputs of tools that were too large for a prompt, a folder a run."""
PEGBOARD_OUTPUT_DAYS = env_number("PEGBOARD_OUTPUT_DAYS", 7)
PEGBOARD_RUN_DAYS = env_number("PEGBOARD_RUN_DAYS", 0, least=0)
"""Days for which runs are kept; 0 keeps them for ever."""
PEGBOARD_RUN_LIMITS = env_limits("PEGBOARD_RUN_LIMITS", {"turns": 25, "calls": 50, "tokens": 1_000_000, "seconds": 600})
"""What a run may use up where the person who starts it says nothing else."""
PEGBOARD_RUN_LIMITS_MOST = env_limits(
    "PEGBOARD_RUN_LIMITS_MOST", {"turns": 100, "calls": 500, "tokens": 10_000_000, "seconds": 3_600}
)
"""The most that a person may say."""
PEGBOARD_APPROVAL_MINUTES = env_number("PEGBOARD_APPROVAL_MINUTES", 30)
"""How long a call waits for a person; then it is refused."""
PEGBOARD_SESSION_IDLE_SECONDS = env_number("PEGBOARD_SESSION_IDLE_SECONDS", 300, least=0)
"""How long a session with a server stays open after the last run that used it; 0 closes it at once."""
PEGBOARD_SESSIONS = env_number("PEGBOARD_SESSIONS", 32)
"""Sessions with servers that may be open at once."""
PEGBOARD_AUDIT_DAYS = env_number("PEGBOARD_AUDIT_DAYS", 0, least=0)
"""Days for which the audit is kept; 0 keeps it for ever."""
PEGBOARD_SHARING = env_bool("PEGBOARD_SHARING", True)
"""Whether presenters may make links by which a run is looked at without a sign-in. Off, those made before open nothing."""
PEGBOARD_SHARED = env_text("PEGBOARD_SHARED", str(BASE_DIR.parent / "shared"))
"""Recorded results and public test sets that some tests read; they are no part of the project."""

INSTALLED_APPS = [
    "catalog.admin_app.PegboardAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "csp",
    "django_htmx",
    "catalog",
    "playground",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "catalog.request_origins.origin_of_requests",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "catalog.frame.frame",
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": STATE_DIR / "pegboard.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
        "TEST": {"NAME": STATE_DIR / "test.sqlite3"},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign_in"

SESSION_COOKIE_NAME = "pegboard_session"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("PEGBOARD_HTTPS", False)
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = env_text("PEGBOARD_TIME_ZONE", "UTC")
USE_I18N = False
USE_TZ = True

STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_URL = "/static/" if DEBUG else f"/static/{version_of(STATICFILES_DIRS[0], ('django', 'django-htmx'))}/"
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_USE_STATIC_ROOT = False
SERVESTATIC_MAX_AGE = 0 if DEBUG else 365 * 24 * 3600
SERVESTATIC_ALLOW_ALL_ORIGINS = False

DATA_UPLOAD_MAX_MEMORY_SIZE = 10 << 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
"""The form of a catalog has three fields for every server."""
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 << 20
MAX_IMPORT_BYTES = 64 << 20
"""The largest tool listing that is read, from a file or a server."""

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
