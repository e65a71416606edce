"""The counterpart of a saved sheet: a view that writes the same rows, and nothing else.

No middleware, session, role, form, rule, message or page.
"""

import uuid
from datetime import datetime

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone

settings.MIDDLEWARE = []
settings.ROOT_URLCONF = __name__
application = get_wsgi_application()

from league.core.changes import GENESIS, entry_hash  # noqa: E402 - they need the application
from league.models import AuditEntry, Competition, Sheet, Submission  # noqa: E402


def save(request: HttpRequest, competition: int, table: int, user: int) -> HttpResponse:
    """Sheet, audit entry, submission and revision, in one transaction under the competition's lock."""
    points = {wind: int(request.POST[wind]) * 100 for wind in ("east", "south", "west", "north")}
    with transaction.atomic():
        Competition.objects.filter(pk=competition).update(revision=F("revision") + 1)
        at = timezone.now()
        sheet = Sheet.objects.create(
            table_id=table, version=1, **points, total=sum(points.values()), entered_by_id=user, entered_at=at
        )
        append(competition, user, at, sheet)
        Submission.objects.create(
            key=uuid.UUID(request.POST["key"]),
            competition_id=competition,
            user_id=user,
            fingerprint=GENESIS,
            answer={"sheet": sheet.pk},
            created_at=at,
        )
    return HttpResponse("saved")


def append(competition: int, user: int, at: datetime, sheet: Sheet) -> None:
    log = AuditEntry.objects.filter(competition=competition).order_by("-sequence")
    sequence, previous = log.values_list("sequence", "hash").first() or (0, GENESIS)
    entry = AuditEntry(
        competition_id=competition,
        sequence=sequence + 1,
        at=at,
        actor_id=user,
        action="result.record",
        target=f"table:{sheet.table_id}",
        after={"version": 1, "status": "entered", "points": list(sheet.points), "sticks": 0, "reason": ""},
        previous_hash=previous,
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)


urlpatterns = [
    path("healthz", lambda request: HttpResponse("ok")),
    path("<int:competition>/<int:table>/<int:user>/", save),
]
