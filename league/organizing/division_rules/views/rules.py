"""The rules of a division: chosen, or changed setting by setting.

For a division that was played, the page first shows which scores, ranks and words of penalties would change.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.core.access import Access, Can, enter
from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.core.forms import KeyedForm
from league.core.pages import page, posted, takes, writes
from league.models import Division, RuleSet
from league.organizing.division_rules.forms import MoveForm, RulesProposal
from league.organizing.division_rules.queries import effect_of
from league.organizing.division_rules.services import (
    Seen,
    change_rules,
    explain_impossible,
    has_sheets,
    keep_catalogue,
    needs_a_look,
)
from league.ranking.standings.words import kind_words
from league.rules.penalty_rules.panels import choose_form
from league.rules.penalty_rules.queries import left_behind
from league.rules.rule_sets.panels import RuleChoiceForm, check_response, is_check, rules_form
from league.rules.rule_sets.queries.house_rules import edition_choice, every_edition
from league.rules.rule_sets.queries.rule_sets import texts_of
from league.rules.rule_sets.services import copied_rules
from league.rules.rule_sets.words.editions import differences, rule_set_name

CONFLICT = 409
MOST_TABLES = 200  # of a stage, in the preview; the counts and the ranks are of all


@writes(Can.ORGANIZE)
def choose(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    division_row = access.division(division)
    form = RuleChoiceForm(
        posted(request),
        proposed=_propose(request, division_row),
        current=division_row.rule_set,
        editions=every_edition([access.competition.league]),
    )
    if form.is_valid():
        return _give(request, access, division_row, form.rule_set(by=access.by), form)
    return page(
        request,
        access,
        "division_rules/choose.html",
        form=form,
        division=division_row,
        played=has_sheets(division_row),
        now=rule_set_name(division_row.rule_set),
        catalogue_form=choose_form(access, division_row),
    )


def _propose(request: HttpRequest, division: Division) -> str:
    asked = request.GET.get("rules", "")
    if asked.startswith("own:"):
        return asked
    edition = division.rule_set
    return edition_choice(edition) if edition.book_id else edition.preset


@writes(Can.ORGANIZE)
def edit(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    division_row = access.division(division)
    now = division_row.rule_set
    form = rules_form(posted(request), now)
    if is_check(request):
        return check_response(request, form)
    if form.is_valid():
        to = copied_rules(
            now.preset,
            form.settings(),
            edition=now.edition,
            texts=form.chosen_texts(),
            before=now.readings,
            by=access.by,
        )
        return _give(request, access, division_row, to, form)
    return page(
        request,
        access,
        "division_rules/edit.html",
        form=form,
        division=division_row,
        played=has_sheets(division_row),
        now=rule_set_name(now),
        edition=now if now.book_id else None,
    )


# --- given at once, or shown first


def _give(
    request: HttpRequest, access: Access, division: Division, to: RuleSet, form: KeyedForm
) -> HttpResponse:
    """Save the rules, or show first what they change if the division was played."""
    keep_catalogue(to, division.rule_set)
    if _is_same(division.rule_set, to):
        messages.info(request, _("No changes to save."))
        return redirect(access.address("competitions:manage"))
    if needs_a_look(division, to):
        return _preview(request, access, division, to, status=200)
    return _change(request, access, division, to, form=form.submission(division.pk))


def _is_same(now: RuleSet, to: RuleSet) -> bool:
    if to.book_id is not None or now.book_id is not None:
        return to.pk == now.pk
    return (to.preset, to.rules, texts_of(to)) == (now.preset, now.rules, texts_of(now))


def _change(
    request: HttpRequest,
    access: Access,
    division: Division,
    to: RuleSet,
    *,
    form: Sent,
    seen: Seen | None = None,
    reason: str = "",
) -> HttpResponse:
    try:
        change_rules(division=division, to=to, seen=seen, reason=reason, by=access.by, form=form)
    except AlreadyDone:
        pass
    except OutOfDate as refusal:
        access = enter(access.user, access.competition.slug, Can.ORGANIZE)  # at its version of now
        division = access.division(division.slug)
        if to.book_id:
            to = RuleSet.objects.select_related("book").get(pk=to.pk)
        return _preview(request, access, division, to, reason=reason, refusal=str(refusal), status=CONFLICT)
    except Refused as refusal:
        return _preview(request, access, division, to, reason=reason, refusal=str(refusal))
    messages.success(request, _("Rules of %(division)s saved.") % {"division": division.name})
    return redirect(access.address("competitions:manage"))


def _preview(
    request: HttpRequest,
    access: Access,
    division: Division,
    to: RuleSet,
    *,
    reason: str = "",
    refusal: str = "",
    status: int = 0,
) -> HttpResponse:
    """Render the effects. The version was read before the facts, so that it is never newer than they are."""
    keep_catalogue(to, division.rule_set)
    proposal = RulesProposal(division, to, access.competition.version)
    effect = effect_of(division, to)
    return page(
        request,
        access,
        "division_rules/preview.html",
        status=status,
        division=division,
        now=rule_set_name(division.rule_set),
        then=rule_set_name(to),
        is_copy=to.book_id is None,
        differences=differences(division.rules.as_values(), to.rules.as_values()),
        effect=effect,
        moves=[
            (each.player, kind_words(str(each.before)), kind_words(str(each.after))) for each in effect.moves
        ],
        left=left_behind(division, to),
        why_not=explain_impossible(effect),
        refusal=refusal,
        form=MoveForm(division=division, initial={"proposal": proposal.sign(), "reason": reason}),
        most_tables=MOST_TABLES,
        tables_slice=f":{MOST_TABLES}",
    )


@takes(Can.ORGANIZE, shown_on=lambda access, division: access.address("rule_sets:division_rules", division))
def move(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    division_row = access.division(division)
    form = MoveForm(request.POST, division=division_row)
    if {"proposal", "key"} & form.errors.keys():
        messages.error(request, _("This page is out of date. Choose the rules again."))
        return redirect(access.address("rule_sets:division_rules", division))
    to, seen = form.cleaned_data["proposal"]
    if form.errors:
        return _preview(request, access, division_row, to, refusal=" ".join(map(str, form["reason"].errors)))
    reason = form.cleaned_data["reason"]
    return _change(
        request, access, division_row, to, form=form.submission(division_row.pk), seen=seen, reason=reason
    )
