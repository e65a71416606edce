from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.forms import KeyedForm
from league.core.pages import Asked, number_in, page, posted, reads, save, saves, writes
from league.core.search import sort_key
from league.core.zones import day_of_play
from league.models import Ban, Entrant, Penalty
from league.people.members.queries import players_of
from league.play.bans import queries
from league.play.bans.services import lift_ban, set_ban
from league.play.hands.words.penalties import Wordings
from league.play.substitutions.services.departures import decide_seats, forfeit_player
from league.referees.desk.forms import BanForm, LeaveForm, LiftForm, OpenSeatsForm

BANS_SHOWN = 200


@reads(Can.ORGANIZE)
def bans(request: HttpRequest, access: Access) -> HttpResponse:
    departures = queries.departures(access.competition)
    wordings = Wordings()
    entered = Entrant.objects.filter(competition=access.competition).select_related("player")
    return page(
        request,
        access,
        "bans/index.html",
        departures=[(each, wordings.line(each.penalty) if each.penalty else None) for each in departures],
        bans=queries.bans_of(access.competition.league)[:BANS_SHOWN],
        entrants=sorted(entered, key=lambda entrant: (sort_key(entrant.player.name), entrant.pk)),
    )


@reads(Can.ORGANIZE)
def departure_of(request: HttpRequest, access: Access) -> HttpResponse:
    """Lead to the page of an entrant (``player``), or of a person who was penalized (``person``)."""
    number, person = number_in(request.GET, "player"), number_in(request.GET, "person")
    if number is not None:
        entrant = access.entrant(number)
    elif person is not None:
        entrant = get_object_or_404(Entrant, competition=access.competition, player=person)
    else:
        return redirect(access.address("bans:index"))
    return redirect(access.address("bans:departure", entrant.pk))


@writes(Can.ORGANIZE)
def departure(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Let a player leave, decide on their seats, or ban them. Each form names itself in ``do``."""
    entrant, competition = access.entrant(pk), access.competition
    penalty = queries.expelled_by(competition, entrant.player_id)
    line = Wordings().line(penalty) if penalty else None
    offence = (line.offence or line.penalty.reason) if line else ""
    seats = queries.open_seats(entrant.player_id, competition) if entrant.withdrawn_at else []
    do = request.POST.get("do", "")
    typed, why = {do: request.POST}, _("expelled") if penalty else ""
    forms: dict[str, KeyedForm] = {
        "leave": LeaveForm(typed.get("leave")),
        "seats": OpenSeatsForm(typed.get("seats"), seats=seats, competition=competition, reason=why),
        "ban": BanForm(typed.get("ban"), today=day_of_play(competition), reason=offence),
    }
    if do in forms and (answer := _save(request, access, entrant, penalty, do, forms[do])):
        return answer
    people = players_of(competition, {entrant.player_id, *(seat.stands_for_id or 0 for seat in seats)})
    return page(
        request,
        access,
        "bans/departure.html",
        entrant=entrant,
        info=people[entrant.player_id],
        names={player: info.label for player, info in people.items()},
        line=line,
        penalty=penalty,
        seats=seats,
        forms=forms,
        bans=queries.bans_of_player(entrant.player, competition.league),
    )


def _save(
    request: HttpRequest, access: Access, entrant: Entrant, penalty: Penalty | None, do: str, form: KeyedForm
) -> HttpResponse | None:
    services: dict[str, Callable[..., object]] = {
        "leave": partial(forfeit_player, entrant=entrant),
        "seats": partial(decide_seats, entrant=entrant),
        "ban": partial(set_ban, competition=access.competition, player_id=entrant.player_id, penalty=penalty),
    }
    return save(
        request,
        form,
        lambda sent: services[do](by=access.by, form=sent, **form.values()),
        about=(do, entrant.pk),
        done=lambda _answer: _sentence(entrant, form),
        then=access.address("bans:departure", entrant.pk),
    )


def _sentence(entrant: Entrant, form: KeyedForm) -> str:
    if isinstance(form, OpenSeatsForm):
        count = len(form.choices)
        words = ngettext("Decision saved for %(count)s seat.", "Decisions saved for %(count)s seats.", count)
        return words % {"count": count}
    if isinstance(form, LeaveForm):
        return _("%(name)s withdrawn from the competition.") % {"name": entrant.player.name}
    return _("%(name)s banned from the league’s competitions.") % {"name": entrant.player.name}


@saves(Can.ORGANIZE, "bans/lift.html", done=gettext_lazy("Ban lifted. It is kept on record."))
def ban_lift(request: HttpRequest, access: Access, pk: int) -> Asked:
    with_people = Ban.objects.select_related("player", "created_by", "lifted_by")
    ban = get_object_or_404(with_people, league=access.competition.league_id, pk=pk)
    return Asked(
        partial(lift_ban, ban=ban, competition=access.competition),
        LiftForm(posted(request)),
        then=access.address("bans:index"),
        ban=ban,
    )
