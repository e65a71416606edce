from collections.abc import Iterable
from functools import partial
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.caching import PAGES, public_page
from league.core.counted import shown_penalties
from league.core.door import round_code
from league.core.errors import Refused
from league.core.pages import (
    TABLES_A_PAGE,
    Asked,
    for_public,
    page,
    page_before,
    paged,
    posted,
    press,
    presses,
    saves,
    takes,
)
from league.core.stages import stages_of
from league.core.zones import day_of_new_round
from league.models import Round, Stage
from league.people.members.queries import linked_players
from league.play.calendar.queries.open_play import DayCount, day_counts
from league.play.calendar.queries.table_times import to_make_up
from league.play.calls.queries import round_clock
from league.play.hands.words.penalties import penalty_lines
from league.play.results.queries.tables import table_results, without_results
from league.play.rounds.forms import SAME, TEAMS, PublishForm, RoundForm, StatusForm, VisibilityForm
from league.play.rounds.queries.rounds import RoundCount, missing_tables, round_counts, team_names_in
from league.play.rounds.services import (
    close_round,
    create_round,
    delete_round,
    open_round,
    plan_again,
    publish_rounds,
    refuse_close,
    refuse_start,
    set_visibility,
)

# --- for everyone


class OpenPlayStage(NamedTuple):
    stage: Stage
    days: list[DayCount]  # newest first
    may_make: bool  # a table


@public_page()
def rounds(request: HttpRequest, access: Access) -> HttpResponse:
    public = for_public(request, access)
    visible = access.rounds().order_by(
        "stage__division__position", "stage__division_id", "-stage__position", "-stage_id", "-number"
    )
    if public:
        visible = visible.exclude(visibility=Round.Visibility.HIDDEN)
    ordered = list(visible.exclude(stage__play=Stage.Play.OPEN))
    counts = round_counts([each.pk for each in ordered])
    stages = [
        (stage, [(each, counts.get(each.pk, RoundCount())) for each in group])
        for stage, group in groupby(ordered, key=lambda each: each.stage)
    ]
    choices = [choice.stage for choice in stages_of(access.competition, public=public)]
    open_play = _open_play_stages(access, choices, visible)
    divisions = {stage.division_id for stage, _group in stages} | {e.stage.division_id for e in open_play}
    return page(
        request,
        access,
        "rounds/index.html",
        stages=stages,
        open_play=open_play,
        several_divisions=len(divisions) > 1,
    )


def _open_play_stages(
    access: Access, stages: Iterable[Stage], rounds: QuerySet[Round]
) -> list[OpenPlayStage]:
    open_stages = [stage for stage in stages if stage.play == Stage.Play.OPEN]
    if not open_stages:
        return []
    days = day_counts(open_stages, rounds)
    may_make = access.can_score or bool(linked_players(access.user.pk, access.competition))
    return [OpenPlayStage(stage, days.get(stage.pk, []), may_make) for stage in open_stages]


