"""Which catalogue of offences a division plays by, for the organizer: chosen with a look at what penalties
that were logged already name and another catalogue lacks.
"""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core import pages
from league.core.access import Access, Can, enter, owns
from league.core.forms import attempt
from league.core.pages import SignedIn, sent
from league.models import Division, RuleSet
from league.penalty_rules.panels import CatalogueChoiceForm, choose_form
from league.penalty_rules.queries import LeftBehind, left_behind
from league.penalty_rules.services import choose_catalogue

UNPROCESSABLE = 422


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: SignedIn, slug: str, division: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    form = choose_form(access, found, sent(request))
    if request.method == "POST" and form.is_valid():
        if not form.was_seen and (left := left_behind(found, _with(found.rule_set, form))):
            return _page(request, access, found, choose_form(access, found, _told(request.POST, form)), left)
        if _save(form, access, found):
            messages.success(request, _("The catalogue of %(division)s is saved.") % {"division": found.name})
            return redirect("penalty_rules:division", slug, division)
    return _page(request, access, found, form)


def _save(form: CatalogueChoiceForm, access: Access, division: Division) -> bool:
    return attempt(
        form,
        lambda: choose_catalogue(
            division=division,
            slug=form.slug,
            own=form.chosen_own,
            by=access.by,
            form=form.submission("catalogue", division.pk),
        ),
    )


def _page(
    request: SignedIn,
    access: Access,
    division: Division,
    form: CatalogueChoiceForm,
    left: Sequence[LeftBehind] = (),
) -> HttpResponse:
    """The form; with what would be ``left`` behind it is not saved yet."""
    context = {
        "form": form,
        "division": division,
        "left": left,
        "owns_league": owns(request.user, access.competition.league),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(
        request, "competitions/division_penalty_rules.html", pages.context(access) | context, status=status
    )


def _with(rules: RuleSet, form: CatalogueChoiceForm) -> RuleSet:
    """The rule set with the catalogue that was chosen, to look at."""
    return RuleSet(preset=rules.preset, catalogue=form.slug, own_catalogue=form.chosen_own)


def _told(data: QueryDict, form: CatalogueChoiceForm) -> QueryDict:
    """The same choice, once the page has told what it means for logged penalties: sent again, it is saved."""
    told: QueryDict = data.copy()
    told["seen"] = form.cleaned_data["catalogue"]
    return told
