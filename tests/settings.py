"""Settings of the tests: the product's own, on plain HTTP, with throw-away facts.

Whatever the developer's shell says about Umaoka is ignored, except DATABASE_URL, which chooses the database
to test on.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

for _name in ("ALLOWED_HOSTS", "CACHE_URL", "CSRF_TRUSTED_ORIGINS", "TRUSTED_PROXIES"):
    os.environ.pop(_name, None)
os.environ |= {"SECRET_KEY": "for-tests-only", "HTTPS": "false", "DEBUG": "false"}

# Photographs and the list of erasures of the tests: thrown away with them.
os.environ["EVIDENCE_DIR"] = tempfile.mkdtemp(prefix="umaoka-evidence-")
os.environ["ERASED_FILE"] = str(Path(tempfile.mkdtemp(prefix="umaoka-erased-")) / "erased.jsonl")
for _name in (os.environ["EVIDENCE_DIR"], Path(os.environ["ERASED_FILE"]).parent):
    atexit.register(shutil.rmtree, _name, ignore_errors=True)

from league.settings import *  # noqa: E402, F403 - the environment must be set before the settings read it
from league.settings import CACHES, DATABASES, INSTALLED_APPS, STORAGES, TASKS  # noqa: E402

TASKS["default"]["BACKEND"] = "django_tasks.backends.immediate.ImmediateBackend"  # results are there at once
INSTALLED_APPS += ["tests"]  # for tests/management/commands
# Manifest storage would answer 404 under the live server, which serves the files of STATICFILES_DIRS.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WEBHOOK_LOCAL = ["127.0.0.1:9"]  # no one listens there
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES["default"]["LOCATION"] = f"tests-{os.getpid()}"
# Empty, whatever was collected in this directory: each new test client reads all of it.
STATIC_ROOT = Path(tempfile.mkdtemp(prefix="umaoka-static-"))
atexit.register(shutil.rmtree, STATIC_ROOT, ignore_errors=True)

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, because Django shares an in-memory database's single connection among the threads of the live
    # server, where IMMEDIATE transactions would run into each other; its own directory, so that two test runs
    # never meet. The processes of one run share it: the first one makes it, and hands its name down.
    if "UMAOKA_TESTS" not in os.environ:
        os.environ["UMAOKA_TESTS"] = tempfile.mkdtemp(prefix="umaoka-tests-")
        atexit.register(shutil.rmtree, os.environ["UMAOKA_TESTS"], ignore_errors=True)
    DATABASES["default"]["TEST"] = {"NAME": str(Path(os.environ["UMAOKA_TESTS"]) / "test.sqlite3")}
    # Nothing here needs to survive a power cut.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
# A connection that a thread of the live server left open would hold the database when it is thrown away.
DATABASES["default"]["CONN_MAX_AGE"] = 0
