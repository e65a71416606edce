"""The organizer's pages of players: the list, one player, an import, a merger."""

from collections.abc import Sequence
from functools import partial
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can, organized_by, owns
from league.core.changes import sent_before
from league.core.files.list_forms import as_chosen
from league.core.forms import ReinstateForm
from league.core.limits import takes_up_to
from league.core.pages import (
    Answer,
    Asked,
    page,
    page_before,
    posted,
    presses,
    reads,
    save,
    saves,
    takes,
    writes,
)
from league.core.text import sentences
from league.models import Ban, Entrant
from league.organizing.roster.forms import (
    ASK,
    PLAYS_AS,
    EditEntrantForm,
    ListForm,
    MergeForm,
    NewEntrantForm,
    PairForm,
    RosterPreviewForm,
    column_choices,
)
from league.organizing.roster.queries import (
    club_names,
    describe,
    entrants,
    games_of,
    is_seated,
    matching_entrants,
    people,
    plan_roster,
    suggested_pairs,
)
from league.organizing.roster.services.merging import merge_players, shared_round
from league.organizing.roster.services.roster import (
    enter_player,
    import_roster,
    reinstate_entrant,
    remove_entrant,
    update_entrant,
    withdraw_entrant,
)
from league.organizing.roster.tables import PlayersTable
from league.people.register.queries import competitions_of, shown_to_others
from league.people.register.services import values_of
from league.play.bans.queries import banned_here
from players.files import Text, Unreadable
from players.matching import Index, Person
from players.roster import read_roster
from players.text import has_control_characters

# --- the list


