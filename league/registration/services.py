"""Register, confirm, accept, move up and withdraw, in one change each.

Accepted entries alone hold places. Without moderation every change ends with `_fill`, which gives free places
to the head of the waiting list. If the register has similar players, an accepted entry holds its place until
the organizer says who it is.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.services import note_event
from league.core.changes import Change, Form, change, reread
from league.core.errors import Refused
from league.core.outbox import message, put
from league.core.zones import day_of
from league.models import (
    Competition,
    Entrant,
    KnownNumber,
    Outgoing,
    Registrant,
    Registration,
    SecurityEvent,
)
from league.registration.queries import (
    clear_match,
    find_matches,
    find_registered,
    has_begun,
    lines_of,
    mark_of,
    may_send_mail,
    numbers_of,
    register_of,
)
from league.registration.words import CONFIRM_HOURS
from league.roster.queries import is_seated
from league.roster.services.register import PlayerValues, register_change
from league.roster.services.roster import enter_in, remove_in, withdraw_in
from players.matching import Index, Person

State = Registrant.State
MOST_UNCONFIRMED = 2_000  # of a division: more come from a program
ENDED = _("This registration has ended. Ask the organizer.")


# --- the organizer's settings


def set_registration(
    *,
    competition: Competition,
    division: str,
    values: Mapping[str, object],
    site: str,
    by: User,
    form: Form | None = None,
) -> Registration:
    """Save the form of a division. More places go to the waiting list at once.

    ``site``: the scheme and host of the addresses in mails.
    """
    with register_change(competition, by=by, form=form) as done:
        found = Registration.objects.filter(competition=competition, division=division).first()
        registration = found or Registration(competition=competition, division=division)
        for name, value in values.items():
            setattr(registration, name, value)
        registration.competition = done.competition
        registration.save()
        done.log("registration.set", f"registration:{registration.pk}", after={"division": division})
        _fill(done, registration, site)
        done.answer = {"registration": registration.pk}
        return registration


def set_known_numbers(
    *, competition: Competition, numbers: Iterable[KnownNumber], by: User, form: Form | None = None
) -> int:
    """Replace the list of known numbers, and return how many it has."""
    with change(competition, by=by, form=form, public=False) as done:
        KnownNumber.objects.filter(competition=competition).delete()
        for each in (numbers := list(numbers)):
            each.competition = done.competition
        KnownNumber.objects.bulk_create(numbers)
        done.log("registration.numbers", f"competition:{competition.pk}", after={"numbers": len(numbers)})
        done.answer = {"numbers": len(numbers)}
        return len(numbers)


# --- the person who registers


def register(
    *,
    registration: Registration,
    values: Mapping[str, Any],
    site: str,
    address: str | None,
    form: Form | None = None,
) -> None:
    """Keep an unconfirmed entry and mail its address. The same person again gets the mail again.

    ``address``: of the network, for the limits. Nothing that a caller sees tells whether the person had
    registered before.
    """
    with change(registration.competition, by=None, form=form, public=False) as done:
        registration = _reread_registration(done, registration.pk)
        if not registration.is_open(done.at) or has_begun(registration):
            raise Refused(_("Registration is closed."))
        # Also for people who have registered, so that the answer does not tell who has.
        if registration.registrants.filter(confirmed_at=None).count() >= MOST_UNCONFIRMED:
            raise Refused(_("Too many registrations wait for confirmation. Try again tomorrow."))
        found = find_registered(registration, email=values["email"], name=values["name"])
        if found is None:
            found = Registrant.objects.create(registration=registration, created_at=done.at, **values)
            done.log("registration.register", f"registrant:{found.pk}")
        elif found.state == State.UNCONFIRMED:  # the time to confirm begins again
            found.created_at = done.at
            found.save(update_fields=["created_at"])
        if may_send_mail(found.email):
            _tell(done, found, site)
        note_event(SecurityEvent.Kind.ENTRY, name=mark_of(found.email), address=address)


def confirm(*, registrant: Registrant, site: str, form: Form | None = None) -> Registrant:
    """Confirm an entry, which then gets a place, waits for approval or joins the waiting list.

    Raises ``Refused`` if the time to confirm is over, if play has begun, or if neither a place nor a waiting
    list is left.
    """
    with _own_change(registrant, form) as (done, found):
        if found.state != State.UNCONFIRMED:
            raise Refused(_("This registration is already confirmed."))
        if is_expired(found):
            raise Refused(_("This address has expired. Register again."))
        registration = found.registration
        if has_begun(registration):
            raise Refused(ENDED)
        if not registration.has_waiting_list and _free(registration) == 0:
            raise Refused(_("All places are taken."))
        found.confirmed_at = done.at
        found.save(update_fields=["confirmed_at"])
        done.log("registration.confirm", f"registrant:{found.pk}")
        _fill(done, registration, site, but=found.pk)
        found.refresh_from_db(fields=["accepted_at", "entrant"])
        _tell(done, found, site)
        return found


def is_expired(registrant: Registrant) -> bool:
    until = registrant.created_at + timedelta(hours=CONFIRM_HOURS)
    return registrant.confirmed_at is None and timezone.now() > until


def update_own(*, registrant: Registrant, values: Mapping[str, Any], form: Form | None = None) -> None:
    """Change the person's details. A player in the roster keeps the record, and the organizer sees both."""
    with _own_change(registrant, form) as (done, found):
        if found.state in (State.WITHDRAWN, State.DECLINED):
            raise Refused(ENDED)
        same = find_registered(found.registration, email=found.email, name=values["name"])
        if same is not None and same.pk != found.pk:
            raise Refused(_("You have registered this person before."), field="name")
        for name, value in values.items():
            setattr(found, name, value)
        found.save(update_fields=list(values))
        done.log("registration.update", f"registrant:{found.pk}", after={"changed": sorted(values)})


