"""Marks beside the names in the standings, which extras offer, and the facts on which they depend."""

from django.http import HttpRequest
from django.utils.safestring import SafeString

from league.core.access import Access
from league.core.extras import answers
from league.models import Stage


def marks_of(
    request: HttpRequest, access: Access, stage: Stage, *, public: bool, of_teams: bool = False
) -> dict[int, SafeString]:
    """Return player or team → its marks."""
    marks_by_id: dict[int, SafeString] = {}
    for marks in answers("standings.marks", request, access, stage, public=public, of_teams=of_teams):
        for each, mark in marks.items():
            marks_by_id[each] = marks_by_id.get(each, SafeString("")) + mark
    return marks_by_id


def facts_of_marks(access: Access, **_kwargs: object) -> tuple[object, ...]:
    """Return facts for `public_page`, as the marks may change without a change of the competition."""
    return tuple(answers("standings.facts", access))
