from typing import Any

from django.utils.translation import gettext as _

from league.core.access import Access, owns
from league.core.search import sole
from league.extras.reports.exports.certificates import TEAMS
from league.extras.reports.exports.forms import ema_problems
from league.extras.reports.forms import CertificatesForm, FactsForm
from league.extras.reports.queries import reports_of
from league.models import Competition, FederationForm, Logo


def report_files(access: Access, refused: FactsForm | None) -> dict[str, Any]:
    """Return the values of `reports/_files.html`. `refused`: the form of facts that has errors."""
    competition = access.competition
    reports = reports_of(competition)
    facts = refused or FactsForm(competition=competition)
    played = sole([report for report in reports if report.lines])
    if played and played.last_day:
        facts.propose_weight(played.weight)
    return {
        "facts": facts,
        "of_divisions": [(report.division, list(ema_problems(report))) for report in reports],
        "forms": FederationForm.objects.filter(league=competition.league_id).defer("content"),
        "owns_league": owns(access.by, competition.league),
        "certificates": CertificatesForm(choices=certificate_choices(competition)),
        "has_logo": Logo.objects.filter(league=competition.league_id).exists(),
    }


def certificate_choices(competition: Competition) -> list[tuple[str, str]]:
    choices = [(part.slug, part.name) for part in competition.divisions.all()]
    return [*choices, (TEAMS, _("Teams"))] if competition.team_play != "none" else choices
