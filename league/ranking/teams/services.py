"""Edit teams and their members, seat teams, name line-ups, log team penalties.

A player is in one team at a time. A player who changes team takes nothing along: line-ups record the former
team for every round played (`scoring.teams`). A first team takes over its member's earlier games, and so does
any team after a mistake.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from itertools import chain, combinations, count, groupby

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.rounds import reread_round, seating
from league.core.text import listed
from league.core.zones import zone_of
from league.models import (
    Adjustment,
    Competition,
    Entrant,
    LineUp,
    Penalty,
    Role,
    Round,
    Seat,
    Stage,
    Team,
    TeamPenalty,
    TeamSeat,
)
from league.people.members.services import withdraw_invitations_of
from league.play.calendar.services.calendar import move_deadline
from league.play.rounds.services import played_tables, seat_in
from league.ranking.teams.queries import (
    fours_at,
    hanchan_of_team,
    is_late,
    limits_of,
    line_ups_of,
    rounds_to_unseat,
    rounds_without_teams,
    stages_with,
    team_tables,
)
from players.matching import exact_key
from scoring.seating.checker import SEATS
from scoring.seating.team_season import team_season
from scoring.teams import fill_tables, seats_by_team

MOST_TEAMS = 200


# --- teams and their members


def add_team(*, competition: Competition, name: str, by: User, form: Sent | None = None) -> Team:
    """Create a team without members. Raises `Refused` for a duplicate name."""
    with change(competition, by=by, form=form) as done:
        team = _create_teams(done, [name])[name]
        done.answer = {"team": team.pk}
        return team


def update_team(
    *,
    team: Team,
    name: str,
    players: Iterable[int],
    mistake: bool = False,
    by: User,
    form: Sent | None = None,
) -> Team:
    """Rename the team and set its members. `mistake` as in `assign`."""
    with change(team.competition, by=by, form=form) as done:
        team = _reread_team(done, team.pk)
        if name != team.name:
            _refuse_name(done, name, but=team.pk)
            before, team.name = team.name, name
            team.save(update_fields=["name"])
            done.log("team.rename", f"team:{team.pk}", before={"name": before}, after={"name": name})
        wanted = set(players)
        leaving = set(team.members.values_list("player_id", flat=True)) - wanted
        _assign(done, dict.fromkeys(wanted, team.pk) | dict.fromkeys(leaving), mistake=mistake)
        done.answer = {"team": team.pk}
        return team


def remove_team(*, team: Team, by: User, form: Sent | None = None) -> None:
    """Delete an unused team with its captains' roles and invitations."""
    with change(team.competition, by=by, form=form) as done:
        team = _reread_team(done, team.pk)
        if team.members.exists():
            raise Refused(
                _("A team with members cannot be removed. Move them to another team or to none first.")
            )
        if team.line_ups.exists() or team.seats.exists() or team.penalties.exists():
            raise Refused(_("A team with results or penalties cannot be removed."))
        _refuse_qualified(done, team)
        done.log("team.remove", f"team:{team.pk}", before={"name": team.name})
        for role in Role.objects.filter(competition=done.competition, team=team):
            done.log("role.revoke", f"user:{role.user_id}", before={"role": str(role.kind)})
            role.delete()
        withdraw_invitations_of(done, team)
        team.delete()


def _refuse_qualified(done: Change, team: Team) -> None:
    for stage in Stage.objects.of(done.competition):
        if team.pk in stage.team_cut.get("in", ()):
            raise Refused(
                _("This team qualified for %(stage)s, so it cannot be removed. Undo that stage first.")
                % {"stage": stage.name}
            )


def assign(
    *,
    competition: Competition,
    teams: Mapping[int, int | None],
    mistake: bool = False,
    by: User,
    form: Sent | None = None,
) -> None:
    """Put players (ids) into teams, or out of them (None).

    Earlier games stay with the other team. With `mistake` they count for the new one.
    """
    with change(competition, by=by, form=form) as done:
        _assign(done, teams, mistake=mistake)


