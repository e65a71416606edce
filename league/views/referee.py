"""Penalties: the list that everybody may read, and the page that revokes one."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Access, Can, enter
from league.forms.base import attempt
from league.forms.referee import RevokeForm
from league.models import Entrant, Penalty
from league.offences import book_of, level_name
from league.queries import PlayerInfo, counted_penalties, players_of, shown_penalties
from league.services.penalties import revoke_penalty
from league.views.caching import PAGES, competition_page
from league.views.rounds import sent

A_PAGE = 50


# --- the list


@dataclass(frozen=True)
class Line:
    """A penalty as a page shows it."""

    penalty: Penalty
    player: PlayerInfo | None
    offence: str
    condition: str
    level: str


@competition_page(page=PAGES)
def penalties(request: HttpRequest, access: Access) -> HttpResponse:
    shown = shown_penalties(
        Penalty.objects.filter(competition=access.competition), public=not access.is_staff
    )
    people = players_of(access.competition)
    filters = _filters(shown, people)
    found = _filtered(shown, request.GET)
    counted = counted_penalties(found, public=not access.is_staff).aggregate(
        sum=Sum("score"), count=Count("pk")
    )
    page = Paginator(_with_facts(found), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "competition": access.competition,
        "page": page,
        "lines": [line(penalty, people) for penalty in page],
        "counted": counted,
        "filters": filters,
        "chosen": {name: request.GET.get(name, "") for name in ("player", "round")},
    }
    return render(request, "referee/penalties.html", context)


def line(penalty: Penalty, people: dict[int, PlayerInfo]) -> Line:
    """A penalty in the reader's language."""
    book = book_of(penalty.stage.division.rule_set)
    return Line(
        penalty=penalty,
        player=people.get(penalty.player_id),
        offence=book.offence(penalty.infraction),
        condition=book.condition(penalty.infraction, penalty.level),
        level=level_name(penalty.level),
    )


def _with_facts(found: QuerySet[Penalty]) -> QuerySet[Penalty]:
    return found.select_related("stage__division__rule_set", "round", "table", "logged_by", "revoked_by")


def _filtered(found: QuerySet[Penalty], query: QueryDict) -> QuerySet[Penalty]:
    """By player (entrant's number) and round; what is no number narrows nothing."""
    if (entrant := _number(query, "player")) is not None:
        players = Entrant.objects.filter(pk=entrant).values("player_id")
        found = found.filter(player__in=players)
    if (round_ := _number(query, "round")) is not None:
        found = found.filter(round=round_)
    return found


def _filters(shown: QuerySet[Penalty], people: dict[int, PlayerInfo]) -> dict[str, list[tuple[str, str]]]:
    """What the list can be narrowed to: the players and rounds that it names, with the words for them."""
    fields = ("player_id", "round_id", "round__number", "stage__name", "stage__division__name")
    named = list(shown.order_by("round__number").values_list(*fields).distinct())
    rounds = {
        str(pk): _("%(division)s, %(stage)s, round %(round)s")
        % {"division": division, "stage": stage, "round": number}
        for _player, pk, number, stage, division in named
        if pk is not None
    }
    players = {row[0]: people[row[0]] for row in named if row[0] in people}
    by_name = sorted((info.name, str(info.entrant)) for info in players.values())
    return {"players": [(entrant, name) for name, entrant in by_name], "rounds": list(rounds.items())}


# --- revoking


@require_http_methods(["GET", "POST"])
def penalty_revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    access = enter(request.user, slug, Can.REFEREE)
    penalty = access.penalty(pk)
    form = RevokeForm(sent(request))
    if request.method == "POST" and form.is_valid() and attempt(form, lambda: _revoke(access, penalty, form)):
        messages.success(request, _("The penalty is revoked. It stays on record and counts no more."))
        return redirect("penalties", access.competition.slug)
    found = _with_facts(Penalty.objects.filter(pk=penalty.pk)).get()
    context = {
        "access": access,
        "competition": access.competition,
        "line": line(found, players_of(access.competition)),
        "form": form,
    }
    return render(request, "referee/penalty_revoke.html", context)


def _revoke(access: Access, penalty: Penalty, form: RevokeForm) -> Penalty:
    reason = form.cleaned_data["reason"]
    return revoke_penalty(penalty=penalty, reason=reason, by=access.by, form=form.submission(penalty.pk))


def _number(query: QueryDict, name: str) -> int | None:
    """The number under this name in the address; None if there is none, or something else is there."""
    typed = query.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else None


urlpatterns = [
    path("c/<slug:slug>/penalties/", penalties, name="penalties"),
    path("c/<slug:slug>/penalties/<int:pk>/revoke/", penalty_revoke, name="penalty_revoke"),
]
