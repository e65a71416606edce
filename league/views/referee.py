"""Penalties: the list that everybody may read, and the referee's pages that log and revoke them."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.access import Access, Can, enter
from league.forms.base import attempt
from league.forms.referee import PenaltyForm, RevokeForm
from league.models import Entrant, Penalty, Round, Seat, Stage, Table
from league.offences import book_of, level_name
from league.queries import PlayerInfo, counted_penalties, players_of, shown_penalties
from league.services.penalties import log_penalty, revoke_penalty
from league.templatetags.umaoka import score
from league.views.caching import PAGES, competition_page
from league.views.rounds import sent
from players.models import Player

A_PAGE = 50
NEWEST = 8  # tables of a player that are offered besides the newest


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


# --- logging


@dataclass(frozen=True)
class Place:
    """Where a penalty is logged: at a table, or in a stage away from any table. Who may be named there."""

    stage: Stage
    table: Table | None
    players: tuple[Player, ...]  # the four by wind at a table, else the one asked for
    chosen: Player | None
    elsewhere: tuple[tuple[str, str], ...] = ()  # address and words of the other places of the player

    @property
    def words(self) -> str:
        return _where(self.stage, self.table.round if self.table else None, self.table)

    def seats(self, chosen: object) -> list[tuple[int | None, Player, bool]]:
        """(wind, player, is chosen) by wind; no wind away from a table."""
        return [
            (wind if self.table else None, player, str(player.pk) == str(chosen))
            for wind, player in enumerate(self.players)
        ]


@require_http_methods(["GET", "POST"])
def penalty_new(request: HttpRequest, slug: str) -> HttpResponseBase:
    access = enter(request.user, slug, Can.REFEREE)
    place = _place(access, request.GET)
    if place is None:
        return _choose_place(request, access)
    form = _penalty_form(request, place)
    if request.method == "POST" and form.is_valid() and attempt(form, lambda: _log(access, place, form)):
        named = next(p for p in place.players if p.pk == form.cleaned_data["player"])
        messages.success(
            request,
            _("Logged for %(player)s: %(score)s. It counts at once.")
            % {"player": named, "score": score(form.cleaned_data["score"])},
        )
        return redirect("penalties", access.competition.slug)
    context = {
        "access": access,
        "competition": access.competition,
        "place": place,
        "seats": place.seats(form["player"].value()),
        "form": form,
    }
    return render(request, "referee/penalty_new.html", context)


def _penalty_form(request: HttpRequest, place: Place) -> PenaltyForm:
    division = place.stage.division
    return PenaltyForm(
        sent(request),
        players=[(player.pk, player.name) for player in place.players],
        book=book_of(division.rule_set),
        rules=division.rules,
        initial={"player": place.chosen.pk if place.chosen else None},
    )


def _log(access: Access, place: Place, form: PenaltyForm) -> Penalty:
    data = form.cleaned_data
    return log_penalty(
        stage=place.stage,
        table=place.table,
        player_id=data["player"],
        infraction=data["infraction"],
        level=data["level"],
        score=data["score"],
        reason=data["reason"],
        by=access.by,
        form=form.submission(place.stage.pk, place.table.pk if place.table else None),
    )


def _place(access: Access, query: QueryDict) -> Place | None:
    """The place that the address names; None when it names none. ``Http404`` for what is not there."""
    entrant = access.entrant(number) if (number := _number(query, "player")) is not None else None
    if (number := _number(query, "table")) is not None:
        return _at_table(access, access.table(number), entrant)
    if entrant is None:
        return None
    if (number := _number(query, "stage")) is not None:
        stage = access.stages().filter(pk=number).first()
        if stage is None:
            raise Http404
        return _away_from_tables(access, stage, entrant)
    tables = _tables_of(access, entrant)
    if tables:
        newest = next((t for t in tables if t.round.status == Round.Status.OPEN), tables[0])
        return _at_table(access, newest, entrant)
    stages = sorted(access.stages(), key=lambda stage: stage.division_id != entrant.division_id)
    return _away_from_tables(access, stages[0], entrant) if stages else None


def _at_table(access: Access, table: Table, entrant: Entrant | None) -> Place:
    seats = Seat.objects.filter(table=table).select_related("player").order_by("wind")
    players = tuple(seat.player for seat in seats)
    chosen = next((p for p in players if entrant and p.pk == entrant.player_id), None)
    elsewhere = _elsewhere(access, entrant, here=table) if entrant else ()
    return Place(stage=table.round.stage, table=table, players=players, chosen=chosen, elsewhere=elsewhere)


def _away_from_tables(access: Access, stage: Stage, entrant: Entrant) -> Place:
    elsewhere = _elsewhere(access, entrant, here=stage)
    return Place(
        stage=stage, table=None, players=(entrant.player,), chosen=entrant.player, elsewhere=elsewhere
    )


def _elsewhere(access: Access, entrant: Entrant, *, here: Table | Stage) -> tuple[tuple[str, str], ...]:
    """The player's newest tables, then the stages for what happened away from any table; without ``here``."""
    address = reverse("penalty_new", args=[access.competition.slug])
    tables = _tables_of(access, entrant)[:NEWEST]
    places: list[tuple[Table | Stage, str, str]] = [
        (t, "table", _where(t.round.stage, t.round, t)) for t in tables
    ]
    places += [
        (s, "stage", _("%(stage)s, away from any table") % {"stage": _where(s)}) for s in access.stages()
    ]
    return tuple(
        (f"{address}?player={entrant.pk}&{kind}={place.pk}", words)
        for place, kind, words in places
        if place != here
    )


def _tables_of(access: Access, entrant: Entrant) -> list[Table]:
    """The tables at which the player sits in this competition, newest first."""
    tables = Table.objects.filter(round__in=access.rounds().values("pk"), seats__player=entrant.player_id)
    tables = tables.select_related("round__stage__division__rule_set", "round__stage__division__competition")
    return list(tables.order_by("-round_id"))


def _where(stage: Stage, round_: Round | None = None, table: Table | None = None) -> str:
    """ "Division A, Season, round 3, table 2", as far as it is known."""
    words: dict[str, object] = {"division": stage.division.name, "stage": stage.name}
    if round_ is None:
        return _("%(division)s, %(stage)s") % words
    words["round"] = round_.number
    if table is None:
        return _("%(division)s, %(stage)s, round %(round)s") % words
    words["table"] = table.number
    return _("%(division)s, %(stage)s, round %(round)s, table %(table)s") % words


def _choose_place(request: HttpRequest, access: Access) -> HttpResponse:
    """First the table or the player. The newest open round is offered, else the newest one."""
    rounds = list(access.rounds().order_by("-pk"))
    asked = _number(request.GET, "round")
    is_open = [r for r in rounds if r.status == Round.Status.OPEN]
    chosen = next((r for r in rounds if r.pk == asked), None) or next(iter(is_open or rounds), None)
    context = {
        "access": access,
        "competition": access.competition,
        "rounds": [(r, _where(r.stage, r)) for r in rounds],
        "chosen": chosen,
        "tables": chosen.tables.prefetch_related("seats__player") if chosen else (),
        "players": sorted(players_of(access.competition).values(), key=lambda info: info.name),
    }
    return render(request, "referee/penalty_where.html", context)


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
    path("c/<slug:slug>/penalties/new/", penalty_new, name="penalty_new"),
    path("c/<slug:slug>/penalties/<int:pk>/revoke/", penalty_revoke, name="penalty_revoke"),
]