def withdraw(*, registrant: Registrant, site: str, form: Form | None = None) -> None:
    """Withdraw an entry. Its player leaves the roster, and the next person of the waiting list moves up."""
    with _own_change(registrant, form) as (done, found):
        if not _withdraw(done, found, site):
            raise Refused(_("This registration is already withdrawn."))
        _fill(done, found.registration, site)


def _withdraw(done: Change, registrant: Registrant, site: str) -> bool:
    if registrant.withdrawn_at is not None:
        return False
    _leave_roster(done, registrant)
    registrant.withdrawn_at = done.at
    registrant.save(update_fields=["withdrawn_at"])
    done.log("registration.withdraw", f"registrant:{registrant.pk}")
    if registrant.confirmed_at is not None:
        _tell(done, registrant, site)
    return True


def erase_registrant(
    *, competition: Competition, pk: int, site: str, by: User | None = None, form: Form | None = None
) -> None:
    """Withdraw the entry if it still counts, and delete all of it. Results of the player stay."""
    is_over = competition.finished_at is not None
    opened = change(competition, by=by, form=form, even_finished=True) if is_over else None
    with opened or register_change(competition, by=by, form=form) as done:
        found = _reread_registrant(done, pk)
        if found.withdrawn_at is None and not is_over:
            _leave_roster(done, found)
        found.delete()
        done.log("registration.erase", f"registrant:{pk}")
        if not is_over:
            _fill(done, found.registration, site)


# --- the organizer's decisions


def decide(
    *,
    competition: Competition,
    registrants: Collection[int],
    action: str,
    site: str,
    by: User,
    form: Form | None = None,
) -> int:
    """Do "accept", "decline", "wait" (move to the waiting list) or "withdraw" for entries. Return how many.

    An entry that is there already stays. Raises ``Refused`` for more entries than free places, and for an
    entry that its person has withdrawn.
    """
    with register_change(competition, by=by, form=form) as done:
        here = Registrant.objects.filter(registration__competition=competition, pk__in=registrants)
        found = sorted(here.select_related("registration", "entrant__player"), key=_queue_key)
        act = (
            partial(_accept_by_hand, index=register_of(done.competition))
            if action == "accept"
            else _DECISIONS[action]
        )
        count = 0
        for each in found:
            each.registration.competition = done.competition
            count += act(done, each, site)
        for registration in {each.registration_id: each.registration for each in found}.values():
            _fill(done, registration, site)
        done.answer = {"registrants": count}
        return count


