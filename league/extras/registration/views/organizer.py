"""The organizer's pages of registrations: the list, the settings, one entry."""

from collections import Counter
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.access import Access, Can
from league.core.files.list_files import FORMATS, send_list
from league.core.limits import takes_up_to
from league.core.pages import (
    Answer,
    Asked,
    page,
    posted,
    presses,
    reads,
    save,
    saves,
    site_of,
    takes,
    writes,
)
from league.core.zones import zone_of
from league.extras.registration.forms import (
    ACTIONS,
    DecideForm,
    NumbersForm,
    PaymentForm,
    SettingsForm,
    WhoForm,
)
from league.extras.registration.queries import (
    State,
    compare,
    entries_of,
    find_matches,
    matching_entries,
    offers_of,
    position_of,
)
from league.extras.registration.services import (
    decide,
    enter_registrant,
    erase_registrant,
    note_payment,
    set_known_numbers,
    set_registration,
)
from league.extras.registration.tables import RegistrantsTable
from league.models import Registrant, Registration
from league.organizing.roster.queries import changes_of, is_seated
from league.people.register.queries import person
from league.play.bans.queries import banned_here

_DONE = {State.ACCEPTED: "accept", State.DECLINED: "decline", State.WAITING: "wait"}


@reads(Can.ORGANIZE)
def entries(request: HttpRequest, access: Access) -> HttpResponse:
    asked = {name: request.GET.get(name, "")[:200].strip() for name in ("q", "state", "division")}
    offers = offers_of(access.competition)
    every = [
        entry for offer in offers if asked["division"] in ("", offer.division) for entry in entries_of(offer)
    ]
    counts = Counter(entry.state for entry in every)
    matching = matching_entries(every, text=asked["q"], state=asked["state"])
    without = [] if len(offers) > 1 else ["division"]
    table = RegistrantsTable(matching, request=request, without=without)
    compare(access.competition, [row.record for row in table.paginated_rows])
    with_form = {offer.division for offer in offers}
    return page(
        request,
        access,
        "registration/entries.html",
        table=table,
        asked=asked,
        counts=[(state, counts[state]) for state in State if counts[state]],
        total=len(every),
        offers=offers,
        without=[part for part in access.competition.divisions.all() if part.slug not in with_form],
        addresses=", ".join(dict.fromkeys(entry.email for entry in matching)),
        actions=ACTIONS,
    )


@presses(Can.ORGANIZE)
def decide_entries(request: HttpRequest, access: Access) -> Asked:
    known = Registrant.objects.filter(registration__competition=access.competition)
    return Asked(
        partial(decide, competition=access.competition, site=site_of(request)),
        DecideForm(request.POST, registrants=list(known.values_list("pk", flat=True))),
        then=access.address("registration:entries"),
        done=_describe_decision,
    )


def _describe_decision(answer: Answer) -> str:
    count = answer["registrants"]
    words = ngettext("%(count)s registration changed.", "%(count)s registrations changed.", count)
    return words % {"count": count}


@reads(Can.ORGANIZE)
def entries_file(request: HttpRequest, access: Access, fmt: str) -> HttpResponse:
    if fmt not in FORMATS:
        raise Http404
    every = [entry for offer in offers_of(access.competition) for entry in entries_of(offer)]
    compare(access.competition, every)
    columns, rows = RegistrantsTable.in_file(every, zone_of(access.competition))
    return send_list(
        columns,
        rows,
        fmt,
        name=f"{access.competition.slug}-registrations",
        heading=access.competition.name,
        title=_("Registrations"),
    )


@saves(Can.ORGANIZE, "registration/settings.html", done=gettext_lazy("Registration saved."))
def settings(request: HttpRequest, access: Access, division: str) -> Asked:
    """Set the form of a division. A new one begins with the settings of another division."""
    part, every = access.division(division), access.competition.registrations.all()
    registration = every.filter(division=division).first() or every.first() or Registration()
    registration.competition = access.competition
    return Asked(
        partial(set_registration, competition=access.competition, division=part.slug, site=site_of(request)),
        SettingsForm(posted(request), registration=registration),
        then=access.address("registration:entries"),
        division=part,
    )


@takes_up_to(5)
@saves(Can.ORGANIZE, "registration/numbers.html", done=gettext_lazy("%(count)s numbers saved."))
def numbers(request: HttpRequest, access: Access) -> Asked:
    return Asked(
        partial(set_known_numbers, competition=access.competition),
        NumbersForm(posted(request), request.FILES or None),
        then=access.address("registration:entries"),
        count=access.competition.known_numbers.count(),
    )


# --- one entry


@writes(Can.ORGANIZE)
def entry(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    registrant = access.registrant(pk)
    form = PaymentForm(posted(request), instance=registrant)
    return save(
        request,
        form,
        lambda sent: note_payment(registrant=registrant, **form.values(), by=access.by, form=sent),
        about=("payment", pk),
        done=_("%(name)s saved.") % {"name": registrant.name},
        then=access.address("registration:entries"),
    ) or _entry_page(request, access, registrant, form)


def _entry_page(
    request: HttpRequest,
    access: Access,
    registrant: Registrant,
    form: PaymentForm,
    who: WhoForm | None = None,
) -> HttpResponse:
    compare(access.competition, [registrant])
    registrant.position = position_of(registrant)
    if registrant.is_missing and who is None:
        who = WhoForm(matches=find_matches(registrant), said=registrant)
    people = [match_.person.pk for match_ in who.matches] if who else []
    return page(
        request,
        access,
        "registration/entry.html",
        registrant=registrant,
        form=form,
        who=who,
        bans=list(banned_here(access.competition, people).values()) if people else [],
        changes=changes_of(person(registrant.entrant.player), registrant) if registrant.entrant else [],
        seated=registrant.entrant is not None and is_seated(registrant.entrant),
        actions=[(action, words) for action, words in ACTIONS if action != _DONE.get(registrant.state)],
    )


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("registration:entry", pk))
def enter(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    registrant = access.registrant(pk)
    who = WhoForm(request.POST, matches=find_matches(registrant), said=registrant)
    return save(
        request,
        who,
        lambda sent: enter_registrant(registrant=registrant, **who.values(), by=access.by, form=sent),
        about=("enter", pk),
        done=_("%(name)s added.") % {"name": registrant.name},
        then=access.address("registration:entries"),
    ) or _entry_page(request, access, registrant, PaymentForm(instance=registrant), who)


@presses(Can.ORGANIZE, done=gettext_lazy("Registration deleted."), gone="registration:entries")
def erase(request: HttpRequest, access: Access, pk: int) -> Asked:
    registrant = access.registrant(pk)
    return Asked(
        partial(erase_registrant, competition=access.competition, pk=registrant.pk, site=site_of(request)),
        then=access.address("registration:entries"),
    )
