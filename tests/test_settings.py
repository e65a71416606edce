"""What is configurable is documented, and the defaults are those of a safe server."""

import ast
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from league.settings import kept_secret_key

ROOT = Path(__file__).resolve().parent.parent
NAMES = [
    "DEBUG",
    "ALLOWED_HOSTS",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SESSION_COOKIE_NAME",
    "CSRF_COOKIE_NAME",
    "LANGUAGE_COOKIE_NAME",
    "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_SECONDS",
    "SECURE_PROXY_SSL_HEADER",
    "TRUSTED_PROXIES",
    "DATABASES",
    "STORAGES",
]
READERS = ("league/settings.py", "league/server/gunicorn.py")


def names_read(source: str) -> set[str]:
    """Every NAME of `env.kind("NAME", …)` and `os.environ.get("NAME", …)`."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith(("env.", "os.environ.get"))
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def names_documented(page: str) -> set[str]:
    """The first column of the table of settings."""
    return set(re.findall(r"^\| `([A-Z_]+)` \|", page, flags=re.MULTILINE))


def settings_with(**environment: str) -> dict:
    """Our settings as a fresh process sees them under this environment alone."""
    code = (
        f"import json, league.settings as s; print(json.dumps({{n: getattr(s, n, None) for n in {NAMES}}}))"
    )
    clean = {"PATH": os.environ["PATH"], "SECRET_KEY": "for-this-test"} | environment
    done = subprocess.run([sys.executable, "-c", code], env=clean, cwd=ROOT, capture_output=True, check=True)
    return json.loads(done.stdout)


def test_every_setting_is_documented():
    read = set().union(*(names_read((ROOT / name).read_text()) for name in READERS))
    assert {"SECRET_KEY", "DATABASE_URL", "PORT"} <= read

    assert names_documented((ROOT / "docs" / "settings.md").read_text()) == read


def test_without_any_variable_it_is_a_server_for_https_only():
    settings = settings_with()

    database = settings.pop("DATABASES")["default"]
    assert settings == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
        "LANGUAGE_COOKIE_NAME": "__Host-django_language",
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
        "TRUSTED_PROXIES": 1,
        "STORAGES": {
            "default": {
                "BACKEND": "django.core.files.storage.FileSystemStorage",
                "OPTIONS": {
                    "location": str(ROOT / "var" / "evidence"),
                    "file_permissions_mode": 0o600,
                    "directory_permissions_mode": 0o700,
                },
            },
            "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
        },
    }
    assert database["NAME"] == str(ROOT / "var" / "umaoka.sqlite3")
    assert database["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
    assert "ATOMIC_REQUESTS" not in database


def test_without_https_no_proxy_is_trusted():
    settings = settings_with(HTTPS="false")

    assert settings["SECURE_PROXY_SSL_HEADER"] is None
    assert settings["TRUSTED_PROXIES"] == 0
    assert settings["SESSION_COOKIE_SECURE"] is False


def test_a_database_url_chooses_postgresql():
    database = settings_with(DATABASE_URL="postgres://dora:secret@db.example:5433/club")["DATABASES"][
        "default"
    ]

    assert database == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "club",
        "USER": "dora",
        "PASSWORD": "secret",
        "HOST": "db.example",
        "PORT": 5433,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path):
    path = tmp_path / "var" / "secret_key"

    first, second = kept_secret_key(path), kept_secret_key(path)

    assert first == second
    assert len(first) >= 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in path.parent.iterdir()] == ["secret_key"]


def test_workers_that_start_together_share_one_secret_key(tmp_path):
    path = tmp_path / "secret_key"
    code = f"import pathlib, league.settings as s; print(s.kept_secret_key(pathlib.Path({str(path)!r})))"
    environment = os.environ | {"SECRET_KEY": "for-this-test"}
    workers = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
        for _ in range(6)
    ]

    keys = {worker.communicate()[0].strip() for worker in workers}

    assert keys == {path.read_bytes()}
    assert keys != {b""}


@pytest.mark.django_db
def test_sqlite_waits_for_its_turn_instead_of_answering_locked():
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("about SQLite; this run is on PostgreSQL")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        journal = cursor.fetchone()
        cursor.execute("PRAGMA busy_timeout")
        patience = cursor.fetchone()
        cursor.execute("PRAGMA foreign_keys")
        keys = cursor.fetchone()

    assert (journal, patience, keys) == (("wal",), (20000,), (1,))
