import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from league.models import Round, Stage
from league.people.members.queries import PlayerInfo, candidates
from league.play.results.queries.games import games_between
from league.play.substitutions.queries.adjustments import stage_adjustments
from scoring.rankings import RankedPlayer, Ranking, rank_by
from scoring.settlement import needs_ending
from scoring.standings import rank_players

_PERIOD = re.compile(r"(?!0000)([0-9]{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    year: int
    quarter: int | None = None
    month: int | None = None

    @property
    def code(self) -> str:
        """Return "2026", "2026-Q2" or "2026-05"."""
        if self.month is not None:
            return f"{self.year:04}-{self.month:02}"
        return f"{self.year:04}" + ("" if self.quarter is None else f"-Q{self.quarter}")

    @property
    def days(self) -> tuple[date, date]:
        first, last = self.month or 1, self.month or 12
        if self.quarter is not None:
            first, last = 3 * self.quarter - 2, 3 * self.quarter
        _weekday, days = monthrange(self.year, last)
        return date(self.year, first, 1), date(self.year, last, days)


def period_of(code: str) -> Period | None:
    match = _PERIOD.fullmatch(code)
    if match is None:
        return None
    year, *parts = match.groups()
    return Period(int(year), *(int(part) if part else None for part in parts))


def periods(stage: Stage, *, public: bool) -> list[Period]:
    """Return the months, quarters and years with rounds of the stage, each newest first. One query."""
    rounds = Round.objects.filter(stage=stage, date__isnull=False).order_by()
    if public:
        rounds = rounds.published()
    months = {(day.year, day.month) for day in rounds.values_list("date", flat=True).distinct() if day}
    kinds = (
        {Period(year, month=month) for year, month in months},
        {Period(year, quarter=(month + 2) // 3) for year, month in months},
        {Period(year) for year, _month in months},
    )
    return [each for kind in kinds for each in sorted(kind, key=lambda each: each.days, reverse=True)]


@dataclass(frozen=True, slots=True)
class RankingLine:
    player: PlayerInfo
    ranked: RankedPlayer
    guest: bool


def rankings(
    stage: Stage, asked: Sequence[Ranking], period: Period | None, *, public: bool, with_guests: bool = False
) -> list[list[RankingLine]]:
    """Return the lines of each ranking, without substitutes. Four queries."""
    competition, rules = stage.competition, stage.division.rules
    adjusted = stage_adjustments([stage.pk], public=public)
    games = games_between(
        stage.pk,
        period.days if period else None,
        statuses=competition.counted_statuses,
        public=public,
        with_endings=needs_ending(rules),
        substitutes=adjusted.substitutes,
    )
    people = candidates(competition)
    without = [player for player, info in people.items() if info.substitute]
    rows = rank_players(games, rules, without=without, tie_breaks=(), with_history=True)
    guests = {player for player, info in people.items() if info.guest}
    apart = () if with_guests else guests
    return [
        [
            RankingLine(people[each.player].info, each, each.player in guests)
            for each in rank_by(ranking, rows, apart=apart)
        ]
        for ranking in asked
    ]
