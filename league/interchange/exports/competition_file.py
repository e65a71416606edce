"""The competition file, written: importing it again gives the same standings and the same file.

Fields and their order are those of the contract, then our own additions
(``league.interchange.imports.competition_file`` names them). Players stand in the order of their records,
rounds and tables by number, penalties as logged. Of every table the current sheet travels, of no change who
made it when: an import is a new change.
"""

import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from league.core.substitutes import NO_SUBSTITUTE, substitutes
from league.interchange.exports.calendar import calendar_json
from league.interchange.exports.teams import team_play_json
from league.interchange.imports.competition_file import FORMAT, REFEREEING, VERSION
from league.interchange.imports.tables import SCHEDULED
from league.interchange.services.competition_file import Progress, nobody_watches
from league.models import (
    Adjustment,
    Competition,
    Division,
    Entrant,
    Lots,
    Penalty,
    Round,
    Seat,
    Stage,
    StageEntrant,
    Table,
)
from league.results.queries import ENDING, RAW_POINTS, SEATED, ending_of, with_facts
from players.models import FederationNumber
from players.text import tidy
from scoring.presets import UnknownPreset, resolve
from scoring.settlement import NORTH
from scoring.units import WINDS

Json = dict[str, Any]


def competition_json(competition: Competition, *, progress: Progress | None = None) -> str:
    """The file's text, with a newline at its end."""
    return json.dumps(competition_file(competition, progress=progress), ensure_ascii=False, indent=1) + "\n"


def competition_file(competition: Competition, *, progress: Progress | None = None) -> Json:
    """Everything of the competition, hidden rounds included, as JSON will hold it.

    ``progress`` is called with 1 for every table.
    """
    entrants = list(
        Entrant.objects.filter(competition=competition)
        .select_related("player__club", "division", "team")
        .prefetch_related("player__federation_numbers")
        .order_by("player_id")
    )
    keys = {entrant.player_id: entrant.key for entrant in entrants}
    return {
        "format": FORMAT,
        "version": VERSION,
        "slug": competition.slug,
        "name": tidy(competition.name),
        "timezone": competition.timezone,
        "kind": competition.kind,
        "visibility": competition.visibility,
        "counting": competition.counting,
        "tie_breaks": competition.tie_breaks,
        "suggest_fourth": competition.suggest_fourth,
        **({"previous": competition.previous.slug} if competition.previous else {}),
        **{name: getattr(competition, name) for name in REFEREEING},
        "players": [_player(entrant) for entrant in entrants],
        "teams": _teams(competition, entrants),
        "team_play": team_play_json(competition, keys),
        "divisions": _divisions(competition, keys, progress or nobody_watches),
        "penalties": _penalties(competition, keys),
        **_adjustments(competition, keys),
        **calendar_json(competition, keys),
    }


def _player(entrant: Entrant) -> Json:
    player = entrant.player
    numbers = {n.federation: n.number for n in player.federation_numbers.all()}
    found: Json = {
        "id": entrant.key,
        "name": tidy(player.name),
        "romanized": tidy(player.romanized),
        "country": player.country,
        "ema_number": numbers.pop(FederationNumber.EMA, ""),
        "club": tidy(player.club.name) if player.club else "",
        "division": entrant.division.slug if entrant.division else None,
    }
    if numbers:
        found["federation_numbers"] = dict(sorted(numbers.items()))
    if entrant.withdrawn_at is not None:
        found["withdrawn"] = True
    if entrant.is_substitute:
        found["substitute"] = True
    if entrant.previous_rank is not None:
        found["previous_rank"] = entrant.previous_rank
    return found


def _teams(competition: Competition, entrants: Iterable[Entrant]) -> list[Json]:
    members: dict[int | None, list[str]] = defaultdict(list)
    for entrant in entrants:
        members[entrant.team_id].append(entrant.key)
    teams = competition.teams.order_by("pk")
    return [{"id": team.key, "name": tidy(team.name), "players": members[team.pk]} for team in teams]


def _divisions(competition: Competition, keys: dict[int, str], progress: Progress) -> list[Json]:
    tables = _tables(competition, keys, progress)
    rounds: dict[int, list[Json]] = defaultdict(list)
    for round_ in Round.objects.filter(stage__division__competition=competition).order_by("number", "pk"):
        rounds[round_.stage_id].append(_round(round_, tables[round_.pk]))
    stages: dict[int, list[Json]] = defaultdict(list)
    every = list(Stage.objects.filter(division__competition=competition).order_by("position", "pk"))
    cuts = _cuts(every, keys)
    for stage in every:
        stages[stage.division_id].append(
            {
                "slug": stage.slug,
                "name": tidy(stage.name),
                "carry": stage.carry,
                **_numbers(stage),
                **_sitting_out(stage),
                **cuts[stage.pk],
                "rounds": rounds[stage.pk],
            }
        )
    divisions = competition.divisions.select_related("rule_set__own_catalogue").order_by("position", "pk")
    return [
        {
            "slug": division.slug,
            "name": tidy(division.name),
            **({"movement": division.movement} if division.movement else {}),
            "rules": _rules(division),
            "stages": stages[division.pk],
        }
        for division in divisions
    ]