@reads(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    asked = {name: _clean_query(request.GET.get(name, "")) for name in ("q", "division", "state")}
    players = matching_entrants(
        entrants(access.competition), text=asked["q"], division=asked["division"], state=asked["state"]
    )
    divisions = list(access.competition.divisions.all())
    without = ["division"] if len(divisions) < 2 else []
    return page(
        request,
        access,
        "roster/index.html",
        players=PlayersTable(players, request=request, without=without),
        asked=asked,
        filtered=any(asked.values()),
        divisions=divisions,
        total=Entrant.objects.filter(competition=access.competition).count(),
    )


def _clean_query(text: str) -> str:
    """Remove characters that no name has and a database may refuse."""
    return "".join(c for c in text[:200] if not has_control_characters(c)).strip()


# --- one player


@writes(Can.ORGANIZE)
def new(request: HttpRequest, access: Access) -> HttpResponse:
    """Add a player. ``?as=``: what the new one plays as. ``?next=``: the page that needs the player."""
    plays_as = request.GET.get("as", "")
    initial = {"plays_as": plays_as} if plays_as in dict(PLAYS_AS) else {}
    form = NewEntrantForm(posted(request), initial=initial, competition=access.competition)
    about = ("entrant_new", access.competition.pk)
    back = page_before(request, access.address("roster:index"))
    # A form whose ban is to be waived asks first whose ban that is; one that was saved does not ask again.
    if form.errors.keys() == {"despite_reason"} or (
        form.is_valid() and not sent_before(form.submission(*about))
    ):
        form = _ask_who(form, access)
    return save(
        request,
        form,
        lambda sent: enter_player(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=about,
        done=lambda _answer: _("%(name)s added.") % {"name": form.cleaned_data["name"]},
        then=request.get_full_path() if "another" in request.POST else back,
    ) or page(
        request,
        access,
        "roster/edit.html",
        form=form,
        back=back,
        clubs=club_names(access.competition),
        bans=_list_bans(access, form.known()),
    )


def _ask_who(form: NewEntrantForm, access: Access) -> NewEntrantForm:
    """Return the form with the question who this is, if the register has similar people."""
    values = form.player_values
    matches = Index(people(access.competition)).matches(
        name=values.name, romanized=values.romanized, country=values.country, numbers=values.numbers
    )
    if not matches:
        return form
    data = cast("QueryDict", form.data).copy()
    asking = NewEntrantForm(data, competition=access.competition)
    asking.ask_who(matches, values)
    if "who" not in data:
        data["who"] = str(asking.fields["who"].initial or "")
        if "who" not in asking.errors:
            asking.add_error("who", ASK)  # chosen already, and still to be seen before it is saved
    return asking


@saves(Can.ORGANIZE, "roster/edit.html", done=gettext_lazy("%(name)s saved."))
def edit(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant = access.entrant(pk)
    values = values_of(entrant.player)
    initial: dict[str, object] = {name: getattr(values, name) for name in values.__slots__}
    initial["division"] = entrant.division.slug if entrant.division else ""
    initial |= {"previous_rank": entrant.previous_rank, "is_guest": entrant.is_guest}
    form = EditEntrantForm(posted(request), initial=initial, competition=access.competition)
    return Asked(
        partial(update_entrant, entrant=entrant),
        form,
        then=access.address("roster:index"),
        entrant=entrant,
        clubs=club_names(access.competition),
        seated=is_seated(entrant),
        owns_league=owns(access.user, access.competition.league),
        reinstate=ReinstateForm(),
        own_bans=_list_bans(access, [entrant.player_id] if entrant.withdrawn_at else ()),
    )


def _list_bans(access: Access, players: Sequence[int]) -> list[Ban]:
    return list(banned_here(access.competition, players).values()) if players else []


@presses(Can.ORGANIZE, done=gettext_lazy("%(name)s has withdrawn."))
def withdraw(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant = access.entrant(pk)
    write, then = partial(withdraw_entrant, entrant=entrant), access.address("roster:index")
    return Asked(write, then=then, name=entrant.player.name)


@presses(Can.ORGANIZE, done=gettext_lazy("%(name)s reinstated."))
def reinstate(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant, form = access.entrant(pk), ReinstateForm(request.POST)
    players = access.address("roster:index")
    return Asked(
        partial(reinstate_entrant, entrant=entrant),
        form,
        then=players,
        back=players if form.is_valid() else access.address("roster:edit", pk),
        name=entrant.player.name,
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Player removed."), gone="roster:index")
def remove(request: HttpRequest, access: Access, pk: int) -> Asked:
    entrant = access.entrant(pk)
    write = partial(remove_entrant, competition=access.competition, entrant_id=entrant.pk)
    return Asked(write, then=access.address("roster:index"))


# --- a list to import


@takes_up_to(5)
@writes(Can.ORGANIZE)
def import_list(request: HttpRequest, access: Access) -> HttpResponse:
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = ListForm(data, files, competition=access.competition)
    if form.is_valid():
        try:
            read = form.read()
        except Unreadable as error:
            form.add_error("file", str(error))
        else:
            typed = {"text": read.text, "division": form.cleaned_data["division"]}
            initial = typed | {"read_as": read.encoding if read.guessed else ""}
            preview_form = RosterPreviewForm(initial=initial, competition=access.competition)
            return _preview_page(request, access, preview_form, **typed, read=read)
    return page(request, access, "roster/import.html", form=form)


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("roster:import"))
def preview(request: HttpRequest, access: Access) -> HttpResponse:
    data = as_chosen(request, forget=["order"])
    form = RosterPreviewForm(data, competition=access.competition)
    if not form.is_valid():
        text, picks = request.POST.get("text", ""), request.POST.getlist("picks")
        return _preview_page(request, access, form, text=text, picks=picks, status=0)
    typed = {name: form.cleaned_data[name] for name in ("text", "division", "picks")}
    if "save" not in request.POST:
        return _preview_page(request, access, form, **typed)
    return save(
        request,
        form,
        lambda sent: import_roster(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=("roster_import", access.competition.pk),
        done=_describe_import,
        then=lambda _answer: _after_import(access),
    ) or _preview_page(request, access, form, **typed, status=0)


def _after_import(access: Access) -> str:
    """Return the organizer's next step before the first round, and the list later."""
    if access.rounds().exists():
        return access.address("roster:index")
    stage = next((stage for stage in access.stages() if stage.takes_line_ups), None)
    if stage is not None and access.competition.teams.exists():
        return access.address("calendar:matchdays", stage.pk)
    return access.address("competitions:manage")


def _describe_import(answer: Answer) -> str:
    entered, skipped, joined = answer["new"] + answer["same"], answer["skipped"], answer["joined"]
    changed = answer["changed"]
    counts = {
        ngettext("%(count)s player added.", "%(count)s players added.", entered): entered,
        ngettext("%(count)s line skipped.", "%(count)s lines skipped.", skipped): skipped,
        ngettext(
            "%(count)s player assigned to a team.", "%(count)s players assigned to teams.", joined
        ): joined,
        ngettext("%(count)s record changed.", "%(count)s records changed.", changed): changed,
    }
    return sentences(words % {"count": count} for words, count in counts.items() if count)


def _preview_page(
    request: HttpRequest,
    access: Access,
    form: RosterPreviewForm,
    *,
    text: str,
    division: str = "",
    picks: Sequence[str] = (),
    read: Text | None = None,
    status: int = 200,
) -> HttpResponse:
    roster = read_roster(text, **form.reading())
    form.offer_parts(roster.sheet, roster.sheets, roster.separators)
    plan = plan_roster(access.competition, roster, picks=picks, division=division)
    known = [line.person.pk for line in plan.lines if line.person and line.changes]
    return page(
        request,
        access,
        "roster/preview.html",
        status=status,
        form=form,
        plan=plan,
        bans=[line.ban for line in plan.banned],
        unused=roster.unused,
        roster=roster,
        shown=form.shown,
        columns=column_choices(roster.columns),
        locked=shown_to_others(access.competition, access.by, known) if known else (),
        read=read,
    )


# --- two records of one person


@writes(Can.ORGANIZE)
def merge(request: HttpRequest, access: Access) -> HttpResponse:
    """Show two records to merge (`?a=` and `?b=`), or a choice of records."""
    known = {person.pk: person for person in people(access.competition)}
    asked = PairForm(request.GET)
    asked.is_valid()
    one, other = (known.get(asked.cleaned_data.get(name, 0)) for name in ("a", "b"))
    if one and other and one.pk != other.pk:
        return _merge_pair(request, access, (one, other))
    if request.method == "POST" and not (one and other):
        if not (one or other):
            raise Http404
        # The same form came twice, or another organizer merged them.
        messages.info(request, _("These two records are already merged."))
        return redirect(access.address("roster:index"))
    first = one or other
    return page(
        request,
        access,
        "roster/merge.html",
        status=200,
        register=[(person.pk, describe(person)) for person in sorted(known.values(), key=describe)],
        first=first,
        pairs=[] if first else suggested_pairs(access.competition),
    )


def _merge_pair(request: HttpRequest, access: Access, pair: tuple[Person, Person]) -> HttpResponse:
    ids = [person.pk for person in pair]
    form = MergeForm(posted(request), initial=_join_values(pair), pair=pair)
    if answer := save(
        request,
        form,
        lambda sent: merge_players(competition=access.competition, **form.values(), by=access.by, form=sent),
        about=("merge", sorted(ids)),
        done=lambda _answer: _("Records of %(name)s merged.") % {"name": form.cleaned_data["name"]},
        then=access.address("roster:index"),
    ):
        return answer
    touched = competitions_of(ids)
    own = [competition.pk for competition in organized_by(access.by, touched)]
    foreign = len(touched) - len(own)
    games = games_of(ids, own)
    return page(
        request,
        access,
        "roster/merge_pair.html",
        pair=[(person, games[person.pk]) for person in pair],
        form=form,
        clash=None if foreign else shared_round(*ids),
        foreign=foreign,
        clubs=club_names(access.competition),
    )


def _join_values(pair: tuple[Person, Person]) -> dict[str, object]:
    keep, gone = sorted(pair, key=lambda person: person.pk)
    federations = {federation for federation, _number in keep.numbers}
    extra = tuple((to, number) for to, number in gone.numbers if to not in federations)
    return {
        "keep": str(keep.pk),
        "name": keep.name,
        "romanized": keep.romanized or gone.romanized,
        "country": keep.country or gone.country,
        "club": keep.club or gone.club,
        "numbers": keep.numbers + extra,
    }
