"""The rules of one division: chosen, or changed setting by setting; once it was played, with a look at what
scores and ranks would change before anything does.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.competitions.forms.division_rules import MoveForm, Proposal
from league.competitions.queries.rule_changes import effect_of
from league.competitions.services import change_rules, has_sheets, keep_catalogue, needs_a_look, why_not
from league.core import pages
from league.core.access import Access, Can, enter
from league.core.changes import Form
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.core.forms import KeyedForm
from league.core.pages import SignedIn, sent
from league.models import Division, RuleSet
from league.penalty_rules.panels import choose_form
from league.penalty_rules.queries import left_behind
from league.rule_sets.panels import RuleChoiceForm, checked, is_check, rules_form
from league.rule_sets.queries.house_rules import edition_choice, every_edition
from league.rule_sets.queries.rule_sets import texts_of
from league.rule_sets.services import copied_rules
from league.rule_sets.words.editions import differences, rule_set_name

CONFLICT, UNPROCESSABLE = 409, 422
MOST_TABLES = 200  # of a stage, in the preview; the counts and the ranks are of all


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def division_rules(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Choose a preset or an edition of the league's own rules, and how points are settled."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    form = RuleChoiceForm(
        sent(request),
        chosen=_proposed(request, found),
        current=found.rule_set,
        editions=every_edition([access.competition.league]),
    )
    if request.method == "POST" and form.is_valid():
        return _give(request, access, found, form.rule_set(by=access.by), form)
    context = {
        "form": form,
        "division": found,
        "played": has_sheets(found),
        "now": rule_set_name(found.rule_set),
        "catalogue_form": choose_form(access, found),
    }
    return render(request, "competitions/division_rules.html", pages.context(access) | context)


def _proposed(request: HttpRequest, division: Division) -> str:
    """What is chosen when the page opens: what is played, or what the address proposes."""
    asked = request.GET.get("rules", "")
    if asked.startswith("own:"):
        return asked
    edition = division.rule_set
    return edition_choice(edition) if edition.book_id else edition.preset


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def division_rules_edit(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Every setting of the division's rules: they become its own copy."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    now = found.rule_set
    form = rules_form(sent(request), now)
    if is_check(request):
        return checked(request, form)
    status = UNPROCESSABLE if request.method == "POST" else 200
    if request.method == "POST" and form.is_valid():
        to = copied_rules(
            now.preset,
            form.settings(),
            edition=now.edition,
            chosen=form.chosen(),
            before=now.readings,
            by=access.by,
        )
        return _give(request, access, found, to, form)
    context = {
        "form": form,
        "division": found,
        "played": has_sheets(found),
        "now": rule_set_name(now),
        "edition": now if now.book_id else None,
    }
    return render(
        request, "competitions/division_rules_edit.html", pages.context(access) | context, status=status
    )


# --- given at once, or shown first


def _give(
    request: SignedIn, access: Access, division: Division, to: RuleSet, form: KeyedForm
) -> HttpResponse:
    """Give a division these rules, or show first what would change for what was played and logged."""
    keep_catalogue(to, division.rule_set)
    if _is_same(division.rule_set, to):
        messages.info(request, _("Nothing was different: the rules stay as they were."))
        return redirect("competitions:manage", access.competition.slug)
    if needs_a_look(division, to):
        return _preview(request, access, division, to)
    return _change(request, access, division, to, form=form.submission(division.pk))


def _is_same(now: RuleSet, to: RuleSet) -> bool:
    if to.book_id is not None or now.book_id is not None:
        return to.pk == now.pk
    return (to.preset, to.rules, texts_of(to)) == (now.preset, now.rules, texts_of(now))


def _change(
    request: SignedIn,
    access: Access,
    division: Division,
    to: RuleSet,
    *,
    form: Form,
    confirmed: MoveForm | None = None,
) -> HttpResponse:
    reason = confirmed.cleaned_data["reason"] if confirmed else ""
    seen = confirmed.cleaned_data["proposal"][1] if confirmed else None
    try:
        change_rules(division=division, to=to, seen=seen, reason=reason, by=request.user, form=form)
    except AlreadyDone:
        pass
    except OutOfDate as refusal:
        access = enter(request.user, access.competition.slug, Can.ORGANIZE)
        division = access.division(division.slug)
        return _preview(
            request, access, division, _again(to), reason=reason, refusal=str(refusal), status=CONFLICT
        )
    except Refused as refusal:
        return _preview(
            request, access, division, to, reason=reason, refusal=str(refusal), status=UNPROCESSABLE
        )
    messages.success(request, _("The rules of %(division)s are saved.") % {"division": division.name})
    return redirect("competitions:manage", access.competition.slug)


def _again(to: RuleSet) -> RuleSet:
    """An edition as it is now; a copy as it was proposed."""
    return RuleSet.objects.select_related("book").get(pk=to.pk) if to.book_id else to


def _preview(
    request: SignedIn,
    access: Access,
    division: Division,
    to: RuleSet,
    *,
    reason: str = "",
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """What would change. The revision was read before the facts, so that it is never newer than they are."""
    keep_catalogue(to, division.rule_set)
    proposal = Proposal(division, to, access.competition.revision)
    effect = effect_of(division, to)
    context = {
        "division": division,
        "now": rule_set_name(division.rule_set),
        "then": rule_set_name(to),
        "is_copy": to.book_id is None,
        "differences": differences(division.rules.as_values(), to.rules.as_values()),
        "effect": effect,
        "left": left_behind(division, to),
        "why_not": why_not(effect),
        "refusal": refusal,
        "form": MoveForm(division=division, initial={"proposal": proposal.signed(), "reason": reason}),
        "most_tables": MOST_TABLES,
        "tables_slice": f":{MOST_TABLES}",
    }
    return render(
        request, "competitions/division_rules_preview.html", pages.context(access) | context, status=status
    )


@never_cache
@require_POST
def division_rules_move(request: SignedIn, slug: str, division: str) -> HttpResponse:
    """Confirm what was previewed."""
    access = enter(request.user, slug, Can.ORGANIZE)
    found = access.division(division)
    form = MoveForm(request.POST, division=found)
    form.is_valid()
    if {"proposal", "key"} & form.errors.keys():
        messages.error(request, _("This page was out of date. Choose the rules again."))
        return redirect("competitions:division_rules", slug, division)
    to, _seen = form.cleaned_data["proposal"]
    if form.errors:
        refusal = " ".join(map(str, form["reason"].errors))
        return _preview(request, access, found, to, refusal=refusal, status=UNPROCESSABLE)
    return _change(request, access, found, to, form=_submission(form, found), confirmed=form)


def _submission(form: MoveForm, division: Division) -> Form:
    """By what was sent: the rules that were read from it are new objects each time."""
    typed = {name: form.data.get(name, "") for name in ("proposal", "reason")}
    return Form.of(form.cleaned_data["key"], "MoveForm", typed, division.pk)
