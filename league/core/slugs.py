from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.text import slugify

from league.core.errors import Refused
from league.models import Division, Stage


def free_slug(name: str, taken: set[str], *, fallback: str) -> str:
    """Return an address from `name` that is not in `taken`. A name in CJK script takes the fallback."""
    base = slugify(name)[:50] or fallback
    candidates = (base if n == 1 else f"{base}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def last_place(
    siblings: Collection[Division] | Collection[Stage], name: str, *, fallback: str
) -> dict[str, Any]:
    slug = free_slug(name, {sibling.slug for sibling in siblings}, fallback=fallback)
    return {"slug": slug, "position": max((sibling.position for sibling in siblings), default=0) + 1}


@contextmanager
def address_taken(refusal: str | Promise) -> Iterator[None]:
    """Open a transaction that refuses a duplicate address with a sentence.

    The unique column decides, so that one of two people who choose the same address at once gets it.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "slug" not in str(error):
            raise
        raise Refused(refusal, field="slug") from error
