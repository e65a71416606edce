"""Enter, change, withdraw and remove players of a competition, under the lock of the register."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.models import Competition, Division, Entrant, GameName, SittingOut
from league.models.game_logs import Service
from league.organizing.roster.queries import Plan, PlannedLine, is_seated, plan_roster
from league.people.register import services as register
from league.play.bans.services import admit
from league.play.calendar.services.table_times import forget_consents
from league.play.entrants import services as entrants
from league.play.substitutions.services.substitutions import set_substitute_in
from league.ranking.stages.services import forget_lots
from league.ranking.teams.services import forget_line_ups, join_teams
from players.roster import RosterLine, read_roster


@dataclass(frozen=True, slots=True)
class Imported:
    """The number of new people, known people, skipped lines, people who joined a team, changed records."""

    new: int
    same: int
    skipped: int
    joined: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New values of an entrant. ``withdrawn``: None leaves it as it is."""

    entrant: Entrant
    values: register.PlayerValues
    division: Division | None
    withdrawn: bool | None = None


# --- entering -----------------------------------------------------------------------------------------------


def import_roster(
    *,
    competition: Competition,
    text: str,
    picks: Collection[str] = (),
    columns: Sequence[str] = (),
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
    division: str = "",
    as_is: bool = True,
    despite: str = "",
    by: User,
    form: Sent | None = None,
) -> Imported:
    """Enter all people of the list, and put them into their teams, or do nothing.

    A list with teams makes a competition without teams sum the scores of their players. ``columns``,
    ``sheet``, ``separator``, ``has_headings``, ``as_is``: see ``read_roster``. ``despite``: the reason why
    banned people may play. The text and the register are read again under the lock. The records of known
    people stay as they are, unless a tick changes them. Raises ``Refused`` for lines with a problem, lines
    that may mean several people, banned people, and changes of a record that is shown in a competition that
    ``by`` does not organize.
    """
    with register.register_change(competition, by=by, form=form) as done:
        roster = read_roster(
            text, columns, as_is=as_is, sheet=sheet, separator=separator, has_headings=has_headings
        )
        plan = plan_roster(competition, roster, picks=picks, division=division)
        result = enter_in_bulk(done, plan, despite=despite)
        done.answer = asdict(result)
        return result


def enter_in_bulk(done: Change, plan: Plan, *, despite: str = "") -> Imported:
    """Enter the people of a plan, made under the lock of the register, as ``import_roster`` does."""
    by_line = enter_lines(done, plan, despite=despite)
    teams = {by_line[line.line.number]: line.team for line in plan.lines if line.team}
    if teams:
        _sum_teams(done)
        join_teams(done, teams)
    lines = [line.line for line in plan.lines if line.line.number in by_line]
    _remember_game_names(done, {line.tenhou: by_line[line.number] for line in lines if line.tenhou})
    entrants.change_records(done, {p.person.pk: p.line for p in plan.changed if p.person})
    return Imported(
        new=plan.new, same=plan.same, skipped=plan.skipped, joined=len(teams), changed=len(plan.changed)
    )


def enter_lines(done: Change, plan: Plan, *, despite: str = "") -> dict[int, int]:
    """Enter the people of a plan, as ``enter_in_bulk``, without teams and changes. Return line → player."""
    if not plan.is_clear:
        raise Refused(_("Nothing was saved: some lines need your attention."))
    known = [line.person.pk for line in plan.lines if line.action == "same" and line.person]
    admit(done, known, despite=despite)
    return _enter(done, plan)


def _remember_game_names(done: Change, named: Mapping[str, int]) -> None:
    """Remember names on Tenhou for the league's game logs. A name that a player has stays theirs."""
    GameName.objects.bulk_create(
        [
            GameName(league=done.competition.league, player_id=player, service=Service.TENHOU, name=name)
            for name, player in named.items()
        ],
        ignore_conflicts=True,
    )


def _sum_teams(done: Change) -> None:
    competition, before = done.competition, done.competition.team_play
    if before == Competition.TeamPlay.NONE:
        competition.team_play = Competition.TeamPlay.SUM
        competition.save(update_fields=["team_play"])
        after = {"team_play": str(competition.team_play)}
        done.log(
            "competition.update", f"competition:{competition.pk}", before={"team_play": before}, after=after
        )


def enter_player(
    *,
    competition: Competition,
    values: register.PlayerValues,
    division: Division | None,
    same_as: int | None = None,
    changes: bool = False,
    despite: str = "",
    is_guest: bool = False,
    is_substitute: bool = False,
    by: User,
    form: Sent | None = None,
) -> Entrant:
    """Enter a new person, or ``same_as`` of the register, whose record ``changes`` to ``values`` if asked.

    ``despite``: the reason why a banned player may play. Raises ``Refused`` if the person is entered or
    banned, if a number belongs to another person, or if ``by`` may not change the record.
    """
    with register.register_change(competition, by=by, form=form) as done:
        entrant = entrants.enter_in(done, values, division, same_as=same_as, changes=changes, despite=despite)
        entrants.set_facts(done, entrant, is_guest=is_guest)
        set_substitute_in(done, entrant, is_substitute=is_substitute)
        done.answer = {"entrant": entrant.pk}
        return entrant


def _enter(done: Change, plan: Plan) -> dict[int, int]:
    """Enter the players of the plan. Return line → player."""
    new = [line for line in plan.lines if line.action == "new"]
    made = entrants.create_players(done.competition, [_to_values(line.line) for line in new])
    by_line = {line.line.number: player.pk for line, player in zip(new, made, strict=True)}
    same = {line.person.pk: line for line in plan.lines if line.action == "same" and line.person}
    by_line |= {line.line.number: pk for pk, line in same.items()}
    entrants.create_entrants(done, [(by_line[p.line.number], _division_id(p)) for p in plan.lines if p.saves])
    return by_line | {p.line.number: p.person.pk for p in plan.lines if p.action == "entered" and p.person}


