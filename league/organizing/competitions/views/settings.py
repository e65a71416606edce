"""The pages of settings: a list of them, and a form for each."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.access import Access, Can
from league.core.pages import Asked, page, posted, reads, save, saves, writes
from league.core.text import listed, sentences
from league.organizing.competitions.forms.settings import (
    EventForm,
    RefereesForm,
    ResultsForm,
    SettingsForm,
    TablesForm,
    TeamsForm,
    TieBreaksForm,
)
from league.organizing.competitions.queries.doors import links_at, rule_links
from league.organizing.competitions.services import update_competition
from league.play.calendar.queries.moves import Moves, find_moves
from league.ranking.standings.words import tie_break_explanation, tie_break_label
from scoring.standings import TIE_BREAKS

PAGE = "competitions/settings_page.html"


@reads(Can.ORGANIZE)
def settings(request: HttpRequest, access: Access) -> HttpResponse:
    """List the pages of settings, the rules and the staff."""
    competition = access.competition
    return page(
        request,
        access,
        "competitions/settings.html",
        ties=listed(map(tie_break_label, competition.tie_breaks)),
        links=links_at(competition, "organizer.settings"),
        rules=rule_links(competition, competition.divisions.all()),
        staff=links_at(competition, "organizer.staff"),
    )


@writes(Can.ORGANIZE)
def event(request: HttpRequest, access: Access) -> HttpResponse:
    """Change the facts of the event. New days ask whether the rounds move along."""
    competition = access.competition
    form = EventForm(posted(request), competition=competition)
    moves = _moves(form) if form.is_valid() else None
    if moves and "rounds" not in request.POST:
        own = {"csrfmiddlewaretoken", "key"}
        typed = [(name, value) for name, value in request.POST.items() if name not in own]
        return page(
            request, access, "competitions/move_rounds.html", status=200, moves=moves, typed=typed, form=form
        )
    mark = (request.POST.get("mark") or "-") if request.POST.get("rounds") == "move" else ""
    return save(
        request,
        form,
        lambda sent: update_competition(
            competition=competition, **form.values(), moves=mark, by=access.by, form=sent
        ),
        about=(competition.pk,),
        done=lambda _answer: sentences([_saved(form), *_moved(moves, moved=bool(mark))]),
        then=access.address("competitions:settings"),
    ) or page(request, access, "competitions/settings_event.html", form=form)


def _moves(form: EventForm) -> Moves | None:
    """Return the rounds that the changed days of the form leave on other days."""
    competition = form.competition
    before = (competition.first_day, competition.last_day)
    days: dict[str, Any] = dict(zip(("first_day", "last_day"), before, strict=True))
    days |= {name: value for name, value in form.changed_values().items() if name in days}
    return find_moves(competition, before=before, after=(days["first_day"], days["last_day"]))


def _moved(moves: Moves | None, *, moved: bool) -> list[str]:
    """Return the sentence about the rounds, if there was a question about them."""
    if moves is None:
        return []
    if not moved:
        return [_("The rounds stay on their days.")]
    count = len(moves.movable)
    return [ngettext("%(count)s round moved.", "%(count)s rounds moved.", count) % {"count": count}]


def _saved(form: SettingsForm) -> str:
    return _("Settings saved.") if form.changed_values() else _("No changes to save.")


@saves(Can.ORGANIZE, PAGE)
def results(request: HttpRequest, access: Access) -> Asked:
    form = ResultsForm(posted(request), competition=access.competition)

    def done(_answer: object) -> str:
        stays = "release" in form.changed_values()
        more = [_("Results that are published stay published.")] if stays else []
        return sentences([_saved(form), *more])

    return _asked(access, form, _("Results and publishing"), done=done)


@saves(Can.ORGANIZE, PAGE)
def tables(request: HttpRequest, access: Access) -> Asked:
    return _asked(access, TablesForm(posted(request), competition=access.competition), _("At the tables"))


@saves(Can.ORGANIZE, PAGE)
def referees(request: HttpRequest, access: Access) -> Asked:
    form = RefereesForm(posted(request), competition=access.competition)
    return _asked(access, form, _("Referees and penalties"))


@saves(Can.ORGANIZE, PAGE)
def teams(request: HttpRequest, access: Access) -> Asked:
    return _asked(access, TeamsForm(posted(request), competition=access.competition), _("Teams"))


@saves(Can.ORGANIZE, "competitions/settings_ties.html")
def ties(request: HttpRequest, access: Access) -> Asked:
    form = TieBreaksForm(posted(request), competition=access.competition)
    explained = [(tie_break_label(name), tie_break_explanation(name)) for name in TIE_BREAKS]
    return _asked(access, form, _("Equal totals"), tie_breaks=explained)


def _asked(access: Access, form: SettingsForm, title: str, *, done: Any = None, **shown: Any) -> Asked:
    return Asked(
        partial(update_competition, competition=access.competition),
        form,
        done=done or (lambda _answer: _saved(form)),
        then=access.address("competitions:settings"),
        title=title,
        **shown,
    )
