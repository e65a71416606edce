"""The organizer's pages: a new competition, the dashboard, divisions, the league."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_http_methods, require_safe

from league.core.access import Access, Can, may_begin, organized_by, own_league, owns
from league.core.changes import Sent
from league.core.errors import find_refusal
from league.core.forms import attempt
from league.core.pages import Answer, Asked, SignedIn, page, posted, press, reads, save, saves, writes
from league.models import Competition, Stage
from league.organizing.audit_log.queries import audit_lines, changes_by_others, seen_key
from league.organizing.competitions.forms.competitions import (
    CompetitionFields,
    DivisionFields,
    FinishForm,
    LeagueForm,
    ReopenForm,
)
from league.organizing.competitions.panels import files_page
from league.organizing.competitions.queries.doors import (
    DOORS,
    Door,
    Link,
    links_at,
    more_links,
    rounds_to_print,
)
from league.organizing.competitions.queries.front import competitions_of
from league.organizing.competitions.services import (
    add_division,
    finish_competition,
    refuse_finish,
    reopen_competition,
    start_competition,
    update_league,
)
from league.organizing.competitions.tables import CompetitionsTable
from league.play.bans.queries import departures
from league.play.calendar.queries.table_times import waiting_tables
from league.play.calls.queries import messages_of
from league.play.rounds.queries.steps import Dashboard, dashboard
from league.ranking.seasons.queries import unpublished_results
from league.ranking.stages.queries import ChangedCut, changed_cuts
from league.ranking.standings.queries.overall import overall
from league.ranking.teams.queries import team_ranking
from league.referees.penalties.queries.penalties import seats_to_forfeit
from league.rules.rule_sets.panels import RuleChoiceForm
from league.rules.rule_sets.queries.house_rules import FIRST_CHOICE, newest_editions

NEWS = 5  # changes by other organizers
RECENT = 6  # rounds of a stage that the organizer's page lists; older ones are folded away


class CompetitionForm(CompetitionFields, RuleChoiceForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.refuse_rules_of_another_league(self.chosen_league())
        return cleaned


class DivisionForm(DivisionFields, RuleChoiceForm):
    """A division with its rules."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedIn) -> HttpResponse:
    by = request.user
    if not may_begin(by):
        raise PermissionDenied(
            _("Creating competitions requires permission. Ask the administrator of this server.")
        )
    asked = request.GET
    form = CompetitionForm(
        posted(request), user=by, proposed=asked.get("rules", ""), league=asked.get("league", "")
    )
    brings = "bring" in request.POST
    next_step = _("%(name)s created. Next, add the players.")

    def then(answer: Answer) -> str:
        if brings:
            return reverse("brought:bring", args=[answer["slug"]])
        if form.cleaned_data["play"] == Stage.Play.OPEN:
            return reverse("open_play:tonight", args=[answer["slug"], answer["stage"]])
        return reverse("roster:import", args=[answer["slug"]])

    return save(
        request,
        form,
        lambda sent: start_competition(**form.values(), rules=form.rule_set(by=by), by=by, form=sent),
        done=lambda _answer: (
            (_("%(name)s created.") if brings else next_step) % {"name": form.cleaned_data["name"]}
        ),
        then=then,
    ) or page(request, None, "competitions/new.html", form=form)


@reads(Can.ORGANIZE)
def manage(request: HttpRequest, access: Access) -> HttpResponse:
    overview = dashboard(access.competition)
    read = request.session.get(seen_key(access.competition), 0)
    news = changes_by_others(access.competition, by=access.by, after=read)
    return page(
        request,
        access,
        "competitions/manage.html",
        dashboard=overview,
        several=len(overview.divisions) > 1,
        recent=RECENT,
        news=audit_lines(list(news[:NEWS])),
        news_count=news.count,
        recent_slice=f":{RECENT}",
        older_slice=f"{RECENT}:",
        doors=_doors(access),
        more=_more(access, overview),
        to_make_up=waiting_tables(access.competition),
        season_before=_unfinished_season(access),
        player_messages=messages_of(access.competition),
        undecided=[each for each in departures(access.competition) if each.seats],
        to_forfeit=seats_to_forfeit(access.competition),
        changed_cuts=_changed_cuts(access, overview),
    )


def _changed_cuts(access: Access, overview: Dashboard) -> list[ChangedCut]:
    """Return the cuts that a corrected sheet or a penalty has changed, while the competition runs."""
    if access.competition.finished_at:
        return []
    return changed_cuts([state.stage for division in overview.divisions for state in division.stages])


def _doors(access: Access) -> list[tuple[Door, str, list[Link]]]:
    """Return each door with its address and the links behind it."""
    competition = access.competition
    return [(door, access.address(door.name), links_at(competition, *door.places)) for door in DOORS]


