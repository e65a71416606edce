"""What the worker makes for this room: forms that are filled in, and certificates."""

from collections.abc import Callable

from django.utils import translation
from django_tasks import task

from league.core.apart import TooHeavy
from league.core.kept_files import CannotMake, keep_file
from league.core.pdf import NoPdf
from league.core.tasks import FILES
from league.extras.reports.exports.certificates import certificates_pdf
from league.extras.reports.exports.filling import FormProblem
from league.extras.reports.exports.forms import ema_file, federation_file
from league.extras.reports.queries import report_of
from league.models import Competition, FederationForm

HEAVY, BROKEN = "heavy", "broken"  # codes of refusals; others are packages that this machine lacks


def _keep(key: str, language: str, make: Callable[[Competition], bytes]) -> None:
    def write(found: Competition) -> bytes:
        try:
            return make(found)
        except TooHeavy as error:
            raise CannotMake(HEAVY) from error
        except (FormProblem, FederationForm.DoesNotExist) as error:
            raise CannotMake(BROKEN) from error
        except NoPdf as error:
            raise CannotMake(*error.args) from error

    with translation.override(language):
        keep_file(key, write)


@task(queue_name=FILES)
def write_ema(key: str, division: int, fmt: str, public: bool, language: str, *, competition: int) -> None:
    _keep(key, language, lambda found: ema_file(report_of(found, pk=division), fmt))


@task(queue_name=FILES)
def write_form(
    key: str, division: int, form: int, changed: str, public: bool, language: str, *, competition: int
) -> None:
    """Fill a form. ``changed``: the time of its present content, so that a new content makes a new file."""

    def make(found: Competition) -> bytes:
        kept = FederationForm.objects.get(league=found.league_id, pk=form)
        return federation_file(report_of(found, pk=division), bytes(kept.content))

    _keep(key, language, make)


@task(queue_name=FILES)
def write_certificates(
    key: str, paper: str, of: str, first: int, logo: str, public: bool, language: str, *, competition: int
) -> None:
    """Make the PDF file. ``logo``: the time of the league's present logo."""
    _keep(key, language, lambda found: certificates_pdf(found, paper, of, first))
