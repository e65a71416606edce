"""Pages for owners of a league to edit its own penalty rules."""

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.access import own_league
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.core.pages import SignedIn, page, posted, press, save, see_page
from league.models import OwnCatalogue
from league.rules.penalty_rules.forms import CatalogueForm, CodeForm, EntryForm, RenameForm, SupersedeForm
from league.rules.penalty_rules.queries import conditions_in_use, penalties_for, with_divisions
from league.rules.penalty_rules.services import (
    create_catalogue,
    current_entry,
    fingerprint,
    remove_catalogue,
    remove_entry,
    rename_catalogue,
    save_entry,
    supersede_entry,
)
from league.rules.penalty_rules.views.published import query_of
from league.rules.penalty_rules.words.catalogues import catalogue_sheet
from league.rules.penalty_rules.words.rulings import own_penalty_rules
from scoring.infractions import Catalogue, UnknownCatalogue, catalogue

CONFLICT = 409


def own_catalogue(user: User, league: str, slug: str) -> OwnCatalogue:
    """Return the league's penalty rules. Raises ``Http404`` unless the user owns the league."""
    catalogues = OwnCatalogue.objects.filter(league=own_league(user, league), slug=slug)
    own = catalogues.select_related("league").first()
    if own is None:
        raise Http404
    return own


def address_of(own: OwnCatalogue) -> str:
    return reverse("penalty_rules:house_rule", args=[own.league.slug, own.slug])


# --- all of them


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def catalogues(request: SignedIn, slug: str) -> HttpResponse:
    league = own_league(request.user, slug)
    form = CatalogueForm(posted(request), initial={"base": request.GET.get("base", "")})
    saved = save(
        request,
        form,
        lambda sent: create_catalogue(league=league, by=request.user, form=sent, **form.values()),
        about=["catalogue", league.pk],
        done=lambda made: (
            _("%(name)s created. You can now add entries and change penalties.")
            % {"name": form.cleaned_data["name"]}
        ),
        then=lambda made: address_of(OwnCatalogue.objects.get(pk=made["catalogue"])),
    )
    lines = with_divisions(OwnCatalogue.objects.filter(league=league))
    return saved or page(
        request, None, "penalty_rules/house_rules.html", league=league, lines=lines, form=form
    )


# --- one


