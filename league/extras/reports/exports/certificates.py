"""Certificates and final standings as a PDF file, with the league's logo."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy, pgettext

from league.core.files.xlsx import display_width
from league.core.pdf import make_pdf
from league.extras.reports.queries import Report, report_of
from league.models import Competition, Logo
from league.ranking.teams.queries import team_ranking

CERTIFICATES, STANDINGS, TEAMS = "certificates", "standings", "teams"
PAPERS: Final = {
    CERTIFICATES: gettext_lazy("Certificates, one page each"),
    STANDINGS: gettext_lazy("Final standings as a list"),
}
HOST: Final = "http://localhost"  # of addresses in the page that becomes the file
LONG_NAME, LONGEST_NAME = 22, 44  # widths from which the letters are smaller
Winner = dict[str, Any]  # what the templates show of a player or a team


def certificates_pdf(competition: Competition, paper: str, of: str, first: int) -> bytes:
    """Return the file. Raises what ``make_pdf`` raises.

    ``of``: the slug of a division, or `TEAMS`. ``first``: the number of places, or 0 for all.
    """
    found = Logo.objects.filter(league=competition.league_id).first()
    return make_pdf(
        certificates_page(competition, paper, of, first, logo=bytes(found.content) if found else b""),
        address=f"{HOST}/",
        static=f"{HOST}/{settings.STATIC_URL.lstrip('/')}",
        folders=[*map(str, settings.STATICFILES_DIRS), str(settings.STATIC_ROOT)],
    )


def certificates_page(competition: Competition, paper: str, of: str, first: int, *, logo: bytes) -> str:
    """Render the page that becomes the PDF file. ``logo``: a PNG file, or empty."""
    report = None if of == TEAMS else report_of(competition, slug=of)
    people = list(_players(report) if report else _teams(competition))
    values = {
        "competition": competition,
        "division": report.division.name if report else "",
        "is_sole": of == TEAMS or competition.divisions.count() == 1,
        "winners": [_dressed(person) for person in people if not first or person["place"] <= first],
        "count": len(people),
        "of_teams": of == TEAMS,
        "last_day": competition.last_day or competition.first_day,
        "logo": f"data:image/png;base64,{b64encode(logo).decode()}" if logo else "",
    }
    return render_to_string(f"reports/{paper}.html", values)


def _players(report: Report) -> Iterator[Winner]:
    for line in report.lines:
        player, row = line.row.player, line.row
        if row.rank is not None:
            facts = {"place": line.place, "name": player.name, "total": row.total, "games": line.games}
            more = " · ".join(filter(None, (player.club, player.country)))
            yield facts | {"romanized": player.romanized, "more": more}


def _teams(competition: Competition) -> Iterator[Winner]:
    for team, row, members in ((e.team, e.row, e.members) for e in team_ranking(competition, public=False)):
        if row.games:
            facts = {"place": row.rank, "name": team.name, "total": row.total, "games": row.games}
            yield facts | {"people": [member.player.name for member in members]}


def _dressed(winner: Winner) -> Winner:
    """Add the place in words, "1st place", and the size of the name's letters."""
    place, width = winner["place"], display_width(winner["name"])
    endings = {
        1: pgettext("certificate", "%(place)sst place"),
        2: pgettext("certificate", "%(place)snd place"),
        3: pgettext("certificate", "%(place)srd place"),
    }
    usual = pgettext("certificate", "%(place)sth place")
    words = usual if place % 100 in (11, 12, 13) else endings.get(place % 10, usual)
    size = "longest" if width > LONGEST_NAME else "long" if width > LONG_NAME else "usual"
    return winner | {"place_words": words % {"place": place}, "size": size}
