"""Facts of a division for the forms of federations. Unpublished results count.

A fact has the name that a form uses, an explanation, and the path of an attribute or a function, which
returns its value.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeAlias

from django.utils import dateformat, translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.counted import counted_penalties
from league.models import Competition, Division, Entrant, Penalty
from league.play.hands.words.penalties import PenaltyLine, penalty_lines
from league.ranking.standings.queries.overall import OverallRow, overall
from league.rules.rule_sets.words.editions import rule_set_name
from players.countries import three_letters
from players.models import FederationNumber
from scoring.federations import Tournament
from scoring.units import WINDS, Score, rounded

Facts: TypeAlias = Mapping[str, tuple[Promise, str | Callable[[Any], object]]]

_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")  # T., J.-P.
_LONGEST_PREFIX = 4  # letters, as in FitzGERALD
NO_NUMBER = "-1"  # of a player who is not in EMA's list, as the readers of its form expect


class SplitName(NamedTuple):
    first: str
    last: str


@dataclass(frozen=True)
class Line:
    """A player with a game. Players without a rank share the place after the last rank."""

    place: int
    row: OverallRow
    entrant: Entrant
    ema_number: str

    @cached_property
    def names(self) -> SplitName:
        player = self.row.player
        return split_name(player.romanized or player.name)

    @property
    def games(self) -> int:
        return sum(line.row.games for line in self.row.lines if line)

    @property
    def penalty(self) -> Score:
        return sum((line.row.penalty for line in self.row.lines if line), start=0)

    def count(self, place: int) -> int:
        """Return the number of games in which the player came in this place, 0 for the first."""
        return sum(line.row.places[place] for line in self.row.lines if line)


@dataclass(frozen=True)
class Report:
    division: Division

    @property
    def competition(self) -> Competition:
        return self.division.competition

    @cached_property
    def lines(self) -> Sequence[Line]:
        """Return the players in order. Queries: those of the overall ranking, and 2."""
        every = overall(self.division, public=False).rows
        rows = [row for row in every if any(line.row.played for line in row.lines if line)]
        entrants = Entrant.objects.filter(competition=self.competition).select_related("team")
        numbers = FederationNumber.objects.filter(
            federation=FederationNumber.EMA, player__entrants__competition=self.competition
        )
        known = dict(numbers.values_list("player", "number"))
        by_player = {entrant.player_id: entrant for entrant in entrants}
        last = sum(row.rank is not None for row in rows) + 1
        return [
            Line(row.rank or last, row, by_player[row.player.player], known.get(row.player.player, ""))
            for row in rows
        ]

    @property
    def last_day(self) -> date | None:
        return self.competition.last_day or self.competition.first_day

    @property
    def day_count(self) -> int:
        first = self.competition.first_day
        return (self.last_day - first).days + 1 if first and self.last_day else 0

    @property
    def period(self) -> str:
        """Return "12-13 September 2026", in English, as EMA writes it."""
        first, last = self.competition.first_day, self.last_day
        if not first or not last:
            return ""
        with translation.override("en"):
            end = dateformat.format(last, "j F Y")
            if first == last:
                return end
            if (first.year, first.month) == (last.year, last.month):
                return f"{first.day}-{end}"
            return f"{dateformat.format(first, 'j F' if first.year == last.year else 'j F Y')} - {end}"

    @property
    def weight(self) -> float:
        """Return the MERS weight by players, countries and days, without that of a qualification."""
        countries = {line.row.player.country for line in self.lines} - {""}
        return float(
            Tournament(players=len(self.lines), countries=len(countries), days=self.day_count).weight
        )

    def penalties(self) -> list[PenaltyLine]:
        """Return the penalties in force, oldest first. One query."""
        found = counted_penalties(Penalty.objects.filter(stage__division=self.division), public=False)
        ordered = found.select_related("player", "round", "table").order_by("created_at", "pk")
        return penalty_lines(ordered, self.division.rule_set)


def reports_of(competition: Competition, **which: object) -> list[Report]:
    found = competition.divisions.select_related("rule_set__book", "rule_set__own_catalogue")
    reports = [Report(each) for each in found.filter(**which)]
    for report in reports:
        report.division.competition = competition
    return reports


def report_of(competition: Competition, **which: object) -> Report:
    (report,) = reports_of(competition, **which)
    return report


def split_name(name: str) -> SplitName:
    """Split the one name of a player into first name and LAST NAME for forms. Either may be empty.

    A comma splits "Berg, Anna". Otherwise words in capitals are the last name (SATO T., McDONALD Ann, Maria
    DE LA CRUZ). Without them it is the last word with the lower-case words before it (Jan van der Berg).
    """
    last, comma, first = name.partition(",")
    if comma:
        return SplitName(first.strip(), last.strip().upper())
    words = name.split()
    loud = [_is_in_capitals(word) for word in words]
    if any(loud) and not all(loud):
        first, last = (
            " ".join(word for word, is_loud in zip(words, loud, strict=True) if is_loud == part)
            for part in (False, True)
        )
        return SplitName(first, last.replace("ß", "SS"))
    start = len(words) - 1
    while start > 1 and words[start - 1][:1].islower():
        start -= 1
    return SplitName(" ".join(words[:start]), " ".join(words[start:]).upper())


def _is_in_capitals(word: str) -> bool:
    """Return whether a word is a last name in capitals, perhaps behind a prefix: SATO, STRAßE, McDONALD."""
    letters = [letter for letter in word.replace("ß", "SS") if letter.isalpha()]
    capitals = sum(1 for _letter in takewhile(str.isupper, reversed(letters)))
    if capitals == len(letters):
        return bool(letters) and len(word) > 1 and not _INITIALS.fullmatch(word)
    return capitals > 1 and len(letters) - capitals <= _LONGEST_PREFIX


def _alpha3(country: str) -> str:
    return three_letters().get(country, "")


def tenths(score: Score) -> float:
    return float(score / 10)


# --- by name

SINGLE: Final[Facts] = {
    "tournament": (_("Name of the competition"), "competition.name"),
    "short_name": (_("Short name of the competition"), "competition.short_name"),
    "division": (_("Name of the division"), "division.name"),
    "league": (_("Name of the league"), "competition.league.name"),
    "venue": (_("Venue"), "competition.place"),
    "city": (_("City"), "competition.city"),
    "country": (_("Country of the venue, two letters"), "competition.country"),
    "country3": (_("Country of the venue, three letters"), lambda of: _alpha3(of.competition.country)),
    "first_day": (_("First day"), "competition.first_day"),
    "last_day": (_("Last day"), "last_day"),
    "date": (_("Last day as 31.12.2026"), lambda of: f"{of.last_day:%d.%m.%Y}" if of.last_day else ""),
    "period": (_("First and last day in English words"), "period"),
    "days": (_("Number of days"), lambda of: of.day_count or None),
    "participants": (_("Number of players with a game"), lambda of: len(of.lines)),
    "mers": (_("MERS weight"), "competition.mers_weight"),
    "rules": (_("Rule set"), lambda of: rule_set_name(of.division.rule_set)),
}
PLAYER: Final[Facts] = {
    "player.place": (_("Place in the ranking, shared by tied players"), "place"),
    "player.name": (pgettext_lazy("of a person", "Name"), "row.player.name"),
    "player.first_name": (_("First name"), "names.first"),
    "player.last_name": (_("Last name in capitals"), "names.last"),
    "player.romanized": (_("Romanized name"), "row.player.romanized"),
    "player.ema_number": (_("EMA number, -1 without one"), lambda of: of.ema_number or NO_NUMBER),
    "player.ema_member": (
        _("1 for a player with an EMA number, 0 for others"),
        lambda of: int(bool(of.ema_number)),
    ),
    "player.country": (_("Country of the player, two letters"), "row.player.country"),
    "player.country3": (_("Country of the player, three letters"), lambda of: _alpha3(of.row.player.country)),
    "player.club": (_("Club"), "row.player.club"),
    "player.team": (_("Team"), lambda of: of.entrant.team.name if of.entrant.team else ""),
    "player.games": (_("Games that count"), "games"),
    "player.firsts": (_("Number of first places"), lambda of: of.count(0)),
    "player.seconds": (_("Number of second places"), lambda of: of.count(1)),
    "player.thirds": (_("Number of third places"), lambda of: of.count(2)),
    "player.fourths": (_("Number of fourth places"), lambda of: of.count(3)),
    "player.penalty": (_("Sum of the penalties"), lambda of: tenths(of.penalty)),
    "player.total": (_("Total, for example 45.2"), lambda of: tenths(of.row.total)),
    "player.points": (_("Total in whole points, for example 45200"), lambda of: rounded(of.row.total * 100)),
}


def _seat_facts(wind: str, at: int) -> Facts:
    return {
        f"table.{wind}": (_("Player in this seat"), lambda of: of.players[at].name),
        f"table.{wind}_points": (_("Points of this seat"), lambda of: of.points[at]),
        f"table.{wind}_score": (_("Score of this seat"), lambda of: tenths(of.seats[at].score)),
    }


TABLE: Final[Facts] = {
    "table.stage": (_("Stage"), "stage_name"),
    "table.round": (_("Number of the round"), "round"),
    "table.date": (_("Day of the table"), "date"),
    "table.number": (_("Number of the table"), "number"),
    **{name: fact for at, wind in enumerate(WINDS) for name, fact in _seat_facts(wind, at).items()},
}
PENALTY: Final[Facts] = {
    "penalty.player": (_("Name of the player"), "penalty.player.name"),
    "penalty.score": (_("Score of the penalty, for example -20"), lambda of: tenths(of.penalty.score)),
    "penalty.level": (_("Level"), "penalty.level"),
    "penalty.offence": (_("Offence"), "offence"),
    "penalty.reason": (_("Remark of the referee"), "penalty.reason"),
    "penalty.round": (_("Number of the round"), "penalty.round.number"),
    "penalty.table": (_("Number of the table"), "penalty.table.number"),
}
GROUPS: Final = (
    (pgettext_lazy("names in a form", "Once"), SINGLE),
    (pgettext_lazy("names in a form", "A row per player"), PLAYER),
    (pgettext_lazy("names in a form", "A row per table"), TABLE),
    (pgettext_lazy("names in a form", "A row per penalty"), PENALTY),
)
KNOWN: Final = frozenset(name for _title, facts in GROUPS for name in facts)


def values_of(facts: Facts, things: Iterable[object]) -> list[dict[str, Any]]:
    """Return name → value for each thing. A path that ends early has the value None."""
    return [{name: _value(thing, source) for name, (_words, source) in facts.items()} for thing in things]


def _value(thing: Any, source: str | Callable[[Any], object]) -> Any:
    if callable(source):
        return source(thing)
    for name in source.split("."):
        thing = getattr(thing, name, None)
    return thing
