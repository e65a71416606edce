"""A competition's players, for its organizers: the list, and one player."""

import uuid
from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.bans.queries import banned_here
from league.core.access import Access, Can, enter
from league.core.changes import Form, sent_before
from league.core.forms import KeyedForm, ReinstateForm, attempt
from league.core.pages import press, show, takes
from league.models import Ban, Entrant
from league.roster.forms import ASK, EditEntrantForm, EntrantForm, NewEntrantForm
from league.roster.queries import club_names, entrants, is_seated, matching_entrants, people
from league.roster.services.register import values_of
from league.roster.services.roster import (
    enter_player,
    reinstate_entrant,
    remove_entrant,
    update_entrant,
    withdraw_entrant,
)
from players.matching import Index
from players.text import has_control_characters

UNPROCESSABLE = 422
PAGE_SIZE = 100


# --- the list


@never_cache
@require_safe
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    asked = {name: _plain(request.GET.get(name, "")) for name in ("q", "division", "state")}
    found = matching_entrants(
        entrants(access.competition), text=asked["q"], division=asked["division"], state=asked["state"]
    )
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "asked": asked,
        "filtered": any(asked.values()),
        "divisions": list(access.competition.divisions.all()),
        "total": Entrant.objects.filter(competition=access.competition).count(),
    }
    return show(request, access, "roster/index.html", context)


def _plain(text: str) -> str:
    """What was asked for, without what no name holds (a database may choke on it)."""
    return "".join(c for c in text[:200] if not has_control_characters(c)).strip()


# --- one player


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrant_new(request: HttpRequest, slug: str) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    if request.method != "POST":
        return _entrant_page(request, access, NewEntrantForm(competition=access.competition))
    form = NewEntrantForm(request.POST, competition=access.competition)
    sent = form.is_valid() and form.submission("entrant_new", access.competition.pk, request.POST.get("who"))
    only_why = not sent and form.errors.keys() <= {"despite_reason"}  # why, but not in spite of whose ban
    if only_why or (sent and not sent_before(sent)):
        form = _asking_who(request, access, form)
    if sent and form.is_valid() and attempt(form, lambda: _enter(form, access, sent)):
        messages.success(request, _("%(name)s is entered.") % {"name": form.cleaned_data["name"]})
        return redirect("roster:new" if "another" in request.POST else "roster:index", slug)
    return _entrant_page(request, access, form, bans=_bans_of_whom(form, access), status=UNPROCESSABLE)


def _bans_of_whom(form: NewEntrantForm, access: Access) -> list[Ban]:
    """The bans of those whom the form may mean: then it asks whether they play in spite of them."""
    people = [int(pk) for pk in form.known() if pk.isdigit()]
    return list(banned_here(access.competition, people).values()) if people else []


def _enter(form: NewEntrantForm, access: Access, sent: Form) -> Entrant:
    return enter_player(
        competition=access.competition,
        values=form.player_values,
        division=form.chosen_division(),
        same_as=form.same_as(),
        despite=form.in_spite,
        by=access.by,
        form=sent,
    )


def _asking_who(request: HttpRequest, access: Access, form: NewEntrantForm) -> NewEntrantForm:
    """The form with the question who this is, if the register knows somebody like it; else as it was."""
    values = form.player_values
    matches = Index(people(access.competition)).matches(
        name=values.name, romanized=values.romanized, country=values.country, numbers=values.numbers
    )
    if not matches:
        return form
    asking = NewEntrantForm(request.POST, competition=access.competition)
    asking.ask_who(matches)
    if "who" not in request.POST:
        data = request.POST.copy()
        data["who"] = str(asking.fields["who"].initial or "")
        asking = NewEntrantForm(data, competition=access.competition)
        asking.ask_who(matches)
        if "who" not in asking.errors:
            asking.add_error("who", ASK)  # chosen already, and still to be seen before it is saved
    return asking


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrant_edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant = access.entrant(pk)
    if request.method != "POST":
        values = values_of(entrant.player)
        initial: dict[str, object] = {name: getattr(values, name) for name in values.__slots__}
        initial["division"] = entrant.division.slug if entrant.division else ""
        initial["previous_rank"] = entrant.previous_rank
        form = EditEntrantForm(initial=initial, competition=access.competition)
        return _entrant_page(request, access, form, entrant)
    form = EditEntrantForm(request.POST, competition=access.competition)
    if form.is_valid() and attempt(form, lambda: _update(form, access, entrant)):
        messages.success(request, _("%(name)s is saved.") % {"name": form.cleaned_data["name"]})
        return redirect("roster:index", slug)
    return _entrant_page(request, access, form, entrant, status=UNPROCESSABLE)


def _update(form: EditEntrantForm, access: Access, entrant: Entrant) -> Entrant:
    return update_entrant(
        entrant=entrant,
        values=form.player_values,
        division=form.chosen_division(),
        previous_rank=form.cleaned_data["previous_rank"],
        by=access.by,
        form=form.submission("entrant_edit", entrant.pk),
    )


def _entrant_page(
    request: HttpRequest,
    access: Access,
    form: EntrantForm,
    entrant: Entrant | None = None,
    bans: Sequence[Ban] = (),
    reinstate: ReinstateForm | None = None,
    status: int = 200,
) -> HttpResponse:
    left = entrant is not None and entrant.withdrawn_at is not None
    context = {
        "bans": bans,
        "reinstate": reinstate or ReinstateForm(),
        "own_bans": _own_bans(entrant) if entrant is not None and left else [],
        "form": form,
        "entrant": entrant,
        "clubs": club_names(access.competition),
        "seated": entrant is not None and is_seated(entrant),
        "fresh_key": uuid.uuid4,  # called by the template: each button gets its own
    }
    return show(request, access, "roster/edit.html", context, status)


@takes(Can.ORGANIZE)
def entrant_withdraw(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    entrant = access.entrant(pk)
    return press(
        request,
        lambda form: withdraw_entrant(entrant=entrant, by=access.by, form=form),
        about=("withdraw", pk),
        done=_("%(name)s has withdrawn.") % {"name": entrant.player.name},
        back=access.address("roster:index"),
    )


@takes(Can.ORGANIZE)
def entrant_reinstate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    entrant, form = access.entrant(pk), ReinstateForm(request.POST)
    return press(
        request,
        lambda sent: reinstate_entrant(entrant=entrant, despite=form.in_spite, by=access.by, form=sent),
        form=form,
        about=("reinstate", pk),
        done=_("%(name)s plays again.") % {"name": entrant.player.name},
        back=access.address("roster:index") if form.is_valid() else access.address("roster:edit", pk),
    )


def _own_bans(entrant: Entrant) -> list[Ban]:
    return list(banned_here(entrant.competition, [entrant.player_id]).values())


@takes(Can.ORGANIZE)
def entrant_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    if not KeyedForm(request.POST).is_valid():
        access.entrant(pk)  # a player whom this very form removed does not exist any more

    def remove(form: Form) -> None:
        try:
            remove_entrant(competition=access.competition, entrant_id=pk, by=access.by, form=form)
        except Entrant.DoesNotExist as error:
            raise Http404 from error

    back = access.address("roster:index")
    return press(request, remove, about=("remove", pk), done=_("The player is taken out."), back=back)
