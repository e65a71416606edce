"""Pages of a league's own rules, for its owners."""

from collections.abc import Iterator, Mapping, Sequence

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.core.access import own_league, own_rule_book
from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.core.pages import SignedIn, page, posted, save
from league.core.text import listed
from league.models import RuleBook, RuleSet
from league.rules.rule_sets.forms.rule_set import BookForm, Filled, filled_from
from league.rules.rule_sets.panels import check_response, is_check
from league.rules.rule_sets.queries.house_rules import books_of, choosers, editions_of
from league.rules.rule_sets.queries.rule_sets import edition_rules, find_rules
from league.rules.rule_sets.queries.sheets import rule_sheet
from league.rules.rule_sets.readings import Reading, questions_of, reading_of
from league.rules.rule_sets.services import copied_rules, create_book, fingerprint, save_edition
from league.rules.rule_sets.words.editions import SettingDifference, differences, meaning, preset_name
from league.rules.rule_sets.words.settings import setting_label
from scoring.presets import Preset, presets

CONFLICT = 409


# --- all of them


@never_cache
@require_safe
def rule_books(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    return page(
        request,
        None,
        "rule_sets/house_rules.html",
        league=league,
        books=books_of(league),
        presets=source_names(),
    )


def source_names() -> list[tuple[str, str]]:
    return [(preset.slug, preset_name(preset.slug)) for preset in presets()]


# --- a new one


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rule_book_new(request: SignedIn, slug: str) -> HttpResponse:
    """Begin from the rules in ``from``. Without them, offer a choice."""
    league = own_league(request.user, slug)
    found = find_rules(request.user, request.GET.get("from", ""))
    if found is None:
        context = {"league": league, "presets": source_names(), "books": books_of(league)}
        return page(request, None, "rule_sets/house_rule_from.html", status=200, **context)
    form = BookForm(posted(request), filled=Filled(found.values, found.source))
    if is_check(request):
        return check_response(request, form)

    def create(sent: Sent) -> object:
        rules = copied_rules(
            found.preset, form.settings(), edition=found.edition, texts=form.chosen_texts(), by=request.user
        )
        name = form.cleaned_data["name"]
        return create_book(league=league, name=name, rules=rules, by=request.user, form=sent)

    saved = save(
        request,
        form,
        create,
        about=["book", league.pk],
        done=lambda made: (
            _("%(name)s created. You can now choose it for a division.") % {"name": form.cleaned_data["name"]}
        ),
        then=lambda made: reverse(
            "rule_sets:house_rule", args=[league.slug, RuleBook.objects.get(pk=made["book"]).slug]
        ),
    )
    return saved or page(
        request, None, "rule_sets/house_rule_new.html", league=league, form=form, found=found
    )


# --- one


@never_cache
@require_safe
def rule_book(request: SignedIn, slug: str, book: str, number: int | None = None) -> HttpResponse:
    found = own_rule_book(request.user, slug, book)
    editions = editions_of(found)
    edition = next((each for each in editions if number in {None, each.number}), None)
    if edition is None:
        raise Http404
    rules = edition_rules(edition)
    newest = editions[0]
    return page(
        request,
        None,
        "rule_sets/house_rule.html",
        league=found.league,
        book=found,
        edition=edition,
        newest=newest,
        history=history(editions, rules.source),
        texts=chosen_texts(rules.source, edition.readings),
        sheet=rule_sheet(rules),
        prefix="",
    )


def history(
    editions: Sequence[RuleSet], source: Preset | None
) -> Iterator[tuple[RuleSet, list[SettingDifference], str]]:
    """Yield each edition, its differences from the edition before or the preset, and the name of these."""
    for edition, before in zip(editions, [*editions[1:], None], strict=True):
        old: Mapping[str, object] | None = source.values if source else None
        against = preset_name(edition.preset)
        if before is not None:
            old = before.rules.as_values()
            against = _("edition %(number)s") % {"number": before.number}
        yield edition, differences(old, edition.rules.as_values()) if old is not None else [], against


def chosen_texts(source: Preset | None, choices: list[Reading]) -> list[dict[str, object]]:
    asked = questions_of(source)
    return [
        {
            "about": listed(setting_label(name) for name in question.settings),
            "text": (text := question.texts[int(choice["chosen"])].text),
            "meaning": meaning(text),
            "place": choice["place"],
            "own": choice["chosen"] == question.own_reading,
            "chooser": chooser,
        }
        for question, chooser in zip(asked, choosers(asked, choices), strict=True)
        if (choice := reading_of(question, choices)) is not None
    ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rule_book_edit(request: SignedIn, slug: str, book: str) -> HttpResponse:
    found = own_rule_book(request.user, slug, book)
    newest = editions_of(found)[0]
    initial = {"name": found.name, "seen": fingerprint(newest)}
    form = BookForm(posted(request), filled=filled_from(newest), initial=initial)
    if is_check(request):
        return check_response(request, form)
    status = 0
    if form.is_valid():
        try:
            saved = _save(form, found, newest, by=request.user)
        except OutOfDate as refusal:
            form, status = _overtaken(request, form, newest, refusal), CONFLICT
        except Refused as refusal:
            form.add_error(refusal.field, str(refusal))
        else:
            messages.success(request, _saved_sentence(newest, saved))
            return redirect("rule_sets:house_rule", slug, book)
    return page(
        request,
        None,
        "rule_sets/house_rule_edit.html",
        status=status,
        league=found.league,
        book=found,
        newest=newest,
        form=form,
    )


def _save(form: BookForm, book: RuleBook, newest: RuleSet, *, by: User) -> int:
    rules = copied_rules(
        newest.preset,
        form.settings(),
        edition=newest.edition,
        texts=form.chosen_texts(),
        before=newest.readings,
        by=by,
    )
    try:
        saved = save_edition(
            book=book,
            name=form.cleaned_data["name"],
            rules=rules,
            seen=form.cleaned_data["seen"],
            by=by,
            form=form.submission("edition", book.pk),
        )
    except AlreadyDone as done:
        return int(str(done.answer["number"]))
    return saved.number or 0


def _saved_sentence(newest: RuleSet, saved: int) -> str:
    if saved == newest.number:
        return _("Edition %(number)s saved.") % {"number": saved}
    return _("Edition %(number)s saved. Divisions with the previous edition keep it until you move them.") % {
        "number": saved
    }


def _overtaken(request: HttpRequest, typed: BookForm, newest: RuleSet, refusal: OutOfDate) -> BookForm:
    """Return the form with the typed values against the edition saved since. Sending it again overwrites
    that.
    """
    data: QueryDict = request.POST.copy()
    data["seen"] = fingerprint(newest)
    form = BookForm(data, filled=typed.filled)
    form.is_valid()
    form.add_error(None, str(refusal))
    labels = listed(difference.label for difference in differences(newest.rules.as_values(), form.settings()))
    if labels:
        form.add_error(
            None, _("Saving again sets these settings to your entries: %(settings)s.") % {"settings": labels}
        )
    return form
