import re

from django.template.base import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Reads templates without indentation, half of a page with a long list. Lines keep their numbers."""

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        return _INDENTATION.sub("", text) if str(origin.name).endswith(".html") else text