def paste_members(
    *, competition: Competition, teams: Mapping[int, str], by: User, form: Sent | None = None
) -> int:
    """Put players into teams by name, and create missing teams. Return their number."""
    with change(competition, by=by, form=form) as done:
        made = join_teams(done, teams)
        done.answer = {"teams": made}
        return made


def join_teams(done: Change, teams: Mapping[int, str]) -> int:
    """Do the work of `paste_members` within a change."""
    there = {exact_key(team.name): team.pk for team in done.competition.teams.all()}
    new: dict[str, str] = {}
    for name in teams.values():
        if exact_key(name) not in there:
            new.setdefault(exact_key(name), name)
    made = _create_teams(done, new.values())
    there |= {exact_key(name): team.pk for name, team in made.items()}
    _assign(done, {player: there[exact_key(name)] for player, name in teams.items()}, mistake=False)
    return len(made)


def _reread_team(done: Change, pk: int) -> Team:
    return reread(Team.objects.all(), competition=done.competition, pk=pk)


def _refuse_name(done: Change, name: str, *, but: int | None = None) -> None:
    others = done.competition.teams.exclude(pk=but or 0).values_list("name", flat=True)
    if exact_key(name) in map(exact_key, others):
        raise Refused(_("Another team already has this name. Choose another name."), field="name")


def _create_teams(done: Change, names: Iterable[str]) -> dict[str, Team]:
    taken = set(done.competition.teams.values_list("key", flat=True))
    keys, made = (f"t{number}" for number in count(1) if f"t{number}" not in taken), {}
    for name in names:
        _refuse_name(done, name)
        made[name] = team = Team.objects.create(competition=done.competition, key=next(keys), name=name)
        done.log("team.add", f"team:{team.pk}", after={"name": name})
    if done.competition.teams.count() > MOST_TEAMS:
        raise Refused(_("A competition has at most %(most)s teams.") % {"most": MOST_TEAMS}, field="name")
    return made


def _assign(done: Change, teams: Mapping[int, int | None], *, mistake: bool) -> None:
    entrants = Entrant.objects.filter(competition=done.competition, player__in=teams).select_related("player")
    entrant_of = {entrant.player_id: entrant for entrant in entrants.order_by("pk")}
    wanted = {pk for pk in teams.values() if pk is not None}
    if done.competition.teams.filter(pk__in=wanted).count() < len(wanted):
        raise Refused(_("A team was removed a moment ago. Reload the page."))
    if entrant_of.keys() != set(teams):
        raise Refused(_("A player is not entered in this competition. Reload the page."))
    moves: dict[tuple[int | None, int | None], list[int]] = {}
    for player, entrant in entrant_of.items():
        if entrant.team_id != teams[player]:
            moves.setdefault((entrant.team_id, teams[player]), []).append(player)
    for (old, new), players in moves.items():
        _leave(done, players, old, new, mistake=mistake)
        Entrant.objects.filter(competition=done.competition, player__in=players).update(team=new)
        after = {"team": new, "players": players, **({"mistake": True} if mistake and old else {})}
        done.log("team.members", f"team:{new or old}", before={"team": old}, after=after)


def _leave(done: Change, players: Sequence[int], old: int | None, new: int | None, *, mistake: bool) -> None:
    """Save these players' rounds as line-ups of `old`, or after a `mistake` of `new`."""
    named = LineUp.objects.of(done.competition).filter(player__in=players)
    parts = _find_rounds(done.competition, players)
    for line_up in named.filter(team=old):  # a promise for a round that was not played by them
        if (line_up.round_id, line_up.player_id) not in parts:
            line_up.delete()
    if old is None:
        return
    if mistake:
        mistaken = named.filter(team=old)
        mistaken.delete() if new is None else mistaken.update(team=new)
        return
    there = set(named.values_list("round_id", "player_id"))
    LineUp.objects.bulk_create(
        LineUp(team_id=old, round_id=round_, player_id=player, created_by=done.by, created_at=done.at)
        for round_, player in sorted(parts - there)
    )