def _queue_key(registrant: Registrant) -> tuple[bool, Any]:
    """Return the order in which a bulk action takes entries: the waiting list before unconfirmed entries."""
    confirmed = registrant.confirmed_at is not None
    return not confirmed, registrant.turn if confirmed else (registrant.created_at, registrant.pk)


def _accept_by_hand(done: Change, registrant: Registrant, site: str, index: Index) -> bool:
    if registrant.state == State.ACCEPTED:
        return False
    if registrant.state == State.WITHDRAWN:
        raise Refused(_("%(name)s has withdrawn.") % {"name": registrant.name})
    if _free(registrant.registration) == 0:
        raise Refused(
            _("All places are taken. Use the waiting list, or raise the number of places in the settings.")
        )
    registrant.declined_at = None
    registrant.confirmed_at = registrant.confirmed_at or done.at
    _accept(done, registrant, index)
    _tell(done, registrant, site)
    return True


def _decline(done: Change, registrant: Registrant, site: str) -> bool:
    if registrant.state in (State.DECLINED, State.WITHDRAWN):
        return False
    _leave_roster(done, registrant)
    registrant.declined_at = done.at
    registrant.save(update_fields=["declined_at"])
    done.log("registration.decline", f"registrant:{registrant.pk}")
    if registrant.confirmed_at is not None:
        _tell(done, registrant, site)
    return True


def _move_to_waiting(done: Change, registrant: Registrant, site: str) -> bool:
    if registrant.state == State.WAITING:
        return False
    if registrant.state == State.WITHDRAWN:
        raise Refused(_("%(name)s has withdrawn.") % {"name": registrant.name})
    registration = registrant.registration
    waits = any(line.state == State.WAITING for line in lines_of(registration))
    if registrant.state == State.ACCEPTED and not registration.is_moderated and not waits:
        raise Refused(
            _("No one else waits, so %(name)s would get the place again. Decline the registration instead.")
            % {"name": registrant.name}
        )
    _leave_roster(done, registrant)
    registrant.confirmed_at = registrant.confirmed_at or done.at
    registrant.waits_since, registrant.accepted_at, registrant.declined_at = done.at, None, None
    registrant.save()
    done.log("registration.wait", f"registrant:{registrant.pk}")
    _tell(done, registrant, site)
    return True


_DECISIONS = {
    "decline": _decline,
    "wait": _move_to_waiting,
    "withdraw": _withdraw,
}


def enter_registrant(
    *,
    registrant: Registrant,
    same_as: int | None,
    despite: str = "",
    by: User,
    form: Form | None = None,
) -> Entrant:
    """Enter an accepted person into the roster as ``same_as`` of the register, or as a new one (None).

    A player who is entered already becomes the entry's player. Raises ``Refused`` as ``enter_player``.
    """
    with _own_change(registrant, form, by=by) as (done, found):
        if found.state != State.ACCEPTED or found.entrant_id is not None:
            raise Refused(_("Only accepted registrations without a player can be added to the players."))
        here = Entrant.objects.filter(competition=done.competition, player=same_as or 0).first()
        if here is not None and here.registrants.exists():
            raise Refused(_("This player belongs to another registration."))
        return _enter(done, found, same_as, despite=despite, known=here)


def note_payment(
    *, registrant: Registrant, values: Mapping[str, Any], by: User, form: Form | None = None
) -> None:
    with _own_change(registrant, form, by=by) as (done, found):
        for name, value in values.items():
            setattr(found, name, value)
        found.save(update_fields=list(values))
        paid = None if found.paid is None else str(found.paid)
        done.log("registration.pay", f"registrant:{found.pk}", after={"amount": paid})


# --- places and the roster


def _fill(done: Change, registration: Registration, site: str, *, but: int = 0) -> None:
    """Give free places to the head of the waiting list, and send their mails, except to ``but``.

    After the first round of a tournament is seated, the organizer decides who plays.
    """
    free = _free(registration)
    if registration.is_moderated or free == 0 or has_begun(registration):
        return
    waiting = [line for line in lines_of(registration) if line.state == State.WAITING][:free]
    index = register_of(done.competition) if waiting else Index(())
    for line in waiting:
        _accept(done, line.registrant, index)
        if line.registrant.pk != but:
            _tell(done, line.registrant, site)


