"""The screens in the hall: set by an organizer, open to all, and the award ceremony on them.

A screen shows staff, too, only what visitors see, and of the ceremony what was revealed.
"""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.caching import PAGES, public_page
from league.core.door import screen_key
from league.core.memory import release
from league.core.pages import (
    Asked,
    number_in,
    page,
    posted,
    press,
    presses,
    reads,
    save,
    saves,
    screen_values,
    takes,
    writes,
)
from league.core.stages import stages_of
from league.extras.hall.forms import CeremonyForm, NewScreenForm, ScreenForm, ShowsForm
from league.extras.hall.queries.screens import (
    ceremony_of,
    ceremony_steps,
    hidden_results,
    screen_rounds,
    screen_version,
)
from league.extras.hall.queries.tables import hall_rounds, live_rounds, rounds_on
from league.extras.hall.services import (
    add_screen,
    end_ceremony,
    remove_screen,
    reveal,
    set_screen,
    start_ceremony,
)
from league.extras.hall.views.commentary import stream_parts
from league.models import Ceremony, Round, Screen, Stage
from league.organizing.seating.panels import current_rounds, seating_parts
from league.play.calls.queries import has_clock, round_clock, round_codes
from league.play.open_play.queries import to_be_played
from league.ranking.boards.panels import rows_a_screen, standings_parts

TABLES_A_SCREEN = 12
LATER = 10  # lines below those revealed last


def _screen(access: Access, slug: str) -> Screen:
    return get_object_or_404(access.competition.screens, slug=slug)


# --- on the wall


def _version(access: Access, screen: str) -> str:
    return screen_version(access, _screen(access, screen), ceremony_of(access.competition))


@public_page(_version)
def screen_versions(request: HttpRequest, access: Access, screen: str) -> HttpResponse:
    """Return the version of the screen. A new release makes the screen load itself again."""
    return JsonResponse({"revision": _version(access, screen), "release": release()})


@public_page(_version, page=PAGES)
def screen(request: HttpRequest, access: Access, screen: str) -> HttpResponse:
    wall, ceremony = _screen(access, screen), ceremony_of(access.competition)
    parts = _ceremony_parts(ceremony) if ceremony else _parts(access, wall)
    return page(
        request,
        access,
        f"hall/screens/{'ceremony' if ceremony else wall.shows}.html",
        wall=wall,
        ceremony=ceremony,
        by_name=wall.by_name,
        reason="" if ceremony or any(parts) else _why_empty(access, wall),
        revision=screen_version(access, wall, ceremony),
        release=release(),
        **screen_values(request, access, parts, "seating:my_seat"),
    )


@reads()
def screen_codes(request: HttpRequest, access: Access, key: str) -> HttpResponse:
    """Show the codes of the open rounds to a screen that was opened with the key.

    The page of the screen is public. So its script asks for the codes with the key, which is in the part of
    the screen's address that browsers do not send.
    """
    if not constant_time_compare(key, screen_key(access.competition)):
        raise Http404
    visible = access.rounds().exclude(visibility=Round.Visibility.HIDDEN)
    return page(request, access, "hall/screens/codes.html", round_codes=round_codes(to_be_played(visible)))


def _parts(access: Access, screen: Screen) -> list[Any]:
    if screen.shows == Screen.Shows.SEATS:
        rounds = screen_rounds(current_rounds(access), screen)
        return list(seating_parts(access, rounds, public=True, by_name=screen.by_name))
    if screen.shows == Screen.Shows.STANDINGS:
        return list(standings_parts(access.competition, division=screen.division_id))
    if screen.shows == Screen.Shows.CLOCK:
        return [_clocks(access, screen)]
    if screen.shows == Screen.Shows.STREAM:
        return stream_parts(access, screen)
    if screen.shows == Screen.Shows.TABLES:
        rounds = screen_rounds(live_rounds(access), screen)
        return [
            {"round": round_.round, "tables": round_.tables[at : at + TABLES_A_SCREEN]}
            for round_ in (hall_rounds(access.competition, rounds) if rounds else ())
            for at in range(0, len(round_.tables), TABLES_A_SCREEN)
        ]
    return []


def _clocks(access: Access, screen: Screen) -> list[tuple[Round, Any]]:
    """Return (round, clock) of the open rounds that visitors see."""
    opened = screen_rounds(rounds_on(access), screen)
    visible_rounds = [
        round_ for round_ in opened if round_.visibility != Round.Visibility.HIDDEN and has_clock(round_)
    ]
    going = [round_ for round_ in visible_rounds if round_.clock_started_at] or visible_rounds
    return [
        (round_, round_clock(round_, sees_results=round_.visibility == Round.Visibility.RESULTS))
        for round_ in going
    ]


def _why_empty(access: Access, screen: Screen) -> str:
    """Return why a screen of clocks or of tables has nothing to show."""
    if screen.shows == Screen.Shows.TABLES and not access.competition.shows_hands:
        return _("Points during play are not shown. An organizer can show them in Settings.")
    opened = screen_rounds(rounds_on(access), screen)
    visible_rounds = [round_ for round_ in opened if round_.visibility != Round.Visibility.HIDDEN]
    if not visible_rounds:
        return _("No round is being played.")
    if screen.shows == Screen.Shows.TABLES:
        return _("The results of this round are not published, so its points are not shown.")
    return _(
        "The rules of this round have no time limit. Start a clock with minutes on the page of the round."
    )