def _find_rounds(competition: Competition, players: Sequence[int]) -> set[tuple[int, int]]:
    """Return (round, player) for each round with a seat, a penalty, or points without a seat."""
    seats = Seat.objects.of(competition).filter(player__in=players)
    penalties = Penalty.objects.filter(competition=competition, player__in=players, round__isnull=False)
    given = Adjustment.objects.of(competition).filter(player__in=players, round__isnull=False)
    rows = (each.values_list("round_id", "player_id") for each in (seats, penalties, given))
    return {(round_, player) for round_, player in chain.from_iterable(rows) if round_}


# --- teams at tables


def set_deadline(*, round_: Round, until: datetime | None, by: User, form: Sent | None = None) -> Round:
    with change(round_, by=by, form=form) as done:
        round_ = reread_round(round_)
        move_deadline(done, round_, until)
        done.answer = {"round": round_.pk}
        return round_


def _set_deadlines(done: Change, stage: Stage, days_before: int, at: time) -> int:
    """Set the line-up deadlines of all planned rounds with a date. Return their number."""
    rounds = stage.rounds.filter(status=Round.Status.PLANNED, date__isnull=False).order_by("number")
    zone = zone_of(done.competition)
    for round_ in rounds:
        assert round_.date is not None
        day = round_.date - timedelta(days=days_before)
        move_deadline(done, round_, datetime.combine(day, at, tzinfo=zone))
    return len(rounds)


def seat_teams(
    *, round_: Round, tables: Mapping[int, Sequence[int]], by: User, form: Sent | None = None
) -> Round:
    """Replace the seats of teams: table number → four team ids, east first. Delete surplus names of line-ups.

    Raises `Refused` for a new team at a table with a score sheet, and for a team with too few players.
    """
    with change(round_.competition, by=by, form=form) as done:
        round_ = reread_round(round_)
        _refuse_closed(round_)
        _check_tables(done, tables)
        before = team_tables(round_)
        for number in sorted(played_tables(round_) & before.keys()):
            if list(tables.get(number, ())) != before[number]:
                raise Refused(
                    _("Table %(table)s already has a score sheet and keeps its teams.") % {"table": number}
                )
        TeamSeat.objects.filter(round=round_).delete()
        TeamSeat.objects.bulk_create(
            TeamSeat(round=round_, table=number, wind=wind, team_id=team)
            for number, four in sorted(tables.items())
            for wind, team in enumerate(four)
        )
        _forget_surplus(round_, tables)
        done.log(
            "round.teams",
            f"round:{round_.pk}",
            before={"teams": [team for four in before.values() for team in four]},
            after={"teams": [team for _number, four in sorted(tables.items()) for team in four]},
        )
        done.answer = {"round": round_.pk}
        return round_