def _free(registration: Registration) -> int | None:
    if registration.places is None:
        return None
    accepted = registration.registrants.filter(
        accepted_at__isnull=False, declined_at__isnull=True, withdrawn_at__isnull=True
    )
    return max(0, registration.places - accepted.count())


def _accept(done: Change, registrant: Registrant, index: Index) -> None:
    """Give the entry a place, and enter the person into the roster if it is clear who it is.

    ``index``: the league's register, to which the player is added for the next entry.
    """
    registrant.accepted_at, registrant.waits_since = done.at, None
    registrant.save()
    done.log("registration.accept", f"registrant:{registrant.pk}")
    matches = find_matches(registrant, index)
    who = clear_match(done.competition, matches)
    if who is None:
        return
    player = _enter(done, registrant, who or None).player_id
    facts = {name: getattr(registrant, name) for name in ("name", "romanized", "country")}
    new = Person(pk=player, **facts, numbers=numbers_of(registrant))
    index.add(replace(matches[0].person if matches else new, entered=True))


def _enter(
    done: Change,
    registrant: Registrant,
    same_as: int | None,
    *,
    despite: str = "",
    known: Entrant | None = None,
) -> Entrant:
    facts = {name: getattr(registrant, name) for name in ("name", "romanized", "country", "club")}
    values = PlayerValues(**facts, numbers=numbers_of(registrant))
    division = done.competition.divisions.filter(slug=registrant.registration.division).first()
    registrant.entrant = known or enter_in(done, values, division, same_as=same_as, despite=despite)
    registrant.save(update_fields=["entrant"])
    return registrant.entrant


def _leave_roster(done: Change, registrant: Registrant) -> None:
    """Remove the player, or withdraw a player who was seated. A player removed by hand is gone already."""
    entrant = registrant.entrant
    if registrant.state != State.ACCEPTED or entrant is None or entrant.withdrawn_at is not None:
        return
    if is_seated(entrant):
        withdraw_in(done, entrant)
    else:
        registrant.entrant = None
        registrant.save(update_fields=["entrant"])
        remove_in(done, entrant)


# --- helpers


@contextmanager
def _own_change(
    registrant: Registrant, form: Form | None, *, by: User | None = None
) -> Iterator[tuple[Change, Registrant]]:
    """Open a change under the register's lock, and read the entry again."""
    with register_change(registrant.registration.competition, by=by, form=form) as done:
        found = _reread_registrant(done, registrant.pk)
        done.answer = {"registrant": found.pk}
        yield done, found


def _tell(done: Change, registrant: Registrant, site: str) -> None:
    """Put the mail about the state of the entry."""
    payload = {"about": "registration", "registrant": registrant.pk, "state": registrant.state, "site": site}
    key = f"registrant:{registrant.pk}:{registrant.state}:{done.at.isoformat()}"
    here = registrant.registration.competition_id
    put([message(kind=Outgoing.Kind.MAIL, key=key, competition_id=here, payload=payload)])


def _reread_registrant(done: Change, pk: int) -> Registrant:
    every = Registrant.objects.select_related("registration", "entrant__player")
    found = reread(every, registration__competition=done.competition, pk=pk)
    found.registration.competition = done.competition
    return found


def _reread_registration(done: Change, pk: int) -> Registration:
    found = reread(Registration.objects.filter(competition=done.competition), pk=pk)
    found.competition = done.competition
    return found


def remove_expired() -> int:
    """Delete entries that were not confirmed in time, and all entries after the day that the terms name."""
    now = timezone.now()
    late = Registrant.objects.filter(confirmed_at=None, created_at__lt=now - timedelta(hours=CONFIRM_HOURS))
    count = late.delete()[0]
    ended = Registration.objects.select_related("competition").filter(kept_until__lt=now)
    over = [each for each in ended if each.kept_until < day_of(each.competition, now)]
    count += Registrant.objects.filter(registration__in=over).delete()[0]
    still = Registration.objects.exclude(pk__in=[each.pk for each in over]).values("competition")
    gone = KnownNumber.objects.filter(competition__in=[each.competition_id for each in over])
    return count + gone.exclude(competition__in=still).delete()[0]
