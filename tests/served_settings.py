"""The settings of `tests.served` for a browser: static files are found without collecting them."""

from benchmarks.settings import *  # noqa: F403 - all of them

WHITENOISE_USE_FINDERS = True