def seat_season(
    *,
    stage: Stage,
    tables: int,
    same_all_day: bool,
    again: bool,
    days_before: int | None = None,
    at: time | None = None,
    seed: int,
    by: User,
    form: Sent | None = None,
) -> list[Round]:
    """Seat teams in each round of `rounds_without_teams`, so that all teams, pairs and fours play equally
    often, as far as numbers allow. `same_all_day`: the same four in all rounds of a date, at the same table.
    `days_before`, `at`: the line-up deadline of all planned rounds, or None to keep their deadlines.
    """
    with change(stage.competition, by=by, form=form) as done:
        rounds = rounds_without_teams(stage, again=again)
        teams = [team.pk for team in done.competition.teams.all()]
        deadlines = _set_deadlines(done, stage, days_before, at) if days_before is not None and at else 0
        seated = [round_.pk for round_ in rounds]
        done.answer = {"rounds": len(rounds), "deadlines": deadlines, "seated": seated}
        if not rounds:
            if deadlines:
                return []
            raise Refused(_("All planned rounds already have teams. Plan more days first."))
        if len(teams) < SEATS * tables or tables < 1:
            raise Refused(_("%(teams)s teams do not fill these tables.") % {"teams": len(teams)})
        days = [len(list(same)) for _day, same in groupby(rounds, key=lambda each: each.date or each.pk)]
        TeamSeat.objects.filter(round__in=rounds).delete()
        other_seats = TeamSeat.objects.filter(round__stage=stage)
        plan = team_season(
            teams,
            days,
            tables=tables,
            same_all_day=same_all_day,
            before=list(fours_at(other_seats).values()),
            seed=seed,
        )
        _check_sizes(done, {team: 1 for fours in plan for four in fours for team in four})
        TeamSeat.objects.bulk_create(
            TeamSeat(round=round_, table=number, wind=wind, team_id=team)
            for round_, fours in zip(rounds, plan, strict=True)
            for number, four in enumerate(fours, 1)
            for wind, team in enumerate(four)
        )
        met = Counter(pair for fours in plan for four in fours for pair in combinations(sorted(four), 2))
        times = [met[pair] for pair in combinations(sorted(teams), 2)]
        after = {"rounds": [round_.number for round_ in rounds], "tables": tables, "seed": seed}
        done.log("stage.team_season", f"stage:{stage.pk}", after=after)
        done.answer |= {"least": min(times), "most": max(times)}
        return rounds


def unseat_season(
    *, stage: Stage, rounds: Collection[int], deadlines: bool = False, by: User, form: Sent | None = None
) -> list[Round]:
    """Take the teams out of these rounds of `rounds_to_unseat`. `deadlines`: their deadlines go, too."""
    with change(stage.competition, by=by, form=form) as done:
        found = [round_ for round_ in rounds_to_unseat(stage) if round_.pk in rounds]
        if not found:
            raise Refused(_("These rounds have no teams, or captains have chosen line-ups."))
        TeamSeat.objects.filter(round__in=found).delete()
        for round_ in found:
            if deadlines:
                move_deadline(done, round_, None)
        done.log(
            "stage.team_season_undo",
            f"stage:{stage.pk}",
            after={"rounds": [round_.number for round_ in found]},
        )
        done.answer = {"rounds": len(found)}
        return found


def _refuse_closed(round_: Round) -> None:
    if round_.status == Round.Status.CLOSED:
        raise Refused(_("This round is closed. Reopen it first."))


def _check_tables(done: Change, tables: Mapping[int, Sequence[int]]) -> None:
    named = {team for four in tables.values() for team in four}
    if done.competition.teams.filter(pk__in=named).count() < len(named):
        raise Refused(_("A team was removed a moment ago. Reload the page."))
    for number, four in sorted(tables.items()):
        if len(four) != 4 or len(set(four)) != 4:
            raise Refused(_("Table %(table)s needs four different teams.") % {"table": number})
    _check_sizes(done, {team: len(seats) for team, seats in seats_by_team(tables).items()})


def _check_sizes(done: Change, needed: Mapping[int, int]) -> None:
    playing = done.competition.entrants.playing().filter(team__isnull=False)
    sizes = Counter(playing.values_list("team_id", flat=True))
    for team, seats in needed.items():
        if seats > sizes[team]:
            name = reread(done.competition.teams.all(), pk=team).name
            raise Refused(
                _("%(team)s has %(members)s players but needs %(seats)s in this round.")
                % {"team": name, "members": sizes[team], "seats": seats}
            )


def _forget_surplus(round_: Round, tables: Mapping[int, Sequence[int]]) -> None:
    seats = seats_by_team(tables)
    for team, players in line_ups_of(round_).items():
        surplus = players[len(seats.get(team, ())) :]
        LineUp.objects.filter(round=round_, team=team, player__in=surplus).delete()


# --- line-ups


