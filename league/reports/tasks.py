"""What the worker makes for this room: forms that are filled in, and certificates."""

from django.utils import translation
from django_tasks import task

from league.core.apart import TooHeavy
from league.core.kept_files import CannotMake, keep_file
from league.core.pdf import NoPdf
from league.core.tasks import FILES
from league.models import Competition, Division, FederationForm
from league.reports.exports.certificates import Wanted, certificates_pdf
from league.reports.exports.filling import FormProblem
from league.reports.exports.forms import ema_file, federation_file

HEAVY, BROKEN = "heavy", "broken"  # codes of refusals; others are packages that this machine lacks


@task(queue_name=FILES)
def write_ema(key: str, division: int, fmt: str, public: bool, language: str, *, competition: int) -> None:
    keep_file(key, lambda found: ema_file(_division(found, division), fmt))


@task(queue_name=FILES)
def write_form(
    key: str, division: int, form: int, changed: str, public: bool, language: str, *, competition: int
) -> None:
    """Fill a form. ``changed``: the time of its present content, so that a new content makes a new file."""

    def write(found: Competition) -> bytes:
        kept = FederationForm.objects.filter(league=found.league_id, pk=form).first()
        if kept is None:
            raise CannotMake(BROKEN)
        try:
            return federation_file(_division(found, division), bytes(kept.content))
        except TooHeavy as error:
            raise CannotMake(HEAVY) from error
        except FormProblem as error:
            raise CannotMake(BROKEN) from error

    with translation.override(language):
        keep_file(key, write)


@task(queue_name=FILES)
def write_certificates(
    key: str,
    paper: str,
    of: str,
    first: int,
    logo: str,
    public: bool,
    language: str,
    *,
    competition: int,
) -> None:
    """Make the PDF file. ``logo``: the time of the league's present logo."""

    def write(found: Competition) -> bytes:
        try:
            return certificates_pdf(found, Wanted(paper, of, first))
        except TooHeavy as error:
            raise CannotMake(HEAVY) from error
        except NoPdf as error:
            raise CannotMake(error.args[0]) from error

    with translation.override(language):
        keep_file(key, write)


def _division(competition: Competition, pk: int) -> Division:
    found = competition.divisions.select_related("rule_set__book", "rule_set__own_catalogue").get(pk=pk)
    found.competition = competition
    return found
