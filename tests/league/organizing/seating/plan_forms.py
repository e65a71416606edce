"""The form that asks for a plan."""

import uuid

from django.urls import reverse

from tests.factories import Club


def address(here: Club, name: str = "seating:plan") -> str:
    return reverse(name, args=[here.slug, here.stage.pk])


def asked(**more) -> dict[str, object]:
    """Return a form in which only the method was chosen. It shows how a plan of one's own was read."""
    usual = {"shown": "", "fill": "sit_out", "sit_out": "nothing", "sit_out_score": "0.0", "rounds": "5"}
    return {"key": str(uuid.uuid4()), "method": "schedule"} | usual | more
