"""The place of a penalty, which the address names, and the page that asks for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from league.core.access import Access
from league.core.pages import number_in, page
from league.core.rounds import seats_with_players, where_words
from league.core.search import sort_key
from league.models import Dispute, Entrant, Round, Stage, Table
from league.people.members.queries import players_of
from league.play.hands.words.names import hand_choices
from league.play.open_play.queries import to_be_played
from league.ranking.standings.queries.standings import unlisted_players
from league.referees.penalties.forms import OffenceForm, PenaltyForm, PlayerForm
from league.referees.penalties.queries.places import begun_rounds, stages_of_player, tables_in_play
from league.referees.penalties.queries.referee import hand_of_act, is_over, players_at
from league.referees.penalties.words import unlisted_words
from league.rules.penalty_rules.words.rulings import PenaltyRules, penalty_rules_of
from players.models import Player

KEPT = ("stage", "offence")  # parts of an address that stay while a player is chosen
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
    rounds: tuple[Round, ...] = ()  # away from the tables: those that the player has begun in the stage
    round: Round | None = None  # with whose publication a penalty counts unless the referee says otherwise

    @property
    def words(self) -> str:
        if self.table is None:
            return _("%(stage)s, no table") % {"stage": where_words(self.stage)}
        return where_words(self.stage, self.table.round, self.table)

    @property
    def is_open(self) -> bool:
        return not (self.closed or self.planned or self.mine)

    @property
    def closed(self) -> bool:
        """Only a ruling logs a penalty at a table of a closed round."""
        return self._is(Round.Status.CLOSED)

    @property
    def planned(self) -> bool:
        return self._is(Round.Status.PLANNED)

    def _is(self, status: Round.Status) -> bool:
        return self.table is not None and self.dispute is None and self.table.round.status == status

    @cached_property
    def over(self) -> bool:
        return self.table is not None and self.dispute is None and is_over(self.table)

    @cached_property
    def hand(self) -> str:
        return hand_of_act(self.table, self.dispute)

    @cached_property
    def unlisted(self) -> str:
        """Say which players the standings leave out, or return an empty text."""
        pks = unlisted_players(self.stage, [player.pk for player in self.players])
        names = [player.name for player in self.players if player.pk in pks]
        if not names:
            return ""
        return unlisted_words(self.stage, names)

    @property
    def counts(self) -> list[tuple[str, str]]:
        """Return from when a penalty can count: the value that the form sends, and words."""
        if self.table is not None:
            return []
        hidden = [round_ for round_ in self.rounds if round_.visibility != Round.Visibility.RESULTS]
        words = _("when round %(round)s is published")
        return [("", _("at once")), *((str(each.pk), words % {"round": each.number}) for each in hidden)]

    def round_counted(self, form: PlayerForm) -> Round | None:
        """Return the round with which the penalty of a valid form counts, or None if it counts at once."""
        if self.table is not None:
            return self.table.round
        return next((r for r in self.rounds if r.pk == form.cleaned_data["counts"]), None)

    def without_table(self, player: Player, offence: str = "") -> QueryDict:
        """Return the query that logs for the player away from this table, for the same stage.

        What belongs to an unpublished round counts with its publication unless the referee says otherwise.
        """
        query = QueryDict(mutable=True)
        query.update({"player": str(self.entrants.get(player.pk, "")), "stage": str(self.stage.pk)})
        if self.table and self.closed and self.table.round.visibility != Round.Visibility.RESULTS:
            query["round"] = str(self.table.round_id)
        if offence:
            query["offence"] = offence
        return query

    def ways_out(self, offence: str) -> list[tuple[str, str]]:
        """Return the address and the name of each player, away from this table."""
        players = [self.chosen_player] if self.chosen_player else self.players
        address = self.access.address("penalties:new")
        return [(f"{address}?{self.without_table(p, offence).urlencode()}", p.name) for p in players]

    @property
    def deals(self) -> list[tuple[str, str]]:
        if self.table is None:
            return []
        return hand_choices(self.table.rules)

    @cached_property
    def rules(self) -> PenaltyRules:
        return penalty_rules_of(self.stage.division.rule_set)

    def offence_form(self, typed: QueryDict | None = None) -> OffenceForm:
        players = [(player.pk, player.name) for player in self.players]
        return OffenceForm(typed, players=players, rules=self.rules, deals=self.deals, **self._counting())

    def penalty_form(self, typed: QueryDict | None = None, player: Player | None = None) -> PenaltyForm:
        """The form of what the penalty rules do not know. Where they know no offence at all, of a chombo."""
        return PenaltyForm(
            typed,
            players=[(each.pk, each.name) for each in self.players],
            rules=self.rules,
            chombo=None if self.rules.catalogue else self.stage.division.rules.chombo.score,
            initial={"player": player.pk if player else None},
            **self._counting(),
        )

    def _counting(self) -> dict[str, Any]:
        return {"counts": self.counts, "rounds": self.rounds, "counting": self.round}

    def player_named(self, number: object) -> Player | None:
        return next((player for player in self.players if str(player.pk) == str(number)), None)

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
        if not query:
            return address
        return f"{address}&{query.urlencode()}"


def place_of(access: Access, query: QueryDict) -> PenaltyPlace | None:
    """Return the place in the address, or None if it names none. Raise ``Http404`` for unknown ids."""
    entrant = access.entrant(number) if (number := number_in(query, "player")) is not None else None
    if (number := number_in(query, "table")) is not None:
        return _at_table(access, access.table(number), entrant, number_in(query, "dispute"))
    if entrant is None:
        return None
    if (number := number_in(query, "stage")) is not None:
        return _away_from_tables(access, access.stage(number), entrant, number_in(query, "round"))
    tables = tables_in_play(access.rounds(), entrant.player_id)
    if tables and "away" not in query:
        return _at_table(access, tables[0], entrant, None)
    stages = stages_of_player(access.stages(), entrant)
    if not stages:
        return None
    return _away_from_tables(access, stages[0], entrant)


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
        mine=access.leaves(table),
    )


def _away_from_tables(
    access: Access, stage: Stage, entrant: Entrant, number: int | None = None
) -> PenaltyPlace:
    """Return a place without a table. ``number``: the round with whose publication a penalty counts.

    Without a number it counts with an unpublished round that the player is in, or at once.
    """
    rounds = tuple(begun_rounds(stage, entrant.player_id))
    hidden = [round_ for round_ in rounds if round_.visibility != Round.Visibility.RESULTS]
    running = [each for each in hidden if each.status == Round.Status.OPEN]
    asked = [round_ for round_ in rounds if round_.pk == number]
    return PenaltyPlace(
        access=access,
        stage=stage,
        table=None,
        players=(entrant.player,),
        chosen_player=entrant.player,
        entrants={entrant.player_id: entrant.pk},
        query=f"player={entrant.pk}&stage={stage.pk}",
        elsewhere=tuple(_elsewhere(access, entrant, here=stage)),
        rounds=rounds,
        round=next(iter(asked or reversed(running)), None),
    )


def _elsewhere(access: Access, entrant: Entrant, *, here: models.Model) -> Iterator[tuple[str, str]]:
    address = f"{access.address('penalties:new')}?player={entrant.pk}"
    for table in tables_in_play(access.rounds(), entrant.player_id)[:NEWEST_TABLES]:
        if table != here:
            yield f"{address}&table={table.pk}", where_words(table.round.stage, table.round, table)
    for stage in stages_of_player(access.stages(), entrant):
        if stage != here:
            words = _("%(stage)s, no table") % {"stage": where_words(stage)}
            yield f"{address}&stage={stage.pk}", words


def choose_place(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask for a player away from the tables, or for a table of an open round, the newest one first.

    The stage and the offence in the address stay with the player.
    """
    opened = access.rounds().filter(status=Round.Status.OPEN)
    rounds = list(to_be_played(opened).order_by("-pk"))
    asked = number_in(request.GET, "round")
    chosen_round = next((r for r in rounds if r.pk == asked), None) or next(iter(rounds), None)
    return page(
        request,
        access,
        "penalties/where.html",
        rounds=[(r, where_words(r.stage, r)) for r in rounds],
        chosen=chosen_round,
        tables=chosen_round.tables.prefetch_related(seats_with_players()) if chosen_round else (),
        named=[("away", ""), *((name, request.GET[name]) for name in KEPT if name in request.GET)],
        players=sorted(players_of(access.competition).values(), key=lambda info: sort_key(info.name)),
    )
