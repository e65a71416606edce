import hashlib
from collections.abc import Callable, Mapping
from functools import cache as once
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache

KEPT_SECONDS = 24 * 3600

Made = TypeVar("Made")

_SOURCES = ("league", "players", "scoring", "templates", "static", "locale")
_SUFFIXES = {".py", ".html", ".toml", ".css", ".js", ".svg", ".mo", ".tsv", ".json"}


@once
def release() -> str:
    """Return a fingerprint of code, templates and translations. A new release has an empty cache."""
    digest = hashlib.blake2b(digest_size=12)
    for folder in _SOURCES:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in _SUFFIXES:
                _add_file(digest, path)
    return digest.hexdigest()


def _add_file(digest: hashlib.blake2b, path: Path) -> None:
    content = path.read_bytes()
    digest.update(f"{path.relative_to(settings.BASE_DIR)} {len(content)} ".encode())
    digest.update(content)


def newest(key: str, revision: object, make: Callable[[], Made]) -> Made:
    """Return the cached value of this revision, or make it. The cache has one revision per key."""
    cached: Mapping[str, Made] = find_kept({key: revision})
    if key in cached:
        return cached[key]
    made = make()
    keep({key: made}, {key: revision})
    return made


def find_kept(revisions: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of these revisions that this release cached. Another release has other classes."""
    kept = cache.get_many(revisions).items()
    return {key: made for key, (of, made) in kept if of == (release(), revisions[key])}


def keep(made: Mapping[str, object], revisions: Mapping[str, object]) -> None:
    kept = {key: ((release(), revisions[key]), value) for key, value in made.items()}
    cache.set_many(kept, KEPT_SECONDS)