def _numbers(stage: Stage) -> Json:
    """The valid and standard numbers of hanchan; nothing where there are none."""
    found: Json = {}
    if stage.valid_hanchan:
        found["valid_hanchan"] = stage.valid_hanchan
    if stage.standard_hanchan is not None:
        found |= {"standard_hanchan": stage.standard_hanchan, "beyond": stage.beyond}
    return found


def _sitting_out(stage: Stage) -> Json:
    """What the stage gives to who has to sit out; nothing where that is nothing."""
    if stage.sit_out == Stage.SitOut.NOTHING:
        return {}
    fixed = stage.sit_out == Stage.SitOut.FIXED
    return {"sit_out": stage.sit_out, **({"sit_out_score": stage.sit_out_score / 10} if fixed else {})}


def _cuts(stages: Sequence[Stage], keys: dict[int, str]) -> dict[int, Json]:
    """What each stage says of its cut and of lots drawn in it; nothing for most of them."""
    slugs = {stage.pk: stage.slug for stage in stages}
    divisions = Division.objects.filter(stages__in=slugs)
    lower = dict(divisions.values_list("pk", "slug")) if any("play_off" in s.cut for s in stages) else {}
    found: dict[int, Json] = {stage.pk: {} for stage in stages}
    for stage in stages:
        if stage.cut:
            found[stage.pk] = {"cut": _cut(stage.cut, slugs, keys), "entrants": []}
        if "play_off" in stage.cut:
            found[stage.pk]["cut"]["play_off"] = lower.get(stage.cut["play_off"])
    for each in StageEntrant.objects.filter(stage__in=slugs).order_by("stage", "position"):
        entrant = {"player": keys[each.player_id], "how": each.how, "head_start": each.head_start / 10}
        found[each.stage_id]["entrants"].append(entrant)
    for lots in Lots.objects.filter(stage__in=slugs).order_by("pk"):
        drawn = {"players": _named(lots.players, keys), "seed": lots.seed}
        found[lots.stage_id].setdefault("lots", []).append(drawn)
    return found


def _cut(cut: Mapping[str, Any], slugs: Mapping[int, str], keys: Mapping[int, str]) -> Json:
    """Players by their keys, the stage before by its slug. The order is not that of the database, which does
    not keep one.
    """
    asked = ("top", "first", "wild_cards", "wild_card_by", "hanchan")
    return {
        "from": slugs.get(cut["from"]),
        **{name: cut[name] for name in asked},
        "picked": _named(cut["picked"], keys),
        "decided": [
            {"in": _named(each["in"], keys), "out": _named(each["out"], keys), "by": each["by"]}
            for each in cut["decided"]
        ],
        "gone": _named(cut["gone"], keys),
        "moved_up": _named(cut["moved_up"], keys),
    }


def _named(players: Iterable[int], keys: Mapping[int, str]) -> list[str]:
    """Keys of those who are still entered."""
    return [keys[player] for player in players if player in keys]


def _rules(division: Division) -> Json:
    """The preset and what differs from it today; ``values`` is the whole copy, safe from later editions.

    Of a league's own rules the values travel, not the book; of a chosen text, not who chose it.
    """
    rule_set = division.rule_set
    values = rule_set.rules.as_values()
    try:
        today = resolve(rule_set.preset).as_values()
    except UnknownPreset:  # of a later version of Umaoka: its values are all here
        today = {}
    found: Json = {
        "preset": rule_set.preset,
        "overrides": {name: value for name, value in values.items() if today.get(name, ...) != value},
        "edition": rule_set.edition,
        "values": values,
    }
    if rule_set.catalogue:
        found["catalogue"] = rule_set.catalogue
    if (own := rule_set.own_catalogue) is not None:
        found["own_catalogue"] = {"name": own.name, "base": own.base, "entries": own.entries}
    if rule_set.readings:
        found["readings"] = [
            {name: record[name] for name in ("settings", "chosen", "place")} for record in rule_set.readings
        ]
    return found