@public_page(page=PAGES)
def round_(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    public = for_public(request, access)
    round_ = access.round(pk)
    if public and round_.visibility == Round.Visibility.HIDDEN:
        raise Http404
    seating_only = public and round_.visibility == Round.Visibility.SEATING
    tables = round_.tables.order_by("number").values_list("pk", flat=True)
    tables_page = paged(request, list(tables), TABLES_A_PAGE)
    results = table_results(round_.tables.filter(pk__in=tables_page), access.competition, rounds=[round_])
    count = round_counts([pk]).get(pk, RoundCount())
    postponed = to_make_up(round_.tables.all())
    penalties = shown_penalties(round_.penalties.select_related("table", "player"), public=public)
    neighbours = list(
        access.rounds().filter(stage=round_.stage_id).order_by("number", "pk").values_list("pk", "number")
    )
    here = neighbours.index((round_.pk, round_.number))
    return page(
        request,
        access,
        "rounds/round.html",
        round=round_,
        tables=tables_page,
        results=without_results(results) if seating_only else results,
        penalties=penalty_lines(penalties.order_by("created_at", "pk"), round_.stage.division.rule_set),
        seating_only=seating_only,
        postponed=set() if seating_only else set(postponed.values_list("pk", flat=True)),
        entered=count.entered,
        imbalance=round_.rules.imbalance,
        clock=round_clock(round_, sees_results=not seating_only),
        whose=team_names_in(round_),
        round_code=round_code(round_) if _shows_code(access, round_, public=public) else "",
        may_start_clock=not public and access.can_referee and round_.status == Round.Status.OPEN,
        before=neighbours[here - 1] if here else None,
        after=neighbours[here + 1] if here + 1 < len(neighbours) else None,
    )


def _shows_code(access: Access, round_: Round, *, public: bool) -> bool:
    """Return whether the page tells the code that phones at the tables give."""
    return access.is_staff and not public and round_.status == Round.Status.OPEN


# --- for organizers


@saves(Can.ORGANIZE, "rounds/new.html")
def round_new(request: HttpRequest, access: Access, stage: int) -> Asked:
    stage_ = access.stage(stage)
    last = stage_.rounds.last()
    form = RoundForm(
        posted(request),
        last=last.number if last else 0,
        today=day_of_new_round(access.competition),
        teams=stage_.takes_line_ups,
    )
    return Asked(
        partial(create_round, stage=stage_),
        form,
        then=lambda answer: _seat_address(access, answer["round"], form.cleaned_data["how"], last),
        stage=stage_,
    )


def _seat_address(access: Access, made: int, how: str, last: Round | None) -> str:
    if how == TEAMS:
        return access.address("teams:round", made)
    address = access.address("seating:by_hand", made)
    if how == SAME and last is not None:
        return f"{address}?how=random&as={last.pk}"
    return f"{address}?how={how}" if how else address


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("competitions:manage"))
def round_status(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Start, reopen or close a round, or take its start back. Ask first if that skips tables or rounds."""
    round_ = access.round(pk)
    form = StatusForm(request.POST)
    closes = form.data.get("status") == "close"
    back = page_before(request, access.address("competitions:manage"))
    if form.data.get("status") == "plan":
        return press(
            request,
            lambda sent: plan_again(round_=round_, by=access.by, form=sent),
            about=(pk, "plan"),
            done=_planned_sentence(round_) % {"number": round_.number},
            back=back,
            form=form,
        )
    if not form.is_valid() or form.cleaned_data["sure"]:
        sure = True
    else:
        sure = False
        try:
            (refuse_close if closes else refuse_start)(round_)
        except Refused as asked:
            return _ask(request, access, round_, form, asked, back)
    visibility = form.data.get("visibility", "")
    if round_.visibility == Round.Visibility.RESULTS and visibility == Round.Visibility.SEATING:
        visibility = ""  # a tick “show the seating” must not hide results that are published
    write = close_round if closes else open_round
    return press(
        request,
        lambda sent: write(round_=round_, visibility=visibility or None, sure=sure, by=access.by, form=sent),
        about=(pk,),
        done=_status_sentence(visibility, closes=closes) % {"number": round_.number},
        back=back,
        form=form,
    )


def _ask(
    request: HttpRequest, access: Access, round_: Round, form: StatusForm, asked: Refused, back: str
) -> HttpResponse:
    closes = form.cleaned_data["status"] == "close"
    missing = missing_tables(round_) if closes else []
    return page(
        request,
        access,
        "rounds/sure.html",
        status=200,
        round=round_,
        closes=closes,
        question=asked.message,
        missing=missing,
        is_empty=closes and len(missing) == round_.tables.count(),
        form=form,
        back=back,
    )


def _planned_sentence(round_: Round) -> str:
    if round_.visibility == Round.Visibility.HIDDEN:
        return _("Round %(number)s is planned again.")
    return _("Round %(number)s is planned again. Visitors still see its seating.")


def _status_sentence(visibility: str, *, closes: bool) -> str:
    if closes and visibility == Round.Visibility.RESULTS:
        return _("Round %(number)s closed and its results published.")
    if closes:
        return _("Round %(number)s closed.")
    if visibility == Round.Visibility.SEATING:
        return _("Round %(number)s is open, and its seating is published.")
    return _("Round %(number)s is open. Results can be entered.")


@presses(Can.ORGANIZE)
def round_visibility(request: HttpRequest, access: Access, pk: int) -> Asked:
    round_ = access.round(pk)
    form = VisibilityForm(request.POST)
    sentences: dict[str, str] = {
        "hidden": _("Round %(number)s hidden from visitors."),
        "seating": _("Seating of round %(number)s published, results hidden."),
        "results": _("Results of round %(number)s published."),
    }
    return Asked(
        partial(set_visibility, round_=round_),
        form,
        done=lambda _answer: sentences[form.cleaned_data["visibility"]] % {"number": round_.number},
        then=page_before(request, access.address("competitions:manage")),
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Results published."))
def publish(request: HttpRequest, access: Access) -> Asked:
    return Asked(
        partial(publish_rounds, competition=access.competition),
        PublishForm(request.POST, rounds=access.rounds()),
        then=page_before(request, access.address("competitions:manage")),
    )


@presses(Can.ORGANIZE, gone="competitions:manage")
def round_delete(request: HttpRequest, access: Access, pk: int) -> Asked:
    round_ = access.round(pk)
    manage = access.address("competitions:manage")
    return Asked(
        partial(delete_round, round_=round_),
        then=manage,
        back=page_before(request, manage),
        done=_("Round %(number)s deleted.") % {"number": round_.number},
    )
