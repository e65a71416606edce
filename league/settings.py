"""Settings of Umaoka, all from the environment. docs/settings.md lists every name.

Without any variable this is a safe production server on SQLite: HTTPS only, no debug pages, and a secret key
that is made once.
"""

import os
import secrets
from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"
env = environ.FileAwareEnv()


def kept_secret_key(path: Path) -> str:
    """Return the key in this file, which is created at the first start, readable by its owner only.

    Several workers may start at once: `link` refuses if the file exists, so all of them read the same key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def on_read_only_disk(database: Path) -> bool:
    """Whether SQLite can only read this file if it is called immutable: its log cannot be made beside it."""
    try:
        read_only = bool(os.statvfs(database).f_flag & os.ST_RDONLY)
    except FileNotFoundError:
        return False
    return read_only and not database.with_name(f"{database.name}-wal").exists()


# Who may talk to this server

SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret_key(VAR_DIR / "secret_key")
# Of the codes of the audit logs that are printed: they hold only as long as it stays the same.
AUDIT_KEY = env.str("AUDIT_KEY", default="") or SECRET_KEY
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

HTTPS = env.bool("HTTPS", default=True)
# gunicorn speaks plain HTTP, so HTTPS means one proxy in front, whose X-Forwarded-* headers are believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1 if HTTPS else 0)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3_000  # a tick for each player of a round that is seated
SESSION_ENGINE = "league.people.accounts.sessions"  # Django's, which also knows whose a session is
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
if HTTPS:  # names that browsers accept from this host and over HTTPS alone
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-django_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        # Bootstrap draws the marks of its checkboxes and selects as data: pictures.
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# The application

# In this order they stand side by side on a page.
ALL_EXTRAS = (
    "calculator",
    "statistics",
    "notices",
    "needs",
    "game_logs",
    "reports",
    "hall",
    "embeds",
    "webhooks",
    "registration",
    "api",
    "demo",
)
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # our own select.html
# What an installation may leave out (docs/extras.md).
EXTRAS = env.list("EXTRAS", default=list(ALL_EXTRAS))
INSTALLED_APPS = [
    "scoring",
    "players",
    "league",
    *(f"league.extras.{name}" for name in EXTRAS),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "django_tables2",
    "django_htmx",
    "csp",
    "axes",
    "django_tasks",
    "django_tasks_db",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_otp_webauthn",
]

MIDDLEWARE = [
    "league.server.log.Measured",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # These two come before all that read cookies.
    *(["league.extras.embeds.frames.WithoutCookies"] if "embeds" in EXTRAS else []),
    *(["league.extras.api.middleware.Programs"] if "api" in EXTRAS else []),
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.core.site.HealthCheck",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "league.core.limits.Limits",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.people.accounts.middleware.PrivatePages",
    "league.people.accounts.middleware.SecondStep",
    "axes.middleware.AxesMiddleware",  # last: it turns a refused sign-in into the page that says so
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["league.core.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "libraries": {
                "umaoka": "league.core.tags",
                "audit_log": "league.organizing.audit_log.tags",
                "competitions": "league.organizing.competitions.tags",
                "hands": "league.play.hands.tags",
                "stages": "league.ranking.stages.tags",
                "seasons": "league.ranking.seasons.tags",
                "standings": "league.ranking.standings.tags",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Facts

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'umaoka.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    Path(DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["OPTIONS"] = {
        # A transaction takes the write lock at its start, where SQLite waits for it; Django's default,
        # DEFERRED, takes it at the first write and answers "database is locked" when another came in between.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,  # seconds
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
    if on_read_only_disk(Path(DATABASES["default"]["NAME"])):
        DATABASES["default"]["OPTIONS"] |= {
            "database": f"{Path(DATABASES['default']['NAME']).absolute().as_uri()}?immutable=1",
            "init_command": "PRAGMA query_only=ON",
        }
    # Opening the file and its PRAGMAs cost more than reading a competition: each thread keeps its connection.
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    DATABASES["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
LEAST_DISK = 50_000_000  # bytes that must be free there, and where photographs are, for a healthy server
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": env.cache("CACHE_URL", default="locmemcache://")}
if CACHES["default"]["BACKEND"] == "django.core.cache.backends.locmem.LocMemCache":
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 500}  # of each process
if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    CACHES["default"]["BACKEND"] = "league.core.shared_cache.SharedCache"
    # Seconds; pages are made without it rather than wait.
    CACHES["default"].setdefault("OPTIONS", {}).update(socket_connect_timeout=0.5, socket_timeout=1)

# Long work (league.core.tasks): `manage.py work` takes it from the database. In debug mode a request does it.
_TASKS = "django_tasks.backends.immediate.ImmediateBackend" if DEBUG else "django_tasks_db.DatabaseBackend"
TASKS = {"default": {"BACKEND": _TASKS, "QUEUES": ["files", "long", "outbox"]}}

# Signing in

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django_otp_webauthn.backends.WebAuthnBackend",
    "league.people.accounts.backends.Accounts",
]
AUTH_PASSWORD_VALIDATORS = [{"NAME": "league.people.accounts.passwords.PasswordRules"}]
# False: accounts are made through invitations, by `manage.py createsuperuser` and in the administration.
OPEN_SIGNUP = env.bool("OPEN_SIGNUP", default=False)
# Who may begin competitions (``league.core.access.may_begin``).
EVERYONE, ORGANIZERS = "everyone", "organizers"
NEW_COMPETITIONS = env.str("NEW_COMPETITIONS", default=EVERYONE if OPEN_SIGNUP else ORGANIZERS)
if NEW_COMPETITIONS not in (EVERYONE, ORGANIZERS):
    raise ImproperlyConfigured(f"NEW_COMPETITIONS is {EVERYONE} or {ORGANIZERS}, not {NEW_COMPETITIONS!r}.")

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "competitions:home"
LOGOUT_REDIRECT_URL = "competitions:home"

# By name and address together: by address alone one person's typos would lock out a whole hall.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 10
# Of all names together: stops one password that is tried on many names. People whose browser signed in before
# are not counted there, so that no one in a hall can lock out its organizers.
ADDRESS_FAILURE_LIMIT = 100
AXES_HANDLER = "league.people.accounts.sign_in.SignInHandler"
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "league.people.accounts.views.locked_out"
AXES_CLIENT_IP_CALLABLE = "league.core.network.client_address"
AXES_DISABLE_ACCESS_LOG = True  # successful sign-ins: personal data that no one needs here
AXES_VERBOSE = False
# A second step of signing in: everyone may have one, and organizers must where this is true.
REQUIRE_SECOND_STEP = env.bool("REQUIRE_SECOND_STEP", default=False)
OTP_TOTP_ISSUER = OTP_WEBAUTHN_RP_NAME = "Umaoka"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
OTP_WEBAUTHN_RP_ID_CALLABLE = "league.people.accounts.passkeys.site_of"
OTP_WEBAUTHN_HELPER_CLASS = "league.people.accounts.passkeys.PasskeyHelper"
SILENCED_SYSTEM_CHECKS = ["otp_webauthn.E030"]  # the helper says which origins are allowed

# Mails; without EMAIL_URL they are printed where the server runs.
vars().update(env.email("EMAIL_URL", default="consolemail://"))
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default=f"umaoka@{ALLOWED_HOSTS[0]}")
EMAIL_TIMEOUT = 20  # seconds
PASSWORD_RESET_TIMEOUT = 3600  # seconds

# Notices by Web Push. Browsers subscribe with a key derived from this secret: if it changes, players turn
# their notices on again.
PUSH_KEY = env.str("PUSH_KEY", default="") or SECRET_KEY
# The only servers that are called, by origin: those of the browsers.
PUSH_SERVICES = env.list(
    "PUSH_SERVICES",
    default=[
        "https://fcm.googleapis.com",
        "https://updates.push.services.mozilla.com",
        "https://*.push.apple.com",
        "https://*.notify.windows.com",
    ],
)
# Hosts of the own network, as host:port, that webhooks may call, also by plain HTTP.
WEBHOOK_LOCAL = env.list("WEBHOOK_LOCAL", default=[])

SECURITY_LOG_DAYS = env.int("SECURITY_LOG_DAYS", default=90)

# Who answers for this server: shown on the page about personal data.
OPERATOR_NAME = env.str("OPERATOR_NAME", default="")
OPERATOR_CONTACT = env.str("OPERATOR_CONTACT", default="")

# Languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hant", "繁體中文"), ("zh-hans", "简体中文"), ("ja", "日本語")]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "django"]  # the second: texts of Django itself
USE_I18N = True
FORMAT_MODULE_PATH = "league.formats"  # one form of dates and times a language
TIME_ZONE = "UTC"
USE_TZ = True

# Requests a minute that the API takes from one token, and from one address without a token.
API_REQUESTS = env.int("API_REQUESTS", default=240)

# Files

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Photographs that are evidence of a dispute: served by a page that asks who reads it, by nothing else.
EVIDENCE_DIR = env.str("EVIDENCE_DIR", default=str(VAR_DIR / "evidence"))
# Who was erased, by number: a restore of an older backup erases them again.
ERASED_FILE = env.str("ERASED_FILE", default=str(VAR_DIR / "erased.jsonl"))
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": EVIDENCE_DIR,
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

DJANGO_TABLES2_TEMPLATE = "core/_table.html"
DJANGO_TABLES2_TABLE_ATTRS = {"class": "table table-hover align-middle"}

# What a monitor sends as "Authorization: Bearer …" to read /metrics; without it that page does not exist.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "without_addresses": {"()": "league.server.log.WithoutAddresses"},
        "outages": {"()": "league.server.log.Outages"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["outages", "without_addresses"],
        },
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        # Django's own handlers print to the console in debug mode only, and would mail the rest to no one.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Names and addresses of failed sign-ins belong into the security log, which ends.
        "axes": {"level": "ERROR"},
        # A line for each task that begins or ends; those that fail are errors.
        "django_tasks": {"level": "WARNING"},
        # It warns of every HEAD request, whose body Django leaves to the server to drop.
        "gunicorn.http.wsgi": {"level": "ERROR"},
        "django.server": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