@never_cache
@require_safe
def one(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    own = own_catalogue(request.user, slug, catalogue)
    return _page(request, own, RenameForm(initial={"name": own.name}))


def _page(request: SignedIn, own: OwnCatalogue, form: RenameForm) -> HttpResponse:
    base = _base(own)
    [(_own, divisions)] = with_divisions([own])
    query = query_of(request)
    return page(
        request,
        None,
        "penalty_rules/house_rule.html",
        league=own.league,
        own=own,
        base=base,
        divisions=divisions,
        sheet=catalogue_sheet(own_penalty_rules(own), query=query, base=base),
        query=query,
        edit=reverse("penalty_rules:entry", args=[own.league.slug, own.slug]),
        rename=form,
    )


def _base(own: OwnCatalogue) -> Catalogue:
    try:
        return catalogue(own.base)
    except UnknownCatalogue:  # of another edition of Umaoka
        raise Http404 from None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    own = own_catalogue(request.user, slug, catalogue)
    if request.method != "POST":
        return see_page(request, address_of(own))
    form = RenameForm(request.POST)
    saved = save(
        request,
        form,
        lambda sent: rename_catalogue(own=own, by=request.user, form=sent, **form.values()),
        about=["rename", own.pk],
        done=_("Name saved."),
        then=address_of(own),
    )
    return saved or _page(request, own, form)


@never_cache
@require_POST
def remove(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    own = own_catalogue(request.user, slug, catalogue)
    try:
        remove_catalogue(own=own, by=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("penalty_rules:house_rule", slug, catalogue)
    messages.success(request, _("%(name)s removed.") % {"name": own.name})
    return redirect("penalty_rules:house_rules", slug)


# --- an entry


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    """Add an entry, or change that of ``code``."""
    own = own_catalogue(request.user, slug, catalogue)
    base, code = _base(own), request.GET.get("code", "")
    before = current_entry(own, code) if code else None
    if code and before is None:
        raise Http404
    form = _entry_form(posted(request), own, base, code)
    status = 0
    if form.is_valid():
        try:
            saved = _save(form, own, by=request.user)
        except OutOfDate as refusal:
            form, status = _overtaken(request, own, base, code, str(refusal)), CONFLICT
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("Entry %(code)s saved.") % {"code": saved})
            return redirect(f"{address_of(own)}#o-{saved}")
    tools = _tools(own, base, code) if code else None
    return page(
        request,
        None,
        "penalty_rules/entry.html",
        status=status,
        league=own.league,
        own=own,
        base=base,
        form=form,
        code=code,
        tools=tools,
    )


def _entry_form(data: QueryDict | None, own: OwnCatalogue, base: Catalogue, code: str) -> EntryForm:
    before = current_entry(own, code) if code else None
    in_base = base.infractions.get(code)
    fixed = max(len(in_base.variants) if in_base else 0, conditions_in_use(own, code) if code else 0)
    return EntryForm(
        data,
        catalogue=own_penalty_rules(own).catalogue or base,
        before=before,
        fixed=fixed,
        is_base=in_base is not None,
        initial={"seen": fingerprint(before)},
    )


def _overtaken(request: SignedIn, own: OwnCatalogue, base: Catalogue, code: str, refusal: str) -> EntryForm:
    """Return the form as typed, based on the entry saved since. Sent again, it replaces that entry."""
    own.refresh_from_db(fields=["entries"])
    data: QueryDict = request.POST.copy()
    data["seen"] = fingerprint(current_entry(own, code) if code else None)
    form = _entry_form(data, own, base, code)
    form.is_valid()
    form.add_error(None, refusal)
    return form


def _save(form: EntryForm, own: OwnCatalogue, *, by: User) -> str:
    """Save the entry, unless the same form did before, and return its code."""
    made = form.entry()
    with suppress(AlreadyDone):
        save_entry(
            own=own,
            entry=made,
            seen=form.cleaned_data["seen"],
            by=by,
            form=form.submission("entry", own.pk, made),
        )
    return str(made["code"])


def _tools(own: OwnCatalogue, base: Catalogue, code: str) -> dict[str, object]:
    """Return the other actions for an entry."""
    own_codes = {each["code"] for each in own.entries}
    added = code in own_codes and code not in base.infractions
    used = penalties_for(own, code).exists()
    catalogue = own_penalty_rules(own).catalogue or base
    return {
        "used": used,
        "superseded_by": catalogue.infractions[code].superseded_by,
        "supersede": SupersedeForm(catalogue=catalogue, code=code, initial={"code": code})
        if added and used
        else None,
        "remove": CodeForm(initial={"code": code}) if code in own_codes and not (added and used) else None,
        "back": code in base.infractions,
    }


@never_cache
@require_POST
def entry_remove(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    own = own_catalogue(request.user, slug, catalogue)
    form = CodeForm(request.POST)
    return press(
        request,
        lambda sent: remove_entry(own=own, by=request.user, form=sent, **form.values()),
        form=form,
        about=["entry_remove", own.pk],
        done=_("Entry removed."),
        back=address_of(own),
    )


@never_cache
@require_POST
def entry_supersede(request: SignedIn, slug: str, catalogue: str) -> HttpResponse:
    own = own_catalogue(request.user, slug, catalogue)
    rules = own_penalty_rules(own).catalogue or _base(own)
    form = SupersedeForm(request.POST, catalogue=rules, code=request.POST.get("code", ""))
    return press(
        request,
        lambda sent: supersede_entry(own=own, by=request.user, form=sent, **form.values()),
        form=form,
        about=["entry_supersede", own.pk],
        done=_("Entry replaced. Existing penalties keep it."),
        back=address_of(own),
    )
