"""The place of a penalty (a table, or a stage away from the tables), and the page that asks for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from league.core.access import Access, plays_at
from league.core.pages import number_in, page
from league.core.rounds import rules_at, seats_with_players
from league.core.search import sort_key
from league.models import Dispute, Entrant, Round, Stage, Table
from league.open_play.queries import to_be_played
from league.penalties.forms import OffenceForm, PenaltyForm
from league.penalties.queries.referee import hand_of_act, players_at
from league.penalties.words import hand_choices, where_words
from league.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from league.people.queries import players_of
from players.models import Player

NEWEST_TABLES = 8  # tables of a player that are offered besides the newest


@dataclass(frozen=True)
class PenaltyPlace:
    """A place and the players who can be named there. ``query`` is the place in an address."""

    access: Access
    stage: Stage
    table: Table | None
    players: tuple[Player, ...]  # the four by wind at a table, else the one asked for
    chosen_player: Player | None
    entrants: dict[int, int]  # player → the number in page addresses
    query: str
    elsewhere: tuple[tuple[str, str], ...] = ()  # address and words of the other places of the player
    dispute: Dispute | None = None
    mine: bool = False

    @property
    def words(self) -> str:
        return where_words(self.stage, self.table.round if self.table else None, self.table)

    @property
    def is_open(self) -> bool:
        return not (self.closed or self.mine)

    @property
    def closed(self) -> bool:
        """Only a ruling logs a penalty in a closed round."""
        table = self.table
        return table is not None and self.dispute is None and table.round.status == Round.Status.CLOSED

    @property
    def hand(self) -> str:
        return hand_of_act(self.table, self.dispute)

    @property
    def deals(self) -> list[tuple[str, str]]:
        return hand_choices(rules_at(self.table)) if self.table else []

    @cached_property
    def rules(self) -> PenaltyRules:
        return penalty_rules_of(self.stage.division.rule_set)

    def offence_form(self, typed: QueryDict | None = None) -> OffenceForm:
        players = [(player.pk, player.name) for player in self.players]
        return OffenceForm(typed, players=players, rules=self.rules, deals=self.deals)

    def penalty_form(self, typed: QueryDict | None = None, player: Player | None = None) -> PenaltyForm:
        """The form of what the penalty rules do not know. Where they know no offence at all, of a chombo."""
        return PenaltyForm(
            typed,
            players=[(each.pk, each.name) for each in self.players],
            rules=self.rules,
            chombo=None if self.rules.catalogue else self.stage.division.rules.chombo.score,
            initial={"player": player.pk if player else None},
        )

    def player_named(self, number: object) -> Player | None:
        return next((each for each in self.players if str(each.pk) == str(number)), None)

    def parameters(self, player: Player | None) -> list[tuple[str, str]]:
        named = QueryDict(self.query, mutable=True)
        if player is not None:
            named["player"] = str(self.entrants.get(player.pk, ""))
        return [(name, str(named[name])) for name in named]

    def address(self, player: Player | None = None, offence: str = "") -> str:
        """Return the address of a step, with the player and the offence that were tapped so far."""
        address = f"{self.access.address('penalties:new')}?{self.query}"
        query = QueryDict(mutable=True)
        if player is not None and self.table is not None:
            query["player"] = str(self.entrants.get(player.pk, ""))
        if offence:
            query["offence"] = offence
        return f"{address}&{query.urlencode()}" if query else address


def place_of(access: Access, query: QueryDict) -> PenaltyPlace | None:
    """Return the place in the address, or None if it names none. Raise ``Http404`` for unknown ids."""
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


def _at_table(access: Access, table: Table, entrant: Entrant | None, number: int | None) -> PenaltyPlace:
    players = tuple(players_at(table))
    entered = Entrant.objects.filter(competition=access.competition, player__in=[p.pk for p in players])
    dispute = access.dispute(number) if number else None
    if dispute is not None and dispute.table_id != table.pk:
        raise Http404
    return PenaltyPlace(
        access=access,
        stage=table.round.stage,
        table=table,
        players=players,
        chosen_player=next((p for p in players if entrant and p.pk == entrant.player_id), None),
        entrants=dict(entered.values_list("player_id", "pk")),
        query=f"table={table.pk}" + (f"&dispute={dispute.pk}" if dispute else ""),
        elsewhere=tuple(_elsewhere(access, entrant, here=table)) if entrant else (),
        dispute=dispute,
        mine=plays_at(access.by.pk, table),
    )


def _away_from_tables(access: Access, stage: Stage, entrant: Entrant) -> PenaltyPlace:
    return PenaltyPlace(
        access=access,
        stage=stage,
        table=None,
        players=(entrant.player,),
        chosen_player=entrant.player,
        entrants={entrant.player_id: entrant.pk},
        query=f"player={entrant.pk}&stage={stage.pk}",
        elsewhere=tuple(_elsewhere(access, entrant, here=stage)),
    )


def _elsewhere(access: Access, entrant: Entrant, *, here: models.Model) -> Iterator[tuple[str, str]]:
    address = f"{access.address('penalties:new')}?player={entrant.pk}"
    for table in _tables_of(access, entrant)[:NEWEST_TABLES]:
        if table != here:
            yield f"{address}&table={table.pk}", where_words(table.round.stage, table.round, table)
    for stage in access.stages():
        if stage != here:
            words = _("%(stage)s, no table") % {"stage": where_words(stage)}
            yield f"{address}&stage={stage.pk}", words


def _tables_of(access: Access, entrant: Entrant) -> list[Table]:
    tables = Table.objects.filter(round__in=access.rounds().values("pk"), seats__player=entrant.player_id)
    tables = tables.select_related("round__stage__division__rule_set", "round__stage__division__competition")
    return list(tables.order_by("-round_id"))


def choose_place(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask for a table or a player. Offer the newest open round, or else the newest one."""
    rounds = list(to_be_played(access.rounds()).order_by("-pk"))
    asked = number_in(request.GET, "round")
    opened = [r for r in rounds if r.status == Round.Status.OPEN]
    chosen_round = next((r for r in rounds if r.pk == asked), None) or next(iter(opened or rounds), None)
    return page(
        request,
        access,
        "penalties/where.html",
        rounds=[(r, where_words(r.stage, r)) for r in rounds],
        chosen=chosen_round,
        tables=chosen_round.tables.prefetch_related(seats_with_players()) if chosen_round else (),
        players=sorted(players_of(access.competition).values(), key=lambda info: sort_key(info.name)),
    )
