"""A competition's players, for its organizers: the list, one player, a list imported, two records merged."""

import uuid
from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Access, Can, enter, organized_by
from league.forms.bans import ReinstateForm
from league.forms.base import KeyedForm, attempt
from league.forms.roster import (
    ASK,
    EditEntrantForm,
    EntrantForm,
    ListForm,
    MergeForm,
    NewEntrantForm,
    PairForm,
    PreviewForm,
    describe,
)
from league.models import Ban, Entrant
from league.queries.bans import banned_here
from league.queries.roster import (
    club_names,
    competitions_of,
    entrants,
    games_of,
    is_seated,
    matching_entrants,
    people,
    plan_roster,
    suggested_pairs,
)
from league.services.changes import Form, sent_before
from league.services.merging import merge_players, shared_round
from league.services.register import values_of
from league.services.roster import (
    Imported,
    enter_player,
    import_roster,
    reinstate_entrant,
    remove_entrant,
    update_entrant,
    withdraw_entrant,
)
from league.views.buttons import press
from players.files import ENCODINGS, Text, Unreadable, text_of
from players.matching import Index, Person
from players.roster import read_roster
from players.text import has_control_characters

UNPROCESSABLE = 422
PAGE_SIZE = 100


def _page(
    request: HttpRequest, access: Access, template: str, context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    shown = {"access": access, "competition": access.competition, **context}
    return render(request, template, shown, status=status)


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
    return _page(request, access, "roster/list.html", context)


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
        return redirect("entrant_new" if "another" in request.POST else "roster", slug)
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
        return redirect("roster", slug)
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
    return _page(request, access, "roster/entrant.html", context, status)


@require_POST
def entrant_withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant = access.entrant(pk)
    return press(
        request,
        lambda form: withdraw_entrant(entrant=entrant, by=access.by, form=form.submission("withdraw", pk)),
        said=_("%(name)s has withdrawn.") % {"name": entrant.player.name},
        back=("roster", slug),
    )


@require_POST
def entrant_reinstate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    entrant, form = access.entrant(pk), ReinstateForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(e) for found in form.errors.values() for e in found))
        return redirect("entrant_edit", slug, pk)
    return press(
        request,
        lambda sent: reinstate_entrant(
            entrant=entrant, despite=form.in_spite, by=access.by, form=form.submission("reinstate", pk)
        ),
        said=_("%(name)s plays again.") % {"name": entrant.player.name},
        back=("roster", slug),
    )


def _own_bans(entrant: Entrant) -> list[Ban]:
    return list(banned_here(entrant.competition, [entrant.player_id]).values())


@require_POST
def entrant_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    access = enter(request.user, slug, Can.ORGANIZE)
    if not KeyedForm(request.POST).is_valid():
        access.entrant(pk)  # whom this very form took out is gone; without a form they must be there

    def remove(form: KeyedForm) -> None:
        try:
            remove_entrant(
                competition=access.competition,
                entrant_id=pk,
                by=access.by,
                form=form.submission("remove", pk),
            )
        except Entrant.DoesNotExist as error:
            raise Http404 from error

    return press(request, remove, said=_("The player is taken out."), back=("roster", slug))


# --- a list


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roster_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list; what it would do is shown next, and nothing is saved yet."""
    access = enter(request.user, slug, Can.ORGANIZE)
    if request.method != "POST":
        return _page(
            request, access, "roster/import.html", {"form": ListForm(competition=access.competition)}
        )
    form = ListForm(request.POST, request.FILES, competition=access.competition)
    if form.is_valid():
        try:
            read = _read(form)
        except Unreadable as error:
            form.add_error("file", str(error))
        else:
            division = form.cleaned_data["division"]
            preview = PreviewForm(
                initial={"text": read.text, "division": division}, competition=access.competition
            )
            return _preview_page(request, access, preview, text=read.text, division=division, read=read)
    return _page(request, access, "roster/import.html", {"form": form}, UNPROCESSABLE)


def _read(form: ListForm) -> Text:
    file = form.cleaned_data["file"]
    if file:
        return text_of(file.read(), encoding=form.cleaned_data["encoding"])
    return Text(form.cleaned_data["text"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roster_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The second step: the list as it came back, checked again, and saved if that was asked for."""
    access = enter(request.user, slug, Can.ORGANIZE)
    if request.method != "POST":
        return redirect("roster_import", slug)
    form = PreviewForm(request.POST, competition=access.competition)
    if not form.is_valid():
        return _preview_page(
            request,
            access,
            form,
            text=request.POST.get("text", ""),
            picks=request.POST.getlist("pick"),
            status=UNPROCESSABLE,
        )
    data = form.cleaned_data
    saved: list[Imported] = []
    if "save" in request.POST and attempt(form, lambda: saved.append(_import(form, access))):
        messages.success(request, _saved_sentence(saved))
        # Before the first round the organizer's next step is to seat it; later it is to look at the list.
        return redirect("roster" if access.rounds().exists() else "manage", slug)
    return _preview_page(
        request,
        access,
        form,
        text=data["text"],
        division=data["division"],
        picks=data["pick"],
        status=UNPROCESSABLE if "save" in request.POST else 200,
    )


def _import(form: PreviewForm, access: Access) -> Imported:
    data = form.cleaned_data
    return import_roster(
        competition=access.competition,
        text=data["text"],
        picks=data["pick"],
        division=data["division"],
        despite=form.in_spite,
        by=access.by,
        form=form.submission("roster_import", access.competition.pk),
    )