def _to_values(line: RosterLine) -> register.PlayerValues:
    return register.PlayerValues(
        name=line.name, romanized=line.romanized, country=line.country, club=line.club, numbers=line.numbers
    )


def _division_id(plan: PlannedLine) -> int | None:
    return plan.division.pk if plan.division else None


# --- changing -----------------------------------------------------------------------------------------------


def update_entrant(
    *,
    entrant: Entrant,
    values: register.PlayerValues,
    division: Division | None,
    by: User,
    form: Sent | None = None,
    **facts: int | None,
) -> Entrant:
    """Change the person's record, their division and ``facts`` of the entrant: ``previous_rank``,
    ``is_guest``.

    Raises ``Refused`` if a number belongs to another person, or if the record changes and is shown in a
    competition that ``by`` does not organize.
    """
    with register.register_change(entrant.competition, by=by, form=form) as done:
        # Read again under the lock: the player may have been changed or removed since the page was opened.
        entrant = _reread_entrant(done.competition, entrant.pk)
        update_in_bulk(done, [Edit(entrant=entrant, values=values, division=division)])
        entrants.set_facts(done, entrant, **facts)
        done.answer = {"entrant": entrant.pk}
        return entrant


def update_in_bulk(done: Change, edits: Sequence[Edit]) -> None:
    """Change entrants as ``update_entrant``, inside a change of the register that has read them.

    Queries: constant, beside two per player who withdraws or is reinstated.
    """
    register.check_numbers(done.competition, {each.entrant.player_id: each.values.numbers for each in edits})
    records = {each.entrant.player: each.values for each in edits}
    changed = {player: values for player, values in records.items() if values != register.values_of(player)}
    if register.find_shown_to_others(done, [player.pk for player in changed]):
        raise Refused(
            _(
                "This player is also entered in a competition that you do not organize. Ask an owner "
                "of the "
                "league to change the record. The division can be changed here."
            )
        )
    register.write_everywhere(done, changed)
    for each in edits:
        _set_division(done, each.entrant, each.division)
    Entrant.objects.bulk_update([each.entrant for each in edits], ["division"])
    for each in edits:
        if each.withdrawn is not None and each.withdrawn != (each.entrant.withdrawn_at is not None):
            write = withdraw_in if each.withdrawn else reinstate_in
            write(done, each.entrant)


def withdraw_entrant(*, entrant: Entrant, by: User, form: Sent | None = None) -> Entrant:
    """Withdraw a player from further rounds. Played rounds count."""
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _reread_entrant(done.competition, entrant.pk)
        withdraw_in(done, entrant)
        done.answer = {"entrant": entrant.pk}
        return entrant


def withdraw_in(done: Change, entrant: Entrant) -> None:
    if entrant.withdrawn_at is not None:
        raise Refused(_("This player has already withdrawn."))
    entrant.withdrawn_at = done.at
    entrant.save(update_fields=["withdrawn_at"])
    done.log("entrant.withdraw", f"entrant:{entrant.pk}", after={"player": entrant.player_id})


def reinstate_entrant(*, entrant: Entrant, despite: str = "", by: User, form: Sent | None = None) -> Entrant:
    """Reinstate a withdrawn player. ``despite``: the reason why a banned player may play."""
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _reread_entrant(done.competition, entrant.pk)
        reinstate_in(done, entrant, despite=despite)
        done.answer = {"entrant": entrant.pk}
        return entrant


def reinstate_in(done: Change, entrant: Entrant, *, despite: str = "") -> None:
    if entrant.withdrawn_at is None:
        raise Refused(_("This player has not withdrawn."))
    admit(done, [entrant.player_id], despite=despite)
    entrant.withdrawn_at = None
    entrant.save(update_fields=["withdrawn_at"])
    done.log("entrant.reinstate", f"entrant:{entrant.pk}", after={"player": entrant.player_id})


def remove_entrant(*, competition: Competition, entrant_id: int, by: User, form: Sent | None = None) -> None:
    """Remove a player who was never seated.

    The person leaves the register, too, unless another competition, a ban or an import names them. Raises
    ``Refused`` if the player has a seat or a penalty, and for another competition's id.
    """
    with register.register_change(competition, by=by, form=form) as done:
        remove_in(done, _reread_entrant(done.competition, entrant_id))


def remove_in(done: Change, entrant: Entrant) -> None:
    if is_seated(entrant):
        raise Refused(
            _("A player who was seated or penalized cannot be removed. Withdraw the player instead.")
        )
    player = entrant.player
    done.log(
        "entrant.remove",
        f"entrant:{entrant.pk}",
        before={"player": player.pk, "division": entrant.division_id, **register.last_key([entrant.key])},
    )
    forget_line_ups(done.competition, player.pk)
    forget_consents(done.competition, player.pk)
    forget_lots(done.competition, player.pk)
    here = SittingOut.objects.of(done.competition)
    here.filter(player=player).delete()
    entrant.delete()
    register.forget_players([player.pk])


def _set_division(done: Change, entrant: Entrant, division: Division | None) -> None:
    wanted = division.pk if division else None
    if wanted == entrant.division_id:
        return
    before = {"player": entrant.player_id, "division": entrant.division_id}
    entrant.division = division
    done.log("entrant.update", f"entrant:{entrant.pk}", before=before, after={**before, "division": wanted})


def _reread_entrant(competition: Competition, pk: int) -> Entrant:
    found = Entrant.objects.select_related("competition__league", "player__club", "division")
    return reread(found, competition=competition, pk=pk)
