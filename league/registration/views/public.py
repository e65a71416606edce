"""The public form, the list of participants, and a person's own entry."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.caching import public_page
from league.core.network import client_address
from league.core.pages import (
    find_unless_sent,
    page,
    press,
    reads,
    refuse_for_now,
    save,
    sent,
    takes,
    today,
    writes,
)
from league.models import Registrant
from league.registration.exports import own_file
from league.registration.forms import EntryFields, EntryForm
from league.registration.queries import (
    Offer,
    has_begun,
    line_of,
    offers_of,
    own_values,
    seconds_until_entry,
    shown_registrants,
)
from league.registration.services import (
    confirm,
    erase_registrant,
    is_expired,
    register,
    update_own,
    withdraw,
)
from league.registration.words import moments_of, privacy_of

State = Registrant.State


def site_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


@reads()
def index(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the form of the sole division that has one, or the choice of a division."""
    offers = [each for each in offers_of(access.competition) if each.registration.opens_at]
    if len(offers) == 1:
        return _form_page(request, access, offers[0], _entry_form(request, access, offers[0]))
    return page(request, access, "registration/index.html", offers=_described(offers))


def _described(offers: list[Offer]) -> list[tuple[Offer, bool, dict[str, str]]]:
    now = timezone.now()
    return [(each, each.is_open(now), moments_of(each.registration, now)) for each in offers]


@writes(Can.VIEW)
def form(request: HttpRequest, access: Access, division: str) -> HttpResponse:
    offer = _find_offer(access, division)
    typed = _entry_form(request, access, offer)
    address = client_address(request)
    if request.method == "POST" and (seconds := seconds_until_entry(address)):
        return refuse_for_now(request, "registration/later.html", seconds)
    return save(
        request,
        typed,
        lambda sent: register(
            registration=offer.registration,
            values=typed.values(),
            site=site_of(request),
            address=address,
            form=sent,
        ),
        about=("register", offer.registration.pk),
        then=access.address("registration:sent"),
    ) or _form_page(request, access, offer, typed)


def _find_offer(access: Access, division: str) -> Offer:
    offers = (each for each in offers_of(access.competition) if each.registration.opens_at)
    found = next((each for each in offers if each.division.slug == division), None)
    if found is None:
        raise Http404
    return found


def _entry_form(request: HttpRequest, access: Access, offer: Offer) -> EntryForm:
    known = own_values(access.competition, access.user.pk)
    if email := getattr(access.user, "email", ""):
        known["email"] = email
    return EntryForm(
        sent(request), registration=offer.registration, initial=known, now=timezone.now().timestamp()
    )


def _form_page(request: HttpRequest, access: Access, offer: Offer, form: EntryForm) -> HttpResponse:
    registration = offer.registration
    return page(
        request,
        access,
        "registration/form.html",
        offer=offer,
        registration=registration,
        is_open=offer.is_open(timezone.now()),
        opens_later=registration.opens_at and registration.opens_at > timezone.now(),
        moments=moments_of(registration, timezone.now()),
        privacy=privacy_of(registration),
        form=form,
    )


@reads()
def sent_page(request: HttpRequest, access: Access) -> HttpResponse:
    return page(request, access, "registration/sent.html")


@public_page()
def participants(request: HttpRequest, access: Access) -> HttpResponse:
    shown = [
        (each, shown_registrants(each.registration))
        for each in offers_of(access.competition)
        if each.registration.shows_registrants and today(access.competition) <= each.registration.kept_until
    ]
    return page(request, access, "registration/participants.html", shown=shown)


# --- a person's own entry


@writes(Can.VIEW)
def own(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    found = access.own_registrant(pk, secret)
    initial = {name: getattr(found, name) for name in EntryFields.base_fields if name != "key"}
    typed = EntryFields(sent(request), registration=found.registration, initial=initial)
    here = access.address("registration:own", pk, secret)
    return save(
        request,
        typed,
        lambda sent: update_own(registrant=found, values=typed.values(), form=sent),
        about=("own", pk),
        done=_("Your details are saved."),
        then=here,
    ) or page(
        request,
        access,
        "registration/own.html",
        registrant=found,
        line=line_of(found),
        form=typed,
        expired=is_expired(found),
        begun=has_begun(found.registration),
        changeable=found.state not in (State.WITHDRAWN, State.DECLINED) and not is_expired(found),
        privacy=privacy_of(found.registration),
        secret=secret,
    )


@takes(Can.VIEW)
def own_confirm(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    return _press_own(request, access, pk, secret, confirm, _("Your registration is confirmed."))


@takes(Can.VIEW)
def own_withdraw(request: HttpRequest, access: Access, pk: int, secret: str) -> HttpResponse:
    return _press_own(request, access, pk, secret, withdraw, _("Your registration is withdrawn."))


def _press_own(
    request: HttpRequest, access: Access, pk: int, secret: str, write: Callable[..., object], done: str
) -> HttpResponse:
    found = access.own_registrant(pk, secret)
    return press(
        request,
        lambda sent: write(registrant=found, site=site_of(request), form=sent),
        about=(write.__name__, pk),
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
    response = HttpResponse(own_file(access.own_registrant(pk, secret)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="registration-{pk}.json"'
    return response
