"""What the pages of a competition share: their context, what was sent to them, who asks, today's date."""

from collections.abc import Mapping
from datetime import date
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from league.core.access import Access
from league.models import Competition

SEEDS = 1_000_000  # a draw's number stays short enough to be read out


class SignedIn(HttpRequest):
    """A request of somebody signed in: ``enter`` lets nobody else through to what needs a role."""

    user: User


def sent(request: HttpRequest) -> QueryDict | None:
    """What was sent; an empty form too is a form that was sent."""
    return request.POST if request.method == "POST" else None


def context(access: Access) -> dict[str, object]:
    """What every page of a competition needs."""
    return {"access": access, "competition": access.competition}


def show(
    request: HttpRequest, access: Access, template: str, values: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """A page of a competition."""
    return render(request, template, {**context(access), **values}, status=status)


def today(competition: Competition) -> date:
    """Today where the competition is."""
    return timezone.now().astimezone(ZoneInfo(competition.timezone)).date()
