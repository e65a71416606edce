"""The organizer's pages of registrations: the list, the settings, one entry."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.bans.queries import banned_here
from league.core.access import Access, Can
from league.core.limits import takes_up_to
from league.core.pages import Answer, find_unless_sent, page, paged, press, reads, save, sent, takes, writes
from league.models import KnownNumber, Registrant, Registration
from league.registration.exports import FORMATS, write_registrants
from league.registration.forms import ACTIONS, DecideForm, NumbersForm, PaymentForm, SettingsForm, WhoForm
from league.registration.imports import read_numbers
from league.registration.queries import (
    Line,
    find_matches,
    line_of,
    lines_of,
    matching_lines,
    offers_of,
    register_of,
    with_differences,
)
from league.registration.services import (
    decide,
    enter_registrant,
    erase_registrant,
    note_payment,
    set_known_numbers,
    set_registration,
)
from league.registration.views.public import site_of
from league.roster.queries import describe, is_seated
from players.files import Unreadable
from players.text import has_control_characters

State = Registrant.State
LINES_A_PAGE = 200
_DONE = {State.ACCEPTED: "accept", State.DECLINED: "decline", State.WAITING: "wait"}


@reads(Can.ORGANIZE)
def entries(request: HttpRequest, access: Access) -> HttpResponse:
    asked = {name: _clean(request.GET.get(name, "")) for name in ("q", "state", "division")}
    lines = _find_lines(access, asked["division"])
    counts = {state: sum(line.state == state for line in lines) for state in State}
    shown = matching_lines(lines, text=asked["q"], state=asked["state"])
    shown_page = paged(request, with_differences(access.competition, shown), LINES_A_PAGE)
    return page(
        request,
        access,
        "registration/entries.html",
        page=shown_page,
        asked=asked,
        counts=[(state, count) for state, count in counts.items() if count],
        total=len(lines),
        offers=offers_of(access.competition),
        without=_divisions_without(access),
        addresses=", ".join(dict.fromkeys(line.registrant.email for line in shown)),
        actions=ACTIONS,
    )


def _clean(text: str) -> str:
    return "".join(c for c in text[:200] if not has_control_characters(c)).strip()


def _find_lines(access: Access, division: str = "") -> list[Line]:
    offers = offers_of(access.competition)
    return [
        line
        for each in offers
        if division in ("", each.division.slug)
        for line in lines_of(each.registration)
    ]


def _divisions_without(access: Access) -> list[object]:
    with_form = {each.division.slug for each in offers_of(access.competition)}
    return [each for each in access.competition.divisions.all() if each.slug not in with_form]


@takes(Can.ORGANIZE)
def decide_entries(request: HttpRequest, access: Access) -> HttpResponse:
    known = Registrant.objects.filter(registration__competition=access.competition)
    form = DecideForm(request.POST, registrants=list(known.values_list("pk", flat=True)))

    def done(answer: Answer) -> str:
        count = answer["registrants"]
        words = ngettext("%(count)s registration changed.", "%(count)s registrations changed.", count)
        return words % {"count": count}

    return press(
        request,
        lambda sent: decide(
            competition=access.competition, **form.values(), site=site_of(request), by=access.by, form=sent
        ),
        form=form,
        about=("decide", access.competition.pk),
        done=done,
        back=access.address("registration:entries"),
    )


@reads(Can.ORGANIZE)
def entries_file(request: HttpRequest, access: Access, fmt: str) -> HttpResponse:
    if fmt not in FORMATS:
        raise Http404
    lines = with_differences(access.competition, _find_lines(access))
    content = write_registrants(access.competition, lines, fmt)
    response = HttpResponse(content, content_type=FORMATS[fmt])
    name = f'attachment; filename="{access.competition.slug}-registrations.{fmt}"'
    response["Content-Disposition"] = name
    return response


@writes(Can.ORGANIZE)
def settings(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    """Set the form of a division. A new one begins with the settings of another division."""
    found, every = access.division(division), access.competition.registrations.all()
    registration = every.filter(division=division).first() or every.first() or Registration()
    registration.competition = access.competition
    form = SettingsForm(sent(request), registration=registration)
    return save(
        request,
        form,
        lambda sent: set_registration(
            competition=access.competition,
            division=division,
            values=form.values(),
            site=site_of(request),
            by=access.by,
            form=sent,
        ),
        about=("registration", found.pk),
        done=_("Registration saved."),
        then=access.address("registration:entries"),
    ) or page(request, access, "registration/settings.html", form=form, division=found)


@takes_up_to(5)
@writes(Can.ORGANIZE)
def numbers(request: HttpRequest, access: Access) -> HttpResponse:
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = NumbersForm(data, files)
    read: list[KnownNumber] = []
    if form.is_valid():
        try:
            read = read_numbers(form.cleaned_data["file"].read())
        except Unreadable as error:
            form.add_error("file", str(error))
    return save(
        request,
        form,
        lambda sent: set_known_numbers(competition=access.competition, numbers=read, by=access.by, form=sent),
        about=("numbers", access.competition.pk),
        done=lambda answer: _("%(count)s numbers saved.") % {"count": answer["numbers"]},
        then=access.address("registration:entries"),
    ) or page(
        request,
        access,
        "registration/numbers.html",
        form=form,
        count=KnownNumber.objects.filter(competition=access.competition).count(),
    )


# --- one entry


@writes(Can.ORGANIZE)
def entry(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.registrant(pk)
    initial = {name: getattr(found, name) for name in ("paid_on", "paid", "note")}
    form = PaymentForm(sent(request), initial=initial)
    return save(
        request,
        form,
        lambda sent: note_payment(registrant=found, values=form.values(), by=access.by, form=sent),
        about=("payment", pk),
        done=_("%(name)s saved.") % {"name": found.name},
        then=access.address("registration:entries"),
    ) or _entry_page(request, access, found, form)


def _entry_page(
    request: HttpRequest,
    access: Access,
    found: Registrant,
    form: PaymentForm,
    who: WhoForm | None = None,
) -> HttpResponse:
    [line] = with_differences(access.competition, [line_of(found)])
    asks = line.is_missing
    who = who or (_who_form(found) if asks else None)
    known = [pk for pk, _words in who.fields["who"].choices if pk] if who else []  # type: ignore[attr-defined]
    return page(
        request,
        access,
        "registration/entry.html",
        registrant=found,
        line=line,
        form=form,
        who=who,
        bans=list(banned_here(access.competition, known).values()) if known else [],
        seated=found.entrant is not None and is_seated(found.entrant),
        actions=[each for each in ACTIONS if each[0] != _DONE.get(line.state)],
    )


def _who_form(found: Registrant, data: object = None) -> WhoForm:
    matches = find_matches(found, register_of(found.registration.competition))
    described = [describe(each.person) for each in matches]
    return WhoForm(data, matches=matches, described=described)


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("registration:entry", pk))
def enter(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.registrant(pk)
    who = _who_form(found, request.POST)
    return save(
        request,
        who,
        lambda sent: enter_registrant(registrant=found, **who.values(), by=access.by, form=sent),
        about=("enter", pk),
        done=_("%(name)s added.") % {"name": found.name},
        then=access.address("registration:entries"),
    ) or _entry_page(request, access, found, PaymentForm(), who)


@takes(Can.ORGANIZE)
def erase(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    about = ("erase entry", pk)
    find_unless_sent(request, lambda: access.registrant(pk), *about)
    return press(
        request,
        lambda sent: erase_registrant(
            competition=access.competition, pk=pk, site=site_of(request), by=access.by, form=sent
        ),
        about=about,
        done=_("Registration deleted."),
        back=access.address("registration:entries"),
    )