def name_players(
    *,
    team: Team,
    round_: Round,
    players: Sequence[int],
    reason: str = "",
    organizes: bool = False,
    by: User,
    form: Sent | None = None,
    at: datetime | None = None,
) -> None:
    """Name the team's player for each of its tables, in the order of the tables.

    After the deadline, or once players are seated, only the organizer can name players, with a `reason`.
    """
    with change(team.competition, by=by, form=form, at=at) as done:
        # The deadline may have passed, or players may be seated, since the page was opened.
        team, round_ = _reread_team(done, team.pk), reread_round(round_)
        _refuse_late(round_, organizes=organizes, reason=reason, now=done.at)
        before = line_ups_of(round_).get(team.pk, [])
        _check_line_up(team, round_, players)
        _refuse_played(team, round_, before, players)
        LineUp.objects.filter(team=team, round=round_).delete()
        LineUp.objects.bulk_create(
            LineUp(team=team, round=round_, player_id=player, created_by=done.by, created_at=done.at)
            for player in players
        )
        after = {"round": round_.pk, "players": list(players)}
        after |= {"reason": reason.strip()} if reason.strip() else {}
        done.log("team.line_up", f"team:{team.pk}", before={"players": before}, after=after)
        done.answer = {"team": team.pk}


def _refuse_late(round_: Round, *, organizes: bool, reason: str, now: datetime) -> None:
    _refuse_closed(round_)
    if not is_late(round_, now=now):
        return
    if not organizes:
        raise Refused(_("It is too late to change the line-up of this round. Ask the organizer."))
    if not reason.strip():
        raise Refused(_("The deadline has passed. Give a reason for changing the line-up."), field="reason")


def _check_line_up(team: Team, round_: Round, players: Sequence[int]) -> None:
    seats = len(seats_by_team(team_tables(round_)).get(team.pk, ()))
    if not seats:
        raise Refused(_("This team is not seated in the round yet. Ask the organizer."))
    if len(players) != seats:
        raise Refused(_("A team needs one player per table: %(seats)s.") % {"seats": seats})
    if len(set(players)) < len(players):
        raise Refused(_("A player can play at only one table per round. Choose each player once."))
    members = {member.player_id: member for member in team.members.select_related("player")}
    if not set(players) <= members.keys():
        raise Refused(_("A player is not a member of this team. Reload the page."))
    gone = [members[player].player.name for player in players if members[player].withdrawn_at is not None]
    if gone:
        raise Refused(_("Withdrawn: %(names)s. Choose other players.") % {"names": listed(gone)})
    elsewhere = LineUp.objects.filter(round=round_, player__in=players).exclude(team=team)
    if elsewhere.exists():
        raise Refused(_("A player is already in another team’s line-up for this round."))
    _refuse_most(team, round_, [members[player] for player in players])


def _refuse_most(team: Team, round_: Round, named: Sequence[Entrant]) -> None:
    _least, most = limits_of(round_.stage)
    if most is None:
        return
    games = hanchan_of_team(team, round_.stage, but=round_)
    full = [each.player.name for each in named if games.get(each.player_id, 0) >= most]
    if full:
        raise Refused(
            _("%(names)s: the maximum of %(most)s games for the team is reached. Choose other players.")
            % {"names": listed(full), "most": most}
        )


def _refuse_played(team: Team, round_: Round, before: Sequence[int], players: Sequence[int]) -> None:
    played = played_tables(round_)
    tables = [table for table, _wind in seats_by_team(team_tables(round_)).get(team.pk, ())]
    for index, table in enumerate(tables):
        changed = index >= len(before) or before[index] != players[index]
        if table in played and changed:
            raise Refused(
                _("Table %(table)s already has a score sheet, so its players cannot be changed here.")
                % {"table": table}
            )


