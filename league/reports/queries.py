"""The facts of a division that forms of federations ask for, with all results, published or not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from league.core.counted import counted_penalties
from league.models import Competition, Division, Entrant, Penalty
from league.penalties.words import penalty_line
from league.penalty_rules.words.rulings import penalty_rules_of
from league.reports.names import split_name
from league.reports.words import MISSING, missing_countries, missing_names, wrong_number
from league.rule_sets.words.editions import rule_set_name
from league.standings.queries.overall import OverallRow, overall
from players.countries import three_letters
from players.models import FederationNumber
from scoring.ratings import Tournament
from scoring.units import Score, rounded

NO_NUMBER = "-1"  # of a player who is not in EMA's list, as the readers of its form expect
_NUMBER = re.compile(r"\d{8}", re.ASCII)
_FACTS = ("short_name", "city", "country", "mers_weight")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Line:
    """A player with a game. Players without a rank share the place after the last rank."""

    place: int
    row: OverallRow
    entrant: Entrant
    ema_number: str

    @property
    def names(self) -> tuple[str, str]:
        player = self.row.player
        return split_name(player.romanized or player.name)


@dataclass(frozen=True)
class Report:
    division: Division

    @property
    def competition(self) -> Competition:
        return self.division.competition

    @cached_property
    def lines(self) -> Sequence[Line]:
        """Return the players in order. Queries: those of the overall ranking, and 2."""
        rows = [each for each in overall(self.division, public=False).rows if _has_played(each)]
        entrants = Entrant.objects.filter(competition=self.competition).select_related("team")
        numbers = FederationNumber.objects.filter(
            federation=FederationNumber.EMA, player__entrants__competition=self.competition
        )
        known = dict(numbers.values_list("player", "number"))
        by_player = {each.player_id: each for each in entrants}
        last = sum(row.rank is not None for row in rows) + 1
        return [
            Line(row.rank or last, row, by_player[row.player.player], known.get(row.player.player, ""))
            for row in rows
        ]

    @cached_property
    def days(self) -> tuple[date, date] | None:
        first = self.competition.first_day
        return (first, self.competition.last_day or first) if first else None

    @property
    def day_count(self) -> int:
        return (self.days[1] - self.days[0]).days + 1 if self.days else 0

    @property
    def weight(self) -> float:
        """Return the MERS weight by players, countries and days, without that of a qualification."""
        countries = {line.row.player.country for line in self.lines} - {""}
        return float(
            Tournament(players=len(self.lines), countries=len(countries), days=self.day_count).weight
        )

    # --- by name

    def facts(self) -> dict[str, Any]:
        """Return name → value of `words.SINGLE`."""
        here, days = self.competition, self.days
        return {
            "tournament": here.name,
            "short_name": here.short_name,
            "division": self.division.name,
            "league": here.league.name,
            "venue": here.place,
            "city": here.city,
            "country": here.country,
            "country3": three_letters().get(here.country, ""),
            "first_day": days and days[0],
            "last_day": days and days[1],
            "date": f"{days[1]:%d.%m.%Y}" if days else "",
            "period": _period(*days) if days else "",
            "days": self.day_count or None,
            "participants": len(self.lines),
            "mers": None if here.mers_weight is None else float(here.mers_weight),
            "rules": rule_set_name(self.division.rule_set),
        }

    def players(self) -> list[dict[str, Any]]:
        return [_named("player", _player_facts(line)) for line in self.lines]

    def penalties(self) -> list[dict[str, Any]]:
        """Return the penalties in force, oldest first. One query."""
        found = counted_penalties(
            Penalty.objects.filter(stage__division=self.division), public=False
        ).select_related("player", "round", "table")
        rules = penalty_rules_of(self.division.rule_set)
        return [
            _named(
                "penalty",
                {
                    "player": each.player.name,
                    "score": float(each.score / 10),
                    "level": each.level,
                    "offence": penalty_line(each, rules).offence,
                    "reason": each.reason,
                    "round": each.round.number if each.round else None,
                    "table": each.table.number if each.table else None,
                },
            )
            for each in found.order_by("created_at", "pk")
        ]

    # --- what EMA's form lacks

    def problems(self) -> Iterator[str]:
        """Yield a sentence per fact that EMA's form needs and that is missing or wrong, with its players."""
        if not self.lines:
            yield str(MISSING["players"])
        for name in _FACTS:
            if getattr(self.competition, name) in (None, ""):
                yield str(MISSING[name])
        if self.days is None:
            yield str(MISSING["first_day"])
        players = [line.row.player for line in self.lines]
        if alone := [line.row.player.name for line in self.lines if not all(line.names)]:
            yield missing_names(alone)
        if stateless := [each.name for each in players if each.country not in three_letters()]:
            yield missing_countries(stateless)
        for line in self.lines:
            if line.ema_number and not _NUMBER.fullmatch(line.ema_number):
                yield wrong_number(line.row.player.name, line.ema_number)


def _has_played(row: OverallRow) -> bool:
    return any(line.row.played for line in row.lines if line)


def _player_facts(line: Line) -> dict[str, Any]:
    player, row, entrant = line.row.player, line.row.line.row, line.entrant
    every = [each.row for each in line.row.lines if each]
    first, last = line.names
    firsts, seconds, thirds, fourths = (sum(each.places[at] for each in every) for at in range(4))
    return {
        "place": line.place,
        "name": player.name,
        "first_name": first,
        "last_name": last,
        "romanized": player.romanized,
        "ema_number": line.ema_number or NO_NUMBER,
        "ema_member": int(bool(line.ema_number)),
        "country": player.country,
        "country3": three_letters().get(player.country, ""),
        "club": player.club,
        "team": entrant.team.name if entrant.team else "",
        "games": sum(each.games for each in every),
        "firsts": firsts,
        "seconds": seconds,
        "thirds": thirds,
        "fourths": fourths,
        "penalty": tenths(sum((each.penalty for each in every), start=0)),
        "total": tenths(row.total),
        "points": rounded(row.total * 100),
    }


def tenths(score: Score) -> float:
    return float(score / 10)


def _named(block: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{block}.{name}": value for name, value in facts.items()}


def _period(first: date, last: date) -> str:
    """Return "12-13 September 2026", in English, as EMA writes it."""
    end = f"{last.day} {_MONTHS[last.month - 1]} {last.year}"
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{end}"
    year = f" {first.year}" if first.year != last.year else ""
    return f"{first.day} {_MONTHS[first.month - 1]}{year} - {end}"
