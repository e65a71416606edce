"""Serious cases, for organizers: who left, what becomes of their seats, bans and their end."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.bans.forms import BanForm, LeaveForm, LiftForm, SeatsForm
from league.bans.queries import bans_of, day_of, departures, expelled_by, open_seats
from league.bans.services import lift_ban, set_ban
from league.core.access import Access, Can, enter
from league.core.forms import KeyedForm, attempt
from league.core.pages import number_in
from league.models import Ban, Entrant, Penalty
from league.penalties.queries.records import bans_of_player
from league.penalties.words.penalties import Books, Line
from league.people.queries import info_of
from league.substitutions.services.departures import decide_seats, forfeit_player

UNPROCESSABLE = 422
BANS_SHOWN = 200


@dataclass(frozen=True)
class Gone:
    """Somebody who left: the penalty in words (None without one), and how many seats wait for a decision."""

    entrant: Entrant
    line: Line | None
    seats: int


@never_cache
@require_safe
def bans(request: HttpRequest, slug: str) -> HttpResponse:
    """Who left this competition, and who is banned from the league's."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = departures(access.competition)
    books = Books(each.penalty.stage.division.rule_set for each in found if each.penalty)
    gone = [
        Gone(each.entrant, books.line(each.penalty, None) if each.penalty else None, each.seats)
        for each in found
    ]
    entered = Entrant.objects.filter(competition=access.competition).select_related("player")
    context = {
        "access": access,
        "competition": access.competition,
        "gone": gone,
        "bans": bans_of(access.competition.league)[:BANS_SHOWN],
        "entrants": sorted(entered, key=lambda entrant: (entrant.player.name, entrant.pk)),
    }
    return render(request, "bans/index.html", context)


@require_safe
def departure_of(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the list's choice of a player leads: to that player's page."""
    access = enter(request.user, slug, Can.ORGANIZE)
    number = number_in(request.GET, "player")
    if number is None:
        return redirect("bans:index", slug)
    return redirect("bans:departure", slug, access.entrant(number).pk)


# --- one player


@dataclass
class Case:
    """One player's page: what was decided, and the forms for what is still to be decided. ``sent``: what came
    with the request, for the form that it names.
    """

    access: Access
    entrant: Entrant
    sent: QueryDict

    def __post_init__(self) -> None:
        competition = self.access.competition
        self.penalty: Penalty | None = expelled_by(competition, self.entrant.player_id)
        self.seats = open_seats(self.entrant.player_id, competition) if self.entrant.withdrawn_at else []
        why = _("expelled") if self.penalty else ""
        self.name = self.sent.get("do", "")
        own = {self.name: self.sent}
        self.forms: dict[str, KeyedForm] = {
            "leave": LeaveForm(own.get("leave")),
            "seats": SeatsForm(own.get("seats"), seats=self.seats, competition=competition, reason=why),
            "ban": BanForm(own.get("ban"), today=day_of(competition), reason=self._reason()),
        }

    def _reason(self) -> str:
        """What a ban is proposed for: the offence that expelled the player."""
        line = self.line
        return (line.offence or line.penalty.reason) if line else ""

    @property
    def line(self) -> Line | None:
        if self.penalty is None:
            return None
        return Books([self.penalty.stage.division.rule_set]).line(self.penalty, None)

    def write(self, form: KeyedForm) -> object:
        by, sent = self.access.by, form.submission(self.name, self.entrant.pk)
        data = form.cleaned_data
        if isinstance(form, LeaveForm):
            return forfeit_player(entrant=self.entrant, reason=data["reason"], by=by, form=sent)
        if isinstance(form, SeatsForm):
            return decide_seats(
                entrant=self.entrant,
                choices=form.choices,
                reason=data["reason"],
                score=data["score"],
                by=by,
                form=sent,
            )
        return set_ban(
            competition=self.access.competition,
            player_id=self.entrant.player_id,
            since=data["since"],
            until=data["until"],
            reason=data["reason"],
            penalty=self.penalty,
            by=by,
            form=sent,
        )

    def said(self, form: KeyedForm) -> str:
        words = {"name": self.entrant.player.name}
        if isinstance(form, LeaveForm):
            return _("%(name)s has left the competition.") % words
        if isinstance(form, SeatsForm):
            count = len(form.choices)
            return ngettext("%(count)s seat is decided.", "%(count)s seats are decided.", count) % {
                "count": count
            }
        return _("%(name)s is banned from the competitions of the league.") % words


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def departure(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player leaves; what becomes of their seats; a ban. Each has its own form on the page."""
    access = enter(request.user, slug, Can.ORGANIZE)
    case, status = Case(access, access.entrant(pk), request.POST), 200
    if form := case.forms.get(case.name):
        if form.is_valid() and attempt(form, lambda: case.write(form)):
            messages.success(request, case.said(form))
            return redirect("bans:departure", slug, pk)
        status = UNPROCESSABLE
    context = {
        "access": access,
        "competition": access.competition,
        "entrant": case.entrant,
        "info": info_of(case.entrant),
        "line": case.line,
        "penalty": case.penalty,
        "seats": case.seats,
        "forms": case.forms,
        "bans": bans_of_player(case.entrant.player, access.competition.league),
    }
    return render(request, "bans/departure.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ban_lift(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = Ban.objects.select_related("player", "created_by", "lifted_by")
    ban = get_object_or_404(found, league=access.competition.league_id, pk=pk)
    form = LiftForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and attempt(form, lambda: _lift(access, ban, form)):
        messages.success(request, _("The ban is lifted. It stays on record."))
        return redirect("bans:index", slug)
    context = {"access": access, "competition": access.competition, "ban": ban, "form": form}
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "bans/lift.html", context, status=status)


def _lift(access: Access, ban: Ban, form: LiftForm) -> Ban:
    return lift_ban(
        ban=ban,
        competition=access.competition,
        reason=form.cleaned_data["reason"],
        by=access.by,
        form=form.submission(ban.pk),
    )
