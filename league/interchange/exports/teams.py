"""How teams play, written into a competition file (``league.interchange.imports.teams`` reads it)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from league.models import Competition, LineUp, Round, Stage, TeamLots, TeamPenalty, TeamSeat
from players.text import tidy

Json = dict[str, Any]


def team_play_json(competition: Competition, keys: Mapping[int, str]) -> Json:
    """The mode always; of the rest what there is. ``keys``: player id → id in the file."""
    found: Json = {"mode": competition.team_play}
    if competition.least_hanchan is not None:
        found["least_hanchan"] = competition.least_hanchan
    if competition.most_hanchan is not None:
        found["most_hanchan"] = competition.most_hanchan
    if rounds := _rounds(competition, keys):
        found["rounds"] = rounds
    if penalties := _penalties(competition):
        found["penalties"] = penalties
    return found | _lots_and_cuts(competition)


def _rounds(competition: Competition, keys: Mapping[int, str]) -> list[Json]:
    rounds = Round.objects.filter(stage__division__competition=competition)
    tables: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    seats = TeamSeat.objects.filter(round__in=rounds).order_by("table", "wind")
    for round_, table, team in seats.values_list("round_id", "table", "team__key"):
        tables[round_][table].append(team)
    named: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    line_ups = LineUp.objects.filter(round__in=rounds).order_by("pk")
    for round_, team, player in line_ups.values_list("round_id", "team__key", "player_id"):
        named[round_][team].append(keys[player])
    order = ("stage__division__position", "stage__division_id", "stage__position", "stage_id", "number", "pk")
    found = rounds.select_related("stage__division").order_by(*order)
    return [
        _round(each, tables[each.pk], named[each.pk])
        for each in found
        if each.line_ups_until is not None or each.pk in tables or each.pk in named
    ]


def _round(round_: Round, tables: Mapping[int, list[str]], named: Mapping[str, list[str]]) -> Json:
    found: Json = {
        "division": round_.stage.division.slug,
        "stage": round_.stage.slug,
        "round": round_.number,
    }
    if round_.line_ups_until is not None:
        found["until"] = round_.line_ups_until.isoformat()
    if tables:
        found["tables"] = [{"number": number, "teams": four} for number, four in tables.items()]
    if named:
        found["line_ups"] = [{"team": team, "players": players} for team, players in named.items()]
    return found


def _penalties(competition: Competition) -> list[Json]:
    penalties = TeamPenalty.objects.filter(team__competition=competition).order_by("pk")
    return [_penalty(each) for each in penalties.select_related("team", "stage__division")]


def _penalty(penalty: TeamPenalty) -> Json:
    found: Json = {
        "team": penalty.team.key,
        "division": penalty.stage.division.slug,
        "stage": penalty.stage.slug,
        # JSON knows no other decimals; one decimal survives exactly.
        "score": penalty.score / 10,
        "reason": tidy(penalty.reason),
    }
    if penalty.revoked_at is not None:
        found["revoked"] = tidy(penalty.revoke_reason)
    return found


def _lots_and_cuts(competition: Competition) -> Json:
    lots = TeamLots.objects.filter(stage__division__competition=competition).order_by("pk")
    drawn = list(lots.select_related("stage__division"))
    stages = Stage.objects.filter(division__competition=competition).exclude(team_cut={})
    order = ("division__position", "division_id", "position", "pk")
    cut = list(stages.select_related("division").order_by(*order))
    if not (drawn or cut):
        return {}
    teams = dict(competition.teams.values_list("pk", "key"))
    found = {
        "lots": [
            {**_place(each.stage), "teams": _named(each.teams, teams), "seed": each.seed} for each in drawn
        ],
        "cuts": [{**_place(stage), **_cut(stage.team_cut, teams)} for stage in cut],
    }
    return {name: rows for name, rows in found.items() if rows}


def _cut(cut: Mapping[str, Any], teams: Mapping[int, str]) -> Json:
    return {
        "top": cut["top"],
        "by_hand": cut["by_hand"],
        "teams": _named(cut["in"], teams),
        "decided": [
            {"in": _named(each["in"], teams), "out": _named(each["out"], teams), "by": each["by"]}
            for each in cut["decided"]
        ],
        "gone": _named(cut["gone"], teams),
        "moved_up": _named(cut["moved_up"], teams),
    }


def _place(stage: Stage) -> Json:
    return {"division": stage.division.slug, "stage": stage.slug}


def _named(ids: Iterable[int], teams: Mapping[int, str]) -> list[str]:
    """Keys of those that are still there."""
    return [teams[team] for team in ids if team in teams]
