"""The public form, the list of participants, and a person's own entry."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.network import client_address
from league.core.pages import (
    find_unless_sent,
    page,
    posted,
    press,
    reads,
    refuse_for_now,
    save,
    site_of,
    takes,
    writes,
)
from league.core.zones import day_of
from league.extras.registration.forms import EntryFields, EntryForm
from league.extras.registration.queries import (
    State,
    entries_in,
    offers_of,
    own_values,
    position_of,
    registrations,
    seconds_until_entry,
)
from league.extras.registration.services import confirm, erase_registrant, register, update_own, withdraw
from league.extras.registration.tables import ParticipantsTable
from league.models import Registrant, Registration
from league.organizing.personal_data.exports import REGISTERED
from players.matching import exact_key


@reads()
def index(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the form of the sole division that has one, or the choice of a division."""
    offers = [offer for offer in offers_of(access.competition) if offer.opens_at]
    if len(offers) == 1:
        (offer,) = offers
        return _form_page(request, access, offer, _entry_form(request, access, offer))
    return page(request, access, "registration/index.html", offers=offers)


@writes(Can.VIEW)
def form(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    offers = (each for each in offers_of(access.competition) if each.opens_at)
    offer = next((each for each in offers if each.division == division), None)
    if offer is None:
        raise Http404
    typed, address = _entry_form(request, access, offer), client_address(request)
    if request.method == "POST" and (seconds := seconds_until_entry(address)):
        return refuse_for_now(request, "registration/later.html", seconds)
    return save(
        request,
        typed,
        lambda sent: register(
            registration=offer, values=typed.values(), site=site_of(request), address=address, form=sent
        ),
        about=("register", offer.pk),
        then=access.address("registration:sent"),
    ) or _form_page(request, access, offer, typed)


def _entry_form(request: HttpRequest, access: Access, offer: Registration) -> EntryForm:
    known = own_values(access.competition, access.user.pk)
    if email := getattr(access.user, "email", ""):
        known["email"] = email
    return EntryForm(posted(request), registration=offer, initial=known)


def _form_page(request: HttpRequest, access: Access, offer: Registration, form: EntryForm) -> HttpResponse:
    return page(request, access, "registration/form.html", offer=offer, form=form)


@reads()
def sent_page(request: HttpRequest, access: Access) -> HttpResponse:
    return page(request, access, "registration/sent.html")


@public_page()
def participants(request: HttpRequest, access: Access) -> HttpResponse:
    def by_name(entry: Registrant) -> str:
        return exact_key(entry.romanized or entry.name)

    tables = [
        ParticipantsTable(offer, sorted(entries_in(offer, State.ACCEPTED), key=by_name), request=request)
        for offer in offers_of(access.competition)
        if offer.shows_registrants and day_of(access.competition) <= offer.kept_until
    ]
    return page(request, access, "registration/participants.html", tables=tables)


# --- a person's own entry


@writes(Can.VIEW)
def own(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    registrant = access.own_registrant(pk, secret)
    typed = EntryFields(posted(request), registration=registrant.registration, instance=registrant)
    return save(
        request,
        typed,
        lambda sent: update_own(registrant=registrant, values=typed.values(), form=sent),
        about=("own", pk),
        done=_("Your details are saved."),
        then=access.address("registration:own", pk, secret),
    ) or page(
        request,
        access,
        "registration/own.html",
        registrant=registrant,
        offer=registrations().get(pk=registrant.registration_id),
        position=position_of(registrant),
        form=typed,
        changeable=registrant.state not in (State.WITHDRAWN, State.DECLINED) and not registrant.is_expired,
        secret=secret,
    )


@takes(Can.VIEW)
def own_decide(request: HttpRequest, access: Access, pk: int, secret: str, action: str) -> HttpResponse:
    """Confirm or withdraw."""
    registrant = access.own_registrant(pk, secret)
    write, done = {
        "confirm": (confirm, _("Your registration is confirmed.")),
        "withdraw": (withdraw, _("Your registration is withdrawn.")),
    }[action]
    return press(
        request,
        lambda sent: write(registrant=registrant, site=site_of(request), form=sent),
        about=(action, pk),
        done=done,
        back=access.address("registration:own", pk, secret),
    )


@takes(Can.VIEW)
def own_erase(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    about = ("erase own", pk)
    find_unless_sent(request, lambda: access.own_registrant(pk, secret), *about)
    return press(
        request,
        lambda sent: erase_registrant(
            competition=access.competition, pk=pk, site=site_of(request), form=sent
        ),
        about=about,
        done=_("Your registration is deleted."),
        back=access.address("registration:own", pk, secret),
        then=access.address("registration:index"),
    )


@takes(Can.VIEW)
def own_data(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    """Send all that is kept of an entry, without the organizer's note."""
    registrant = access.own_registrant(pk, secret)
    facts = {"competition": access.competition.name, "state": registrant.state}
    facts |= {name: getattr(registrant, name) for name in REGISTERED}
    name = f'attachment; filename="registration-{pk}.json"'
    options = {"ensure_ascii": False, "indent": 1}
    return JsonResponse(facts, headers={"Content-Disposition": name}, json_dumps_params=options)
