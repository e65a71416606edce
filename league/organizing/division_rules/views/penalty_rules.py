"""The choice of a division's penalty rules."""

from collections.abc import Sequence
from typing import cast

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from league.core.access import Access, Can, owns
from league.core.pages import page, posted, save, writes
from league.models import Division, RuleSet
from league.rules.penalty_rules.panels import CatalogueChoiceForm, choose_form
from league.rules.penalty_rules.queries import LeftBehind, left_behind
from league.rules.penalty_rules.services import choose_catalogue


@writes(Can.ORGANIZE)
def choose(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    """Choose penalty rules, after a look at logged penalties whose offences the new ones lack."""
    division_row = access.division(division)
    form = choose_form(access, division_row, posted(request))
    if form.is_valid() and not form.was_seen and (left := _find_left_behind(division_row, form)):
        # The page shows what the choice means for logged penalties: sent again, it is saved.
        data = cast("QueryDict", request.POST).copy()
        data["seen"] = form.cleaned_data["catalogue"]
        return _catalogue_page(
            request, access, division_row, choose_form(access, division_row, data), left, status=200
        )
    return save(
        request,
        form,
        lambda sent: choose_catalogue(division=division_row, **form.values(), by=access.by, form=sent),
        about=("catalogue", division_row.pk),
        done=_("Penalty rules of %(division)s saved.") % {"division": division_row.name},
        then=access.address("penalty_rules:division", division),
    ) or _catalogue_page(request, access, division_row, form)


def _find_left_behind(division: Division, form: CatalogueChoiceForm) -> Sequence[LeftBehind]:
    chosen = form.values()
    rules = RuleSet(preset=division.rule_set.preset, catalogue=chosen["slug"], own_catalogue=chosen["own"])
    return left_behind(division, rules)


def _catalogue_page(
    request: HttpRequest,
    access: Access,
    division: Division,
    form: CatalogueChoiceForm,
    left: Sequence[LeftBehind] = (),
    status: int = 0,
) -> HttpResponse:
    return page(
        request,
        access,
        "division_rules/penalty_rules.html",
        status=status,
        form=form,
        division=division,
        left=left,
        owns_league=owns(access.user, access.competition.league),
    )
