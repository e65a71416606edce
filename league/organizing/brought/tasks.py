"""Long lists, which the worker saves. The database keeps each list with how its saving ended."""

import json
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, QueryDict
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task

from league.core.access import Access, Can, enter
from league.core.changes import SENT_BEFORE, Sent, refuse_repeat
from league.core.errors import AlreadyDone, Refused
from league.core.kept_files import content_of, pack
from league.core.tasks import COMPETITION, LONG, UNDER_WAY, find_tasks
from league.models import Competition, KeptFile
from league.organizing.brought.forms import ResultsPreviewForm
from league.organizing.brought.services import bring_results

MOST_IN_REQUEST = 300  # tables or players that a request saves itself


@dataclass(frozen=True)
class Job:
    """The saving of a long list. ``sent``: the form's data. ``count``: its tables or players.

    One of ``answer`` and ``refusal`` says how it ended. Without both, saving was interrupted unless it
    ``is_under_way``. ``is_waiting``: the worker has not begun.
    """

    sent: str
    fingerprint: str
    count: int
    answer: dict[str, Any] | None = None
    refusal: str = ""
    is_waiting: bool = False
    is_under_way: bool = False


def queue_results(
    *, competition: Competition, data: QueryDict, count: int, about: object, by: User, form: Sent
) -> None:
    """Enqueue the saving of a valid form with this ``data``.

    A form that was sent before is not enqueued again. Raises ``Refused`` if its key came with another list.
    """
    key = _key_of(form.key)
    kept = {"sent": data.urlencode(), "fingerprint": form.fingerprint, "count": count}
    with transaction.atomic():
        refuse_repeat(form, by=by)
        row, is_new = KeptFile.objects.get_or_create(
            key=key,
            defaults={"competition": competition, "asked_at": timezone.now(), **_content(kept)},
        )
        if not is_new:
            if _unpacked(row)["fingerprint"] != form.fingerprint:
                raise Refused(SENT_BEFORE, code="key_reused")
            return
        options = {COMPETITION: competition.pk}
        save_results.enqueue(str(form.key), about, by.pk, get_language() or "en", **options)


def find_job(competition: Competition, key: uuid.UUID) -> Job | None:
    row = KeptFile.objects.filter(competition=competition, key=_key_of(key)).first()
    if row is None or not row.content:
        return None
    statuses = {each.status for each in find_tasks(save_results, str(key))} & {*UNDER_WAY}
    is_waiting = statuses == {TaskResultStatus.READY}
    return Job(**_unpacked(row), is_waiting=is_waiting, is_under_way=bool(statuses))


@task(queue_name=LONG)
def save_results(key: str, about: Any, user: int, language: str, *, competition: int) -> None:
    """Save a list in one step and keep how that ended.

    A list that an erasure removed is not saved, nor one whose end is known.
    """
    rows = KeptFile.objects.select_related("competition")
    row = rows.filter(competition=competition, key=_key_of(uuid.UUID(key))).first()
    if row is None or row.competition is None or not row.content:
        return
    kept = _unpacked(row)
    if kept.keys() & {"answer", "refusal"}:
        return
    by = User.objects.get(pk=user)
    with translation.override(language):
        try:
            ended = _save(QueryDict(kept["sent"]), about, row.competition, by)
        except BaseException:
            _end(
                row, kept, {"refusal": _("Saving failed. The administrator can find the reason in the log.")}
            )
            raise
        _end(row, kept, ended)


def _save(data: QueryDict, about: Any, competition: Competition, by: User) -> dict[str, Any]:
    access = _access_of(competition, by)
    if access is None:
        return {"refusal": _("You no longer have this role.")}
    form = ResultsPreviewForm(data, stages=list(access.stages()))
    if not form.is_valid():  # the stage was removed since the form was sent
        return {"refusal": " ".join(str(error) for errors in form.errors.values() for error in errors)}
    sent = form.submission(*about)
    try:
        bring_results(**form.values(), by=by, form=sent)
    except Refused as refused:
        return {"refusal": str(refused)}
    except AlreadyDone as before:
        return {"answer": before.answer}
    return {"answer": sent.answer}


def _access_of(competition: Competition, by: User) -> Access | None:
    """Return the organizer's access, or None if the person has lost the role since the form was sent."""
    try:
        return enter(by, competition.slug, Can.ORGANIZE) if by.is_active else None
    except (Http404, PermissionDenied):
        return None


def _end(row: KeptFile, kept: dict[str, Any], ended: dict[str, Any]) -> None:
    """Keep how it ended. A list that is saved is forgotten."""
    content = kept | ended | ({"sent": ""} if "answer" in ended else {})
    KeptFile.objects.filter(pk=row.pk).update(**_content(content), read_at=timezone.now(), asked_at=None)


def _key_of(key: uuid.UUID) -> str:
    return f"results {key}"


def _content(kept: dict[str, Any]) -> dict[str, Any]:
    packed = pack(json.dumps(kept).encode())
    return {"content": packed, "size": len(packed)}


def _unpacked(row: KeptFile) -> dict[str, Any]:
    unpacked: dict[str, Any] = json.loads(content_of(row))
    return unpacked
