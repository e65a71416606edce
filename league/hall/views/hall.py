"""The hall: all tables of the rounds that are on, for staff, and the points during play for visitors."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.changes import Form
from league.core.pages import Answer, page, page_before, press, reads, takes
from league.core.text import listed, sentences
from league.hall.queries.tables import (
    hall_rounds,
    live_rounds,
    live_version,
    rounds_on,
    state_counts,
)
from league.hall.words import State
from league.models import Proposal, Sheet
from league.results.proposals import approve_sheets
from league.results.words import reason_words

MOST_PROPOSALS = 500


@gzip_page
@reads(Can.STAFF)
def hall(request: HttpRequest, access: Access) -> HttpResponse:
    rounds = hall_rounds(access.competition, rounds_on(access))
    counts = state_counts(rounds)
    asked = request.GET.get("state", "")
    chosen = State(asked) if asked in State.values else None
    shown = [
        (each, [table for table in each.tables if chosen is None or chosen in table.states])
        for each in rounds
    ]
    return page(
        request,
        access,
        "hall/hall.html",
        rounds=shown,
        filters=[(state, counts[state]) for state in State if counts[state] or state == chosen],
        count=sum(len(each.tables) for each in rounds),
        chosen=chosen,
    )


@takes(Can.STAFF)
def approve(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Approve the score sheets that the page listed and that are still clean. Name those left out."""
    round_ = access.round(pk)
    typed = request.POST.getlist("proposal")[:MOST_PROPOSALS]
    asked = [int(each) for each in typed if each.isascii() and each.isdigit() and len(each) < 19]
    (now,) = hall_rounds(access.competition, [round_])
    clean = [each.sheet.proposal.pk for each in now.clean if each.sheet.proposal]
    here = Proposal.objects.filter(pk__in=asked, table__round=round_)
    known = dict(here.values_list("pk", "table__number"))
    # Another person may just have approved some. The service says so.
    clean += here.filter(sheet__status=Sheet.Status.CONFIRMED).values_list("pk", flat=True)
    left = [known[each] for each in asked if each in known and each not in clean]

    def write(sent: Form) -> None:
        approve_sheets(
            round_=round_, proposals=[each for each in asked if each in clean], by=access.by, form=sent
        )

    return press(
        request,
        write,
        about=("approve", pk, *asked),
        done=lambda answer: _said(answer, left),
        back=page_before(request, access.address("hall:index")),
    )


def _said(answer: Answer, held: list[int]) -> str:
    why = dict(answer["why"])
    approved, left = answer["approved"], sorted({*answer["left"], *held} - {*why})
    words = ngettext("Approved: table %(tables)s.", "Approved: tables %(tables)s.", len(approved))
    said = [words % {"tables": listed(map(str, approved))}]
    if left:
        words = ngettext(
            "Not approved, because it has changed: table %(tables)s.",
            "Not approved, because they have changed: tables %(tables)s.",
            len(left),
        )
        said.append(words % {"tables": listed(map(str, left))})
    return sentences([*said, *reason_words(answer)])


# --- for visitors


def _live(access: Access) -> int:
    return live_version(live_rounds(access))


@public_page(_live)
def live(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the points during play, if the competition shows them."""
    rounds = live_rounds(access)
    return page(
        request,
        access,
        "hall/live.html",
        rounds=hall_rounds(access.competition, rounds) if rounds else [],
        revision=f"r{access.competition.revision} {live_version(rounds)}",
    )


@public_page(_live)
def live_versions(request: HttpRequest, access: Access) -> HttpResponse:
    return JsonResponse({"revision": f"r{access.competition.revision} {_live(access)}"})
