"""Certificates and final standings as a PDF file, with the league's logo."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy

from league.core.files.xlsx import display_width
from league.core.pdf import make_pdf
from league.models import Competition, Logo
from league.reports.queries import Report
from league.reports.words import place_words
from league.teams.queries import team_ranking
from scoring.units import Score

CERTIFICATES, STANDINGS, TEAMS = "certificates", "standings", "teams"
PAPERS: Final = {
    CERTIFICATES: gettext_lazy("Certificates, one page each"),
    STANDINGS: gettext_lazy("Final standings as a list"),
}
HOST: Final = "http://localhost"  # of addresses in the page that becomes the file
LONG_NAME, LONGEST_NAME = 22, 44  # widths from which the letters are smaller


class Wanted(NamedTuple):
    """``of``: the address of a division, or `TEAMS`. ``first``: how many places, or 0 for all."""

    paper: str
    of: str
    first: int


class Winner(NamedTuple):
    """``people``: the members of a team."""

    place: int
    name: str
    romanized: str
    total: Score
    games: int
    more: str  # club and country
    people: Sequence[str] = ()

    @property
    def place_words(self) -> str:
        return place_words(self.place)

    @property
    def size(self) -> str:
        width = display_width(self.name)
        return "longest" if width > LONGEST_NAME else "long" if width > LONG_NAME else "usual"


def certificates_pdf(competition: Competition, wanted: Wanted) -> bytes:
    """Return the file. Raises what ``make_pdf`` raises."""
    found = Logo.objects.filter(league=competition.league_id).first()
    return make_pdf(
        certificates_page(competition, wanted, logo=bytes(found.content) if found else b""),
        address=f"{HOST}/",
        static=f"{HOST}/{settings.STATIC_URL.lstrip('/')}",
        folders=[*map(str, settings.STATICFILES_DIRS), str(settings.STATIC_ROOT)],
    )


def certificates_page(competition: Competition, wanted: Wanted, *, logo: bytes) -> str:
    """Return the page from which the file is made. ``logo``: a PNG file, or empty."""
    people, division = _winners(competition, wanted.of)
    chosen = [each for each in people if not wanted.first or each.place <= wanted.first]
    values: dict[str, Any] = {
        "competition": competition,
        "division": division,
        "is_sole": wanted.of == TEAMS or competition.divisions.count() == 1,
        "winners": chosen,
        "count": len(people),
        "of_teams": wanted.of == TEAMS,
        "last_day": competition.last_day or competition.first_day,
        "logo": f"data:image/png;base64,{b64encode(logo).decode()}" if logo else "",
    }
    return render_to_string(f"reports/{wanted.paper}.html", values)


def _winners(competition: Competition, of: str) -> tuple[list[Winner], str]:
    """Return the ranked players of the division or the teams, and the division's name."""
    if of == TEAMS:
        lines = team_ranking(competition, public=False)
        return [
            Winner(
                line.row.rank,
                line.team.name,
                "",
                line.row.total,
                line.row.games,
                "",
                [each.player.name for each in line.members],
            )
            for line in lines
            if line.row.games
        ], ""
    division = competition.divisions.select_related("rule_set").get(slug=of)
    division.competition = competition
    return [
        Winner(
            line.place,
            line.row.player.name,
            line.row.player.romanized,
            line.row.total,
            sum(each.row.games for each in line.row.lines if each),
            " · ".join(filter(None, (line.row.player.club, line.row.player.country))),
        )
        for line in Report(division).lines
        if line.row.rank is not None
    ], division.name
