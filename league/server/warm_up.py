"""Work that the server does once before it forks its workers, for their first pages and their memory."""

import gc

from django.conf import settings
from django.db import connections
from django.template.loader import get_template
from django.urls import reverse
from django.utils import translation

from league.core.memory import release


def warm_up() -> None:
    """Load views, templates and translations. Leave no connection open, since workers must not share one."""
    release()
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            reverse("competitions:home")
    folder = settings.BASE_DIR / "templates"
    for path in folder.rglob("*.html"):
        get_template(path.relative_to(folder).as_posix())
    connections.close_all()
    gc.collect()
    gc.freeze()  # a worker's collector neither touches nor copies what all workers share
