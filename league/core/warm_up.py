"""What a server does once, before it forks its workers, for the sake of their first pages."""

import gc

from django.conf import settings
from django.db import connections
from django.template.loader import get_template
from django.urls import reverse
from django.utils import formats, translation

from league.core.memory import release


def warm_up() -> None:
    """Imports all views, reads templates and translations, and leaves no connection open, which workers must
    not share.
    """
    release()
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            reverse("competitions:home")
            formats.get_format("DATE_FORMAT")
            translation.gettext("Standings")
    folder = settings.BASE_DIR / "templates"
    for path in folder.rglob("*.html"):
        get_template(path.relative_to(folder).as_posix())
    connections.close_all()
    gc.collect()
    gc.freeze()  # the collector of a worker does not touch, and so does not copy, what all of them share
