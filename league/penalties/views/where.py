"""Where a penalty is logged: at a table, or in a stage away from any table; and how an address names it."""

from dataclasses import dataclass
from functools import cached_property

from django.db import models
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from league.core.access import Access, plays_at
from league.core.pages import number_in
from league.core.rounds import hand_at, rules_at
from league.models import Dispute, Entrant, Round, Stage, Table
from league.penalties.queries.desk import seated
from league.penalties.words.hands import hand_choices
from league.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from players.models import Player

NEWEST_TABLES = 8  # tables of a player that are offered besides the newest


@dataclass(frozen=True)
class Place:
    """Who may be named there, and what is known of it. ``query`` is the place in an address; ``mine``: the
    person who asks plays at the table; ``dispute``: the penalty belongs to its ruling.
    """

    access: Access
    stage: Stage
    table: Table | None
    players: tuple[Player, ...]  # the four by wind at a table, else the one asked for
    chosen: Player | None
    entrants: dict[int, int]  # player → the number in page addresses
    query: str
    elsewhere: tuple[tuple[str, str], ...] = ()  # address and words of the other places of the player
    dispute: Dispute | None = None
    mine: bool = False

    @property
    def words(self) -> str:
        return where(self.stage, self.table.round if self.table else None, self.table)

    @property
    def is_open(self) -> bool:
        """May whoever asks log something here?"""
        return not (self.closed or self.mine)

    @property
    def closed(self) -> bool:
        """Only a ruling logs a penalty in a closed round."""
        table = self.table
        return table is not None and self.dispute is None and table.round.status == Round.Status.CLOSED

    @property
    def hand(self) -> str:
        return hand_at(self.table) if self.table else ""

    @property
    def deals(self) -> list[tuple[str, str]]:
        """The hands of the game without honba: "S4", "South 4". None away from the tables."""
        return hand_choices(rules_at(self.table)) if self.table else []

    @cached_property
    def book(self) -> PenaltyRules:
        return penalty_rules_of(self.stage.division.rule_set)

    def named(self, player: object) -> Player | None:
        """The player of this number, if they may be named here."""
        return next((each for each in self.players if str(each.pk) == str(player)), None)

    def parameters(self, player: Player | None) -> list[tuple[str, str]]:
        """The place, and who was tapped, as the hidden fields of a form that asks."""
        named = QueryDict(self.query, mutable=True)
        if player is not None:
            named["player"] = str(self.entrants.get(player.pk, ""))
        return [(name, str(named[name])) for name in named]

    def address(self, player: Player | None = None, offence: str = "") -> str:
        """Of this step, for those without script: who and what were tapped so far."""
        address = f"{reverse('penalties:new', args=[self.access.competition.slug])}?{self.query}"
        query = QueryDict(mutable=True)
        if player is not None and self.table is not None:
            query["player"] = str(self.entrants.get(player.pk, ""))
        if offence:
            query["offence"] = offence
        return f"{address}&{query.urlencode()}" if query else address


def place_of(access: Access, query: QueryDict) -> Place | None:
    """The place that the address names; None when it names none. ``Http404`` for what is not there."""
    entrant = access.entrant(number) if (number := number_in(query, "player")) is not None else None
    if (number := number_in(query, "table")) is not None:
        return _at_table(access, access.table(number), entrant, number_in(query, "dispute"))
    if entrant is None:
        return None
    if (number := number_in(query, "stage")) is not None:
        stage = access.stages().filter(pk=number).first()
        if stage is None:
            raise Http404
        return _away_from_tables(access, stage, entrant)
    tables = _tables_of(access, entrant)
    if tables:
        newest = next((t for t in tables if t.round.status == Round.Status.OPEN), tables[0])
        return _at_table(access, newest, entrant, None)
    stages = sorted(access.stages(), key=lambda stage: stage.division_id != entrant.division_id)
    return _away_from_tables(access, stages[0], entrant) if stages else None


def _at_table(access: Access, table: Table, entrant: Entrant | None, dispute: int | None) -> Place:
    players = tuple(seated(table))
    entered = Entrant.objects.filter(competition=access.competition, player__in=[p.pk for p in players])
    matter = _dispute(access, table, dispute) if dispute else None
    return Place(
        access=access,
        stage=table.round.stage,
        table=table,
        players=players,
        chosen=next((p for p in players if entrant and p.pk == entrant.player_id), None),
        entrants=dict(entered.values_list("player_id", "pk")),
        query=f"table={table.pk}" + (f"&dispute={matter.pk}" if matter else ""),
        elsewhere=_elsewhere(access, entrant, here=table) if entrant else (),
        dispute=matter,
        mine=plays_at(access.by.pk, table),
    )


def _dispute(access: Access, table: Table, pk: int) -> Dispute:
    dispute = access.dispute(pk)
    if dispute.table_id != table.pk:
        raise Http404
    return dispute


def _away_from_tables(access: Access, stage: Stage, entrant: Entrant) -> Place:
    return Place(
        access=access,
        stage=stage,
        table=None,
        players=(entrant.player,),
        chosen=entrant.player,
        entrants={entrant.player_id: entrant.pk},
        query=f"player={entrant.pk}&stage={stage.pk}",
        elsewhere=_elsewhere(access, entrant, here=stage),
    )


def _elsewhere(access: Access, entrant: Entrant, *, here: Table | Stage) -> tuple[tuple[str, str], ...]:
    """The player's newest tables, then the stages for what happened away from any table; without ``here``."""
    address = reverse("penalties:new", args=[access.competition.slug])
    tables = _tables_of(access, entrant)[:NEWEST_TABLES]
    places: list[tuple[models.Model, str, str]] = [
        (t, "table", where(t.round.stage, t.round, t)) for t in tables
    ]
    places += [
        (s, "stage", _("%(stage)s, away from any table") % {"stage": where(s)}) for s in access.stages()
    ]
    return tuple(
        (f"{address}?player={entrant.pk}&{kind}={place.pk}", text)
        for place, kind, text in places
        if place != here
    )


def _tables_of(access: Access, entrant: Entrant) -> list[Table]:
    """The tables at which the player sits in this competition, newest first."""
    tables = Table.objects.filter(round__in=access.rounds().values("pk"), seats__player=entrant.player_id)
    tables = tables.select_related("round__stage__division__rule_set", "round__stage__division__competition")
    return list(tables.order_by("-round_id"))


def where(stage: Stage, round_: Round | None = None, table: Table | None = None) -> str:
    """ "Division A, Season, round 3, table 2", as far as it is known."""
    named: dict[str, object] = {"division": stage.division.name, "stage": stage.name}
    if round_ is None:
        return _("%(division)s, %(stage)s") % named
    named["round"] = round_.number
    if table is None:
        return _("%(division)s, %(stage)s, round %(round)s") % named
    named["table"] = table.number
    return _("%(division)s, %(stage)s, round %(round)s, table %(table)s") % named
