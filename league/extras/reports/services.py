"""Keep the forms and the logo of a league, and the facts that reports of a competition need."""

from typing import BinaryIO

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent, change, league_change, reread
from league.core.errors import Refused
from league.extras.reports.logos import safe_logo
from league.models import Competition, FederationForm, League, Logo
from league.models.querysets import remove

MOST_FORMS = 20


def set_report_facts(
    *, competition: Competition, by: User, form: Sent | None = None, **values: object
) -> Competition:
    """Set ``short_name``, ``city``, ``country`` and ``mers_weight``."""
    with change(competition, by=by, form=form, even_finished=True, public=False) as done:
        here = reread(Competition.objects.all(), pk=competition.pk)
        before = {name: _plain(getattr(here, name)) for name in values}
        for name, value in values.items():
            setattr(here, name, value)
        here.save(update_fields=list(values))
        after = {name: _plain(getattr(here, name)) for name in values}
        done.log("competition.report", f"competition:{here.pk}", before=before, after=after)
        return here


def _plain(value: object) -> object:
    return value if isinstance(value, str) or value is None else str(value)


def save_form(
    *, league: League, name: str, content: bytes, by: User, form: Sent | None = None
) -> FederationForm:
    """Keep a form that ``try_form`` has read. A form of the league with this name is replaced."""
    with league_change(league, by=by, form=form) as done:
        same = FederationForm.objects.filter(league=league, name=name).first()
        if same is None and FederationForm.objects.filter(league=league).count() >= MOST_FORMS:
            raise Refused(_("This league has many forms. Delete one first."))
        federation_form = same or FederationForm(league=league, name=name)
        federation_form.content, federation_form.changed_at = content, done.at
        federation_form.save()
        done.log("form.save", f"league:{league.pk}", after={"name": name})
        done.answer = {"form": federation_form.pk, "replaced": same is not None}
        return federation_form


def remove_form(*, federation_form: FederationForm, by: User, form: Sent | None = None) -> None:
    with league_change(federation_form.league, by=by, form=form) as done:
        reread(FederationForm.objects.all(), pk=federation_form.pk).delete()
        done.log("form.remove", f"league:{federation_form.league_id}", before={"name": federation_form.name})


def save_logo(*, league: League, logo: BinaryIO, by: User, form: Sent | None = None) -> Logo:
    """Keep the logo as `safe_logo` writes it. Raises what that raises."""
    content = safe_logo(logo)  # slow: before others have to wait
    with league_change(league, by=by, form=form) as done:
        defaults = {"content": content, "changed_at": done.at}
        row, _made = Logo.objects.update_or_create(league=league, defaults=defaults)
        done.log("logo.save", f"league:{league.pk}", after={"bytes": len(content)})
        return row


def remove_logo(*, league: League, by: User, form: Sent | None = None) -> None:
    with league_change(league, by=by, form=form) as done:
        if remove(Logo.objects.filter(league=league)):
            done.log("logo.remove", f"league:{league.pk}")