def _more(access: Access, overview: Dashboard) -> list[Link]:
    competition = access.competition
    ranked = [each.division for each in overview.divisions if each.has_sheets]
    owns_league = owns(access.by, competition.league)
    return more_links(competition, ranked, owns_league=owns_league)


@reads(Can.ORGANIZE)
def papers(request: HttpRequest, access: Access) -> HttpResponse:
    """Lead to what is printed."""
    coming, closed = rounds_to_print(access.competition)
    links = links_at(access.competition, "organizer.print")
    title = pgettext("manage", "Print")
    return page(
        request, access, "competitions/print.html", title=title, coming=coming, closed=closed, links=links
    )


@reads(Can.ORGANIZE)
def screens(request: HttpRequest, access: Access) -> HttpResponse:
    links = links_at(access.competition, "organizer.screens")
    title = pgettext("manage", "Screens")
    return page(request, access, "competitions/door.html", title=title, links=links)


@reads(Can.ORGANIZE)
def files(request: HttpRequest, access: Access) -> HttpResponse:
    return files_page(request, access)


def _unfinished_season(access: Access) -> Competition | None:
    """Return the competition before this one if this person can finish it."""
    before = Competition.objects.filter(pk=access.competition.previous_id or 0, finished_at=None)
    return next(iter(organized_by(access.by, before)), None)


@writes(Can.ORGANIZE)
def finish(request: HttpRequest, access: Access) -> HttpResponse:
    """Finish the competition, or reopen it. The form names the action, since another organizer may come
    first.
    """
    competition = access.competition
    finished = competition.finished_at is not None
    reopens = "reason" in request.POST if request.method == "POST" else finished
    form = ReopenForm(posted(request)) if reopens else FinishForm(posted(request))
    manage = access.address("competitions:manage")
    first = competition.divisions.first()

    def write(sent: Sent) -> object:
        end = reopen_competition if reopens else finish_competition
        return end(competition=competition, **form.values(), by=access.by, form=sent)

    about = ("reopen" if reopens else "finish", competition.pk)
    reopened = _("Reopened. Finish the competition again when the change is made.")
    done = reopened if reopens else _("%(name)s is finished.") % {"name": competition.name}
    then = access.address("standings:overall", first.slug) if first and not reopens else manage
    if competition.crowns_teams and not reopens:
        then = access.address("teams:index")
    if reopens != finished:
        here = access.address("competitions:finish")
        return press(request, write, about=about, done=done, back=here, then=then, form=form)
    return save(request, form, write, about=about, done=done, then=then) or _finish_page(
        request, access, form
    )


def _finish_page(request: HttpRequest, access: Access, form: FinishForm | ReopenForm) -> HttpResponse:
    competition = access.competition
    return page(
        request,
        access,
        "competitions/finish.html",
        form=form,
        overall=[
            (
                each,
                overall(each, public=False),
                competition.crowns_teams and team_ranking(competition, public=False, division=each.slug),
            )
            for each in competition.divisions.all()
        ],
        unpublished=len(unpublished_results(competition)),
        why_not="" if competition.finished_at else find_refusal(lambda: refuse_finish(competition)),
    )


@saves(Can.ORGANIZE, "competitions/division_new.html", done=gettext_lazy("%(name)s created."))
def division_new(request: HttpRequest, access: Access) -> Asked:
    competition = access.competition
    last = competition.divisions.select_related("rule_set").last()
    form = DivisionForm(
        posted(request),
        proposed=last.rule_set.preset if last else FIRST_CHOICE,
        editions=newest_editions([competition.league]),
    )

    def write(**values: Any) -> object:
        return add_division(competition=competition, rules=form.rule_set(by=access.by), **values)

    return Asked(write, form, then=access.address("competitions:manage"))


@require_safe
def league(request: SignedIn, slug: str) -> HttpResponse:
    own = own_league(request.user, slug)
    return page(
        request,
        None,
        "competitions/league.html",
        league=own,
        competitions=CompetitionsTable(competitions_of(own), request=request),
        owners=own.owners.all(),
        books=own.rule_books.count(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def league_edit(request: SignedIn, slug: str) -> HttpResponse:
    own = own_league(request.user, slug)
    form = LeagueForm(posted(request), initial={"name": own.name, "slug": own.slug})
    if form.is_valid() and attempt(
        form, lambda: update_league(league=own, by=request.user, **form.cleaned_data)
    ):
        messages.success(request, _("League saved."))
        return redirect("competitions:league", form.cleaned_data["slug"])
    return page(request, None, "competitions/league_edit.html", league=own, form=form)
