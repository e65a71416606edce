"""The organizer's pages: a new competition, what to do next, settings, divisions and stages, the league."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.bans.queries import departures
from league.calendar.queries.table_times import waiting_tables
from league.competitions.forms.organizer import CompetitionFields, DivisionFields, LeagueForm, SettingsForm
from league.competitions.queries.dashboard import board, competitions_of
from league.competitions.services import (
    add_division,
    start_competition,
    update_competition,
    update_league,
)
from league.core import pages
from league.core.access import Access, Can, enter, own_league, owns
from league.core.errors import AlreadyDone, Refused
from league.core.forms import attempt
from league.core.messages import tie_break_explanation, tie_break_label
from league.core.pages import SignedIn, sent
from league.models import Competition, League
from league.rule_sets.panels import RuleChoiceForm
from league.rule_sets.queries.house_rules import FIRST_CHOICE, newest_editions
from scoring.standings import TIE_BREAKS


class CompetitionForm(CompetitionFields, RuleChoiceForm):
    """From nothing to a competition, on one page."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.refuse_rules_of_another_league(self.chosen_league())
        return cleaned


class DivisionForm(DivisionFields, RuleChoiceForm):
    """A division with its rules."""


RECENT = 6  # rounds of a stage that stand open on the organizer's page; older ones are folded away


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def competition_new(request: SignedIn) -> HttpResponse:
    form = CompetitionForm(sent(request), user=request.user, proposed=request.GET.get("rules", ""))
    if request.method == "POST" and form.is_valid() and (made := _start(form, by=request.user)):
        messages.success(request, _("%(name)s is there. Add the players next.") % {"name": made.name})
        return redirect("competitions:manage", made.slug)
    return render(request, "competitions/new.html", {"form": form})


def _start(form: CompetitionForm, *, by: User) -> Competition | None:
    """The competition that this form makes, or made when it came before; None when it was refused."""
    typed = form.cleaned_data
    try:
        return start_competition(
            league=form.chosen_league(),
            league_name=typed["league_name"],
            name=typed["name"],
            rules=form.rule_set(by=by),
            kind=typed["kind"],
            timezone=typed["timezone"],
            visibility=typed["visibility"],
            division_names=typed["divisions"],
            by=by,
            form=form.submission(),
        )
    except AlreadyDone as done:
        return Competition.objects.get(pk=str(done.answer["competition"]))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return None


@require_safe
def manage(request: SignedIn, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = board(access.competition)
    context = {
        "board": found,
        "several": len(found.divisions) > 1,
        "recent": RECENT,
        "recent_slice": f":{RECENT}",
        "older_slice": f"{RECENT}:",
        "today": pages.today(access.competition),
        "owns_league": owns(request.user, access.competition.league),
        "to_make_up": waiting_tables(access.competition),
        "undecided": [each for each in departures(access.competition) if each.seats],
        "new_key": uuid.uuid4,  # called by the template: every button's form has a key of its own
    }
    return render(request, "competitions/manage.html", pages.context(access) | context)


@require_http_methods(["GET", "HEAD", "POST"])
def competition_settings(request: SignedIn, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    form = SettingsForm(sent(request), competition=access.competition)
    if request.method == "POST" and form.is_valid():
        changed = form.changed_values()
        if not changed:
            messages.info(request, _("Nothing was different: the settings stay as they were."))
            return redirect("competitions:manage", slug)
        if attempt(form, _update(access, form, changed, by=request.user)):
            messages.success(request, _("The settings are saved."))
            return redirect("competitions:manage", slug)
    ties = [(tie_break_label(name), tie_break_explanation(name)) for name in TIE_BREAKS]
    return render(
        request, "competitions/settings.html", pages.context(access) | {"form": form, "tie_breaks": ties}
    )


def _update(
    access: Access, form: SettingsForm, changed: dict[str, object], *, by: User
) -> Callable[[], object]:
    return lambda: update_competition(
        competition=access.competition,
        values=changed,
        by=by,
        form=form.submission(access.competition.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def division_new(request: SignedIn, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    last = access.competition.divisions.select_related("rule_set").last()
    form = DivisionForm(
        sent(request),
        chosen=last.rule_set.preset if last else FIRST_CHOICE,
        editions=newest_editions([access.competition.league]),
    )
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: add_division(
                competition=access.competition,
                name=form.cleaned_data["name"],
                rules=form.rule_set(by=request.user),
                by=request.user,
                form=form.submission(access.competition.pk),
            ),
        )
        if done:
            messages.success(request, _("%(name)s is there.") % {"name": form.cleaned_data["name"]})
            return redirect("competitions:manage", slug)
    return render(request, "competitions/division_new.html", pages.context(access) | {"form": form})


@require_safe
def league(request: SignedIn, slug: str) -> HttpResponse:
    found = own_league(request.user, slug)
    context = {
        "league": found,
        "competitions": competitions_of(found),
        "owners": found.owners.all(),
        "books": found.rule_books.count(),
    }
    return render(request, "competitions/league.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def league_edit(request: SignedIn, slug: str) -> HttpResponse:
    found = own_league(request.user, slug)
    form = LeagueForm(sent(request), initial={"name": found.name, "slug": found.slug})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        # A second object: when the address is refused, the page still shows the league as it is.
        edited = get_object_or_404(League, pk=found.pk)
        if attempt(form, lambda: update_league(league=edited, name=typed["name"], slug=typed["slug"])):
            messages.success(request, _("The league is saved."))
            return redirect("competitions:league", typed["slug"])
    return render(request, "competitions/league_edit.html", {"league": found, "form": form})
