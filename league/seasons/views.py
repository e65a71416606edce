"""The organizer's work on a season: how many hanchan count, who goes up and down, play-offs, the next one."""

import secrets
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.core import pages
from league.core.access import Access, Can, enter, visible_competitions
from league.core.errors import AlreadyDone, Refused
from league.core.forms import attempt
from league.core.pages import SEEDS, SignedIn, sent
from league.models import Competition, Division
from league.seasons.forms import MakeSeasonForm, MovementForm, PlayOffForm, SeasonForm
from league.seasons.queries import PlayOffEnd, SeasonEnd, season_end
from league.seasons.services import (
    NextSeason,
    make_next_season,
    make_play_off,
    refuse_end,
    refuse_next_season,
    set_movement,
)
from league.stages.panels import drawing
from scoring.promotion import STAYS


@require_http_methods(["GET", "HEAD", "POST"])
def division_movement(request: SignedIn, slug: str, division: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    every = list(Division.objects.filter(competition=access.competition))
    index = every.index(found)
    highest, lowest = index == 0, index + 1 == len(every)
    form = MovementForm(sent(request), division=found, highest=highest, lowest=lowest)
    if request.method == "POST" and form.is_valid():
        done = attempt(
            form,
            lambda: set_movement(
                division=found, movement=form.movement(), by=request.user, form=form.submission(found.pk)
            ),
        )
        if done:
            messages.success(request, _("Saved: who goes up and down in %(name)s.") % {"name": found.name})
            return redirect("competitions:manage", slug)
    page = {
        "form": form,
        "division": found,
        "highest": highest,
        "lowest": lowest,
        "above": None if highest else every[index - 1],
        "below": None if lowest else every[index + 1],
    }
    return render(request, "seasons/movement.html", pages.context(access) | page)


# --- the end of a season


@require_http_methods(["GET", "HEAD", "POST"])
def season(request: SignedIn, slug: str) -> HttpResponse:
    """Look at the end of the season, as it is asked for in the address; and make the next one from it."""
    access = enter(request.user, slug, Can.ORGANIZE)
    plain = season_end(access.competition)
    form = SeasonForm(
        request.GET if "name" in request.GET else None,
        competition=access.competition,
        players=[
            line.info for each in plain.divisions for line in each.lines if line.move.why != "withdrawn"
        ],
        divisions=[each.division for each in plain.divisions],
    )
    asked = form.is_bound and form.is_valid()
    by_hand = form.by_hand() if asked else {}
    end = season_end(access.competition, by_hand) if by_hand else plain
    make = MakeSeasonForm(request.POST if request.method == "POST" else None)
    if asked and make.is_bound and make.is_valid():
        made = _make(request, access, form, make, by_hand)
        if made is not None:
            messages.success(request, _("%(name)s is there.") % {"name": made.name})
            return redirect("competitions:manage", made.slug)
    return render(request, "seasons/end.html", pages.context(access) | _page(request, end, form, make, asked))


def _make(
    request: SignedIn, access: Access, form: SeasonForm, make: MakeSeasonForm, by_hand: dict[int, int | None]
) -> Competition | None:
    """The season that this form makes, or made when it came before; None when it was refused."""
    typed = form.cleaned_data
    try:
        return make_next_season(
            competition=access.competition,
            wanted=NextSeason(
                name=typed["name"],
                slug=typed["slug"],
                by_hand=by_hand,
                reason=typed["reason"],
                keep_roles=typed["keep_roles"],
            ),
            seen=make.cleaned_data["seen"],
            by=access.by,
            form=make.submission(access.competition.pk, {name: str(value) for name, value in typed.items()}),
        )
    except AlreadyDone as done:
        return Competition.objects.filter(pk=int(str(done.answer["competition"]))).first()
    except Refused as refusal:
        make.add_error(None, str(refusal))
        return None


@dataclass(frozen=True, slots=True)
class _PlayOffView:
    """A play-off, and the form that makes its stage where there is none yet."""

    end: PlayOffEnd
    form: PlayOffForm | None


def _page(
    request: SignedIn, end: SeasonEnd, form: SeasonForm, make: MakeSeasonForm, asked: bool
) -> dict[str, object]:
    why_not = _refusal(end, request)
    seen = {"seen": end.fingerprint}
    return {
        "end": end,
        "form": form,
        "make": make,
        "asked": asked,
        "why_not": why_not,
        "fresh": MakeSeasonForm(initial=seen),
        "draws": [] if end.unfinished else [(stage, [drawing(players)]) for stage, players in end.open],
        "play_offs": [_play_off_view(each, end) for each in end.play_offs],
        "moving": any(line.move.kind != STAYS for each in end.divisions for line in each.lines),
        "earlier": visible_competitions(request.user).filter(pk=end.competition.previous_id or 0).first(),
        "later": visible_competitions(request.user).filter(previous=end.competition),
        "ranks_count": "previous_rank" in end.competition.tie_breaks,
    }


def _refusal(end: SeasonEnd, request: SignedIn) -> str:
    """Why the next season cannot be made yet, and what to do; empty if it can."""
    try:
        refuse_next_season(end, request.user)
    except Refused as refusal:
        return str(refusal)
    return ""


def _play_off_view(each: PlayOffEnd, end: SeasonEnd) -> _PlayOffView:
    try:
        refuse_end(end)
    except Refused:
        return _PlayOffView(each, None)
    if each.stage is not None:
        return _PlayOffView(each, None)
    initial = {"seen": end.fingerprint, "hanchan": 4 if len(each.players) % 4 == 0 else 2}
    return _PlayOffView(each, PlayOffForm(initial=initial))


@require_POST
def season_play_off(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Make the play-off under a division, as the page of the season showed it."""
    access = enter(request.user, slug, Can.ORGANIZE)
    upper = access.division(division)
    form = PlayOffForm(request.POST)
    if not form.is_valid():
        named = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, named)
    elif attempt(
        form,
        lambda: make_play_off(
            upper=upper,
            name=form.cleaned_data["name"],
            hanchan=form.cleaned_data["hanchan"],
            seen=form.cleaned_data["seen"],
            seed=secrets.randbelow(SEEDS),
            by=request.user,
            form=form.submission(upper.pk),
        ),
    ):
        messages.success(request, _("%(name)s is there.") % {"name": form.cleaned_data["name"]})
        return redirect("competitions:manage", slug)
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())))
    return HttpResponseRedirect(reverse("seasons:end", args=[slug]))