def seat_from_line_ups(*, round_: Round, despite: str = "", by: User, form: Sent | None = None) -> Round:
    """Seat the named players where their teams sit. Tables with a score sheet stay."""
    with change(round_.competition, by=by, form=form) as done:
        round_ = reread_round(round_)
        tables, named = team_tables(round_), line_ups_of(round_)
        if not tables:
            raise Refused(_("This round has no teams yet. Seat the teams first."))
        seats = seats_by_team(tables)
        short = [team for team in seats if len(named.get(team, ())) < len(seats[team])]
        if short:
            names = done.competition.teams.filter(pk__in=short).values_list("name", flat=True)
            raise Refused(_("Line-ups still missing: %(teams)s.") % {"teams": listed(names)})
        filled = fill_tables(tables, named)
        fours = {table: [player for player in four if player is not None] for table, four in filled.items()}
        there = seating(round_)
        stay = {table: there[table] for table in played_tables(round_)}
        made = seat_in(done, round_, fours | stay, despite=despite)
        _refuse_withdrawn(made, but=stay)
        done.answer = {"round": made.pk}
        return made


def _refuse_withdrawn(round_: Round, *, but: Collection[int]) -> None:
    """Raise `Refused` if a named player withdrew and no substitute sits for them."""
    seats = Seat.objects.filter(round=round_, stands_for__isnull=True).exclude(table__number__in=but)
    competition = round_.competition
    gone = competition.entrants.withdrawn().filter(player__in=seats.values("player"))
    names = list(gone.order_by("pk").values_list("player__name", flat=True))
    if names:
        raise Refused(_("Withdrawn: %(names)s. Choose other players.") % {"names": listed(names)})


# --- penalties of teams


def log_team_penalty(
    *, team: Team, stage: Stage, score: int, reason: str, by: User, form: Sent | None = None
) -> TeamPenalty:
    """Deduct `score` tenths (negative) from the team itself. No player's standings change."""
    with change(team.competition, by=by, form=form) as done:
        team = _reread_team(done, team.pk)
        if score >= 0:
            raise Refused(_("Enter the points to deduct."), field="score")
        if not reason.strip():
            raise Refused(_("Give a reason for the penalty."), field="reason")
        if not Stage.objects.of(done.competition).filter(pk=stage.pk).exists():
            raise Refused(_("This stage was undone a moment ago."), field="stage")
        if not stages_with(team, [stage]):
            raise Refused(
                _("This team did not come into this stage, so no total would change. Choose another stage."),
                field="stage",
            )
        penalty = TeamPenalty.objects.create(
            team=team, stage=stage, score=score, reason=reason.strip(), created_by=done.by, created_at=done.at
        )
        after = {"stage": stage.pk, "score": score, "reason": penalty.reason}
        done.log("team.penalty", f"team:{team.pk}", after=after)
        done.answer = {"team_penalty": penalty.pk}
        return penalty


def revoke_team_penalty(
    *, penalty: TeamPenalty, reason: str, by: User, form: Sent | None = None
) -> TeamPenalty:
    with change(penalty.team.competition, by=by, form=form) as done:
        penalty = reread(TeamPenalty.objects.select_related("team"), pk=penalty.pk)
        if penalty.revoked_at is not None:
            raise Refused(_("This penalty has already been revoked."))
        if not reason.strip():
            raise Refused(_("Give a reason for revoking the penalty."), field="reason")
        penalty.revoked_at, penalty.revoked_by = done.at, done.by
        penalty.revoke_reason = reason.strip()
        penalty.save(update_fields=["revoked_at", "revoked_by", "revoke_reason"])
        done.log(
            "team.penalty_revoke",
            f"team:{penalty.team_id}",
            before={"stage": penalty.stage_id, "score": penalty.score},
            after={"reason": penalty.revoke_reason},
        )
        done.answer = {"team_penalty": penalty.pk}
        return penalty


# --- two records of one person become one


def take_over_line_ups(competition: Competition, *, keep: int, gone: int) -> None:
    named = LineUp.objects.of(competition)
    twice = named.filter(player=keep).values_list("round_id", flat=True)
    named.filter(player=gone, round__in=list(twice)).delete()
    named.filter(player=gone).update(player=keep)


def forget_line_ups(competition: Competition, player: int) -> None:
    LineUp.objects.of(competition).filter(player=player).delete()