def _saved_sentence(saved: Sequence[Imported]) -> str:
    if not saved:  # the same form again: the first answer stands
        return _("The list is saved.")
    result = saved[0]
    entered = result.new + result.same
    sentence = ngettext("%(count)s player is entered.", "%(count)s players are entered.", entered) % {
        "count": entered
    }
    if not result.skipped:
        return sentence
    left_out = ngettext("%(count)s line was left out.", "%(count)s lines were left out.", result.skipped)
    return f"{sentence} {left_out % {'count': result.skipped}}"


def _preview_page(
    request: HttpRequest,
    access: Access,
    form: PreviewForm,
    *,
    text: str,
    division: str = "",
    picks: Sequence[str] = (),
    read: Text | None = None,
    status: int = 200,
) -> HttpResponse:
    roster = read_roster(text)
    plan = plan_roster(access.competition, roster, picks=picks, division=division)
    context = {
        "form": form,
        "plan": plan,
        "bans": [line.ban for line in plan.banned],
        "unused": roster.unused,
        "read": read,
        "encoding": ENCODINGS.get(read.encoding, "") if read else "",
    }
    return _page(request, access, "roster/preview.html", context, status)


# --- two records of one person


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str) -> HttpResponse:
    """`?a=` and `?b=` name two records: both are shown and can be merged; without them they are chosen."""
    access = enter(request.user, slug, Can.ORGANIZE)
    known = {person.pk: person for person in people(access.competition)}
    asked = PairForm(request.GET)
    asked.is_valid()
    one, other = (known.get(asked.cleaned_data.get(name, 0)) for name in ("a", "b"))
    if request.method == "POST" and (one is None or other is None):
        return _merged_before(request, access, one or other)
    if one is None or other is None or one.pk == other.pk:
        return _choose_pair(request, access, list(known.values()), one or other)
    return _merge_pair(request, access, (one, other))


def _merge_pair(request: HttpRequest, access: Access, pair: tuple[Person, Person]) -> HttpResponse:
    if request.method != "POST":
        return _pair_page(request, access, pair, MergeForm(initial=_merged_values(pair), pair=pair))
    form = MergeForm(request.POST, pair=pair)
    if form.is_valid() and attempt(form, lambda: _merge(form, access, pair)):
        messages.success(request, _("%(name)s is one record now.") % {"name": form.cleaned_data["name"]})
        return redirect("roster", access.competition.slug)
    return _pair_page(request, access, pair, form, UNPROCESSABLE)


def _merge(form: MergeForm, access: Access, pair: tuple[Person, Person]) -> object:
    keep = form.chosen()
    gone = next(person.pk for person in pair if person.pk != keep)
    return merge_players(
        competition=access.competition,
        keep=keep,
        gone=gone,
        values=form.player_values,
        by=access.by,
        form=form.submission("merge", sorted(person.pk for person in pair)),
    )


def _merged_values(pair: tuple[Person, Person]) -> dict[str, object]:
    """The older record stays, and what it lacks comes from the other."""
    keep, gone = sorted(pair, key=lambda person: person.pk)
    federations = {federation for federation, _number in keep.numbers}
    extra = tuple(number for number in gone.numbers if number[0] not in federations)
    return {
        "keep": str(keep.pk),
        "name": keep.name,
        "romanized": keep.romanized or gone.romanized,
        "country": keep.country or gone.country,
        "club": keep.club or gone.club,
        "numbers": keep.numbers + extra,
    }


def _merged_before(request: HttpRequest, access: Access, left: Person | None) -> HttpResponse:
    """One of the two is gone: the same form came twice, or somebody else merged them."""
    if left is None:
        raise Http404
    messages.info(request, _("These two records are one already."))
    return redirect("roster", access.competition.slug)


def _pair_page(
    request: HttpRequest, access: Access, pair: tuple[Person, Person], form: MergeForm, status: int = 200
) -> HttpResponse:
    ids = [person.pk for person in pair]
    touched = competitions_of(ids)
    own = [competition.pk for competition in organized_by(access.by, touched)]
    foreign = len(touched) - len(own)
    games = games_of(ids, own)
    context = {
        "pair": [(person, games[person.pk]) for person in pair],
        "form": form,
        "clash": None if foreign else shared_round(*ids),
        "foreign": foreign,
        "clubs": club_names(access.competition),
    }
    return _page(request, access, "roster/merge_pair.html", context, status)


def _choose_pair(
    request: HttpRequest, access: Access, register: Sequence[Person], first: Person | None
) -> HttpResponse:
    context = {
        "register": sorted(((p.pk, describe(p)) for p in register), key=lambda option: option[1]),
        "first": first,
        "pairs": [] if first else suggested_pairs(access.competition),
    }
    return _page(request, access, "roster/merge.html", context)


urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/manage/players/", roster, name="roster"),
    path("c/<slug:slug>/manage/players/import/", roster_import, name="roster_import"),
    path("c/<slug:slug>/manage/players/import/preview/", roster_preview, name="roster_preview"),
    path("c/<slug:slug>/manage/players/new/", entrant_new, name="entrant_new"),
    path("c/<slug:slug>/manage/players/merge/", merge, name="merge"),
    path("c/<slug:slug>/manage/players/<int:pk>/", entrant_edit, name="entrant_edit"),
    path("c/<slug:slug>/manage/players/<int:pk>/withdraw/", entrant_withdraw, name="entrant_withdraw"),
    path("c/<slug:slug>/manage/players/<int:pk>/reinstate/", entrant_reinstate, name="entrant_reinstate"),
    path("c/<slug:slug>/manage/players/<int:pk>/remove/", entrant_remove, name="entrant_remove"),
]