def _ceremony_parts(ceremony: Ceremony) -> list[dict[str, Any]]:
    """Return the parts of what was revealed: the last step in large letters, above the steps before it. A
    long step has several parts.
    """
    steps = ceremony_steps(ceremony.stage, places=ceremony.places)
    revealed_steps = steps[: ceremony.revealed]
    if not revealed_steps:
        return [{"newest": [], "later": [], "rows": []}]
    newest = revealed_steps[-1]
    if len(newest) > LATER:
        return [{"rows": rows} for rows in rows_a_screen(newest)]
    later = [line for step in reversed(revealed_steps[:-1]) for line in step][:LATER]
    return [{"newest": newest, "later": later, "is_first": len(revealed_steps) == len(steps)}]


# --- on the organizer's phone


@writes(Can.ORGANIZE)
def screens(request: HttpRequest, access: Access) -> HttpResponse:
    """List the screens with their buttons. A POST adds one."""
    form = NewScreenForm(posted(request))
    return save(
        request,
        form,
        lambda sent: add_screen(
            competition=access.competition, name=form.cleaned_data["name"], by=access.by, form=sent
        ),
        about=("screen",),
        done=_("Screen added. Open its address on the screen."),
        then=access.address("hall:screens"),
    ) or _screens_page(request, access, new=form)


def _screens_page(
    request: HttpRequest,
    access: Access,
    *,
    new: NewScreenForm | None = None,
    refused: ScreenForm | None = None,
) -> HttpResponse:
    screens_here = access.competition.screens.select_related("division")
    forms = [
        refused if refused and refused.screen.pk == screen.pk else ScreenForm(screen=screen)
        for screen in screens_here
    ]
    return page(
        request,
        access,
        "hall/screens.html",
        screens=[
            (form, request.build_absolute_uri(access.address("hall:screen", form.screen.slug)))
            for form in forms
        ],
        codes_key=screen_key(access.competition),
        choices=Screen.Shows,
        form=new or NewScreenForm(),
        ceremony=ceremony_of(access.competition),
    )


@takes(Can.ORGANIZE, shown_on=lambda access, screen: access.address("hall:screens"))
def screen_settings(request: HttpRequest, access: Access, screen: str) -> HttpResponse:
    wall = _screen(access, screen)
    form = ScreenForm(request.POST, screen=wall)
    return save(
        request,
        form,
        lambda sent: set_screen(screen=wall, values=form.values(), by=access.by, form=sent),
        about=("screen", wall.pk),
        done=_("Settings saved."),
        then=access.address("hall:screens"),
    ) or _screens_page(request, access, refused=form)


@takes(Can.ORGANIZE)
def screen_shows(request: HttpRequest, access: Access, screen: str) -> HttpResponse:
    wall, form = _screen(access, screen), ShowsForm(request.POST)
    return press(
        request,
        lambda sent: set_screen(screen=wall, values=form.values(), by=access.by, form=sent),
        about=("screen", wall.pk),
        done=lambda _answer: (
            _("%(screen)s: %(shows)s.")
            % {"screen": wall.name, "shows": Screen.Shows(form.cleaned_data["shows"]).label}
        ),
        back=access.address("hall:screens"),
        form=form,
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Screen deleted."), gone="hall:screens")
def screen_remove(request: HttpRequest, access: Access, screen: str) -> Asked:
    write = partial(remove_screen, screen=_screen(access, screen))
    return Asked(write, then=access.address("hall:screens"))


# --- the ceremony


@saves(Can.ORGANIZE, "hall/ceremony.html")
def ceremony(request: HttpRequest, access: Access) -> Asked:
    """Show the next step with its button, or the form that starts the ceremony."""
    stages = [choice.stage for choice in stages_of(access.competition, public=False) if choice.has_results]
    newest = {stage.division_id: stage for stage in stages}
    offered = Stage.objects.filter(pk__in=[stage.pk for stage in stages]).select_related("division")
    return Asked(
        start_ceremony,
        CeremonyForm(posted(request), stages=offered, initial={"stage": next(iter(newest.values()), None)}),
        then=access.address("hall:ceremony"),
        stages=stages,
        **_going_context(ceremony_of(access.competition)),
    )


def _going_context(going: Ceremony | None) -> dict[str, Any]:
    if going is None:
        return {"ceremony": None}
    steps = ceremony_steps(going.stage, places=going.places)
    return {
        "ceremony": going,
        "steps": len(steps),
        "next": steps[going.revealed] if going.revealed < len(steps) else [],
        "last": steps[min(going.revealed, len(steps)) - 1] if going.revealed and steps else [],
        "hidden": hidden_results(going.stage),
        "most": LATER,
    }


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("hall:ceremony"))
def ceremony_reveal(request: HttpRequest, access: Access) -> HttpResponse:
    """Reveal the next place, or with `back` hide the last one again."""
    going, back = ceremony_of(access.competition), "back" in request.POST
    if going is None:
        return redirect(access.address("hall:ceremony"))
    number = number_in(request.POST, "seen")
    seen = -1 if number is None else number
    return press(
        request,
        lambda sent: reveal(ceremony=going, seen=seen, back=back, by=access.by, form=sent),
        about=("ceremony", going.pk, seen, back),
        done="",
        back=access.address("hall:ceremony"),
    )


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("hall:ceremony"))
def ceremony_end(request: HttpRequest, access: Access) -> HttpResponse:
    going = ceremony_of(access.competition)
    if going is None:
        return redirect(access.address("hall:screens"))
    return press(
        request,
        lambda sent: end_ceremony(ceremony=going, by=access.by, form=sent),
        about=("end",),
        done=_("The ceremony is over. Screens show what they showed before."),
        back=access.address("hall:screens"),
    )