def _round(round_: Round, tables: list[Json]) -> Json:
    return {
        "number": round_.number,
        "date": round_.date.isoformat() if round_.date else None,
        "status": round_.status,
        "visibility": round_.visibility,
        **({"method": round_.method} if round_.method else {}),
        **({"seed": round_.seed} if round_.seed is not None else {}),
        "tables": tables,
    }


def _tables(competition: Competition, keys: dict[int, str], progress: Progress) -> dict[int, list[Json]]:
    """The tables of each round, from one query, and another one for substitutes."""
    rows = (
        with_facts(Table.objects.filter(round__stage__division__competition=competition))
        .order_by("round_id", "number", "pk")
        .values_list("pk", "round_id", "number", "now__status", "now__reason", *SEATED, *RAW_POINTS, *ENDING)
    )
    instead = substitutes(Seat.objects.filter(round__stage__division__competition=competition))
    found: dict[int, list[Json]] = defaultdict(list)
    for pk, round_, number, status, reason, *facts in rows.iterator(chunk_size=5000):
        sticks, last_dealer, named = ending_of(*facts[8:])
        seats = [_seat(*seat, keys) for seat in zip(WINDS, facts[:4], facts[4:8], strict=True)]
        for namer, target in named.items():
            seats[namer]["names"] = WINDS[target]
        for wind, each in instead.get(pk, NO_SUBSTITUTE).items():
            seats[wind]["stands_for"] = keys[each.stands_for]
            if each.late:
                seats[wind]["came_late"] = True
            if each.until_back:
                seats[wind]["until_back"] = True
        table: Json = {
            "number": number,
            "status": status or SCHEDULED,
            "sticks": sticks,
            "seats": seats,
        }
        if last_dealer != NORTH:
            table["last_dealer"] = WINDS[last_dealer]
        if reason:
            table["reason"] = tidy(reason)
        found[round_].append(table)
        progress(1)
    return found


def _seat(wind: str, player: int, points: int | None, keys: dict[int, str]) -> Json:
    seat: Json = {"wind": wind, "player": keys[player]}
    if points is not None:
        seat["points"] = points
    return seat


def _penalties(competition: Competition, keys: dict[int, str]) -> list[Json]:
    penalties = (
        Penalty.objects.filter(competition=competition)
        .select_related("stage__division", "round", "table")
        .order_by("pk")
    )
    acts: dict[uuid.UUID, int] = {}
    return [_penalty(penalty, keys) | _of_the_desk(penalty, acts) for penalty in penalties]


def _penalty(penalty: Penalty, keys: dict[int, str]) -> Json:
    found: Json = {
        "player": keys[penalty.player_id],
        "division": penalty.stage.division.slug,
        "stage": penalty.stage.slug,
        "round": penalty.round.number if penalty.round else None,
        "table": penalty.table.number if penalty.table else None,
        # JSON knows no other decimals; one decimal survives exactly.
        "score": penalty.score / 10,
        "reason": tidy(penalty.reason),
        "infraction": penalty.infraction or None,
        "level": penalty.level or None,
    }
    if penalty.revoked_at is not None:
        found["revoked"] = tidy(penalty.revoke_reason)
    return found


def _of_the_desk(penalty: Penalty, acts: dict[uuid.UUID, int]) -> Json:
    """What the referee's desk keeps of a penalty; nothing of what is usual. ``acts`` numbers the acts by
    which several players were punished.
    """
    declined = penalty.status == Penalty.Status.DECLINED
    together = penalty.together and acts.setdefault(penalty.together, len(acts) + 1)
    facts: Json = {
        "hand": penalty.hand,
        "condition": penalty.condition,
        "units": penalty.units if penalty.units != 1 else None,
        "suggested": penalty.suggested,
        "win_ban": penalty.win_ban or None,
        "status": penalty.status if penalty.status != Penalty.Status.IN_FORCE else None,
        "decided": tidy(penalty.decide_reason) if declined else None,
        "together": together,
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def _adjustments(competition: Competition, keys: dict[int, str]) -> Json:
    """Points for rounds not played; nothing where there are none."""
    found = Adjustment.objects.filter(stage__division__competition=competition)
    given = found.select_related("stage__division", "round").order_by("pk")
    lines = [_adjustment(each, keys) for each in given]
    return {"adjustments": lines} if lines else {}


def _adjustment(adjustment: Adjustment, keys: dict[int, str]) -> Json:
    found: Json = {
        "player": keys[adjustment.player_id],
        "division": adjustment.stage.division.slug,
        "stage": adjustment.stage.slug,
        "round": adjustment.round.number if adjustment.round else None,
        "kind": adjustment.kind,
        "score": adjustment.score / 10,
        "reason": tidy(adjustment.reason),
    }
    if adjustment.revoked_at is not None:
        found["revoked"] = True
    return found
