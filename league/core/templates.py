"""How templates are read."""

import re

from django.template.base import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Reads our pages without the indentation of their templates: half of a page with a long list is that.

    Lines keep their numbers. A template has no text whose indentation counts
    (``tests.league.core.test_templates``).
    """

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        return _INDENTATION.sub("", text) if str(origin.name).endswith(".html") else text
