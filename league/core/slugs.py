"""Addresses of pages: made from a name, and refused with a sentence when someone else has them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.text import slugify

from league.core.errors import Refused


def free_slug(name: str, taken: set[str], *, fallback: str) -> str:
    """An address made from ``name`` that is not in ``taken``; a name in CJK script falls back."""
    base = slugify(name)[:50] or fallback
    candidates = (base if n == 1 else f"{base}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


@contextmanager
def address_taken(refusal: str | Promise) -> Iterator[None]:
    """One transaction, in which an address that is taken is refused with a sentence.

    The unique column decides, so that of two people who choose the same address at once one gets it.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "slug" not in str(error):
            raise
        raise Refused(refusal, field="slug") from error
