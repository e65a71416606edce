"""The product's own settings, on plain HTTP as behind a proxy. Static files are named without collecting."""

import os

os.environ |= {"SECRET_KEY": "for-benchmarks-only", "HTTPS": "false", "DEBUG": "false"}
os.environ["CACHE_URL"] = os.environ.get("SHARED_CACHE", "locmemcache://")

from league.settings import *  # noqa: F403 - the environment must be set before the settings read it
from league.settings import STATIC_ROOT, STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

# WhiteNoise warns when nothing was collected yet; here nothing has to be.
STATIC_ROOT.mkdir(exist_ok=True)

WEBHOOK_LOCAL = ["127.0.0.1:9"]  # no one listens there
