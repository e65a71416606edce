"""Register, confirm, accept, move up and withdraw, in one change each.

Accepted entries alone hold places. Without moderation every change ends with `_fill`, which gives free places
to the head of the waiting list. If the register has similar players, an accepted entry holds its place until
the organizer says who it is.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.outbox import message, put
from league.extras.registration.queries import (
    State,
    clear_match,
    entries_in,
    facts_of,
    find_matches,
    find_registered,
    mark_of,
    may_send_mail,
    registrations,
)
from league.models import (
    Competition,
    Entrant,
    KnownNumber,
    Outgoing,
    Registrant,
    Registration,
    SecurityEvent,
)
from league.organizing.roster.queries import is_seated, people
from league.organizing.roster.services.roster import remove_in, withdraw_in
from league.people.accounts.services import note_event
from league.people.register.services import PlayerValues, register_change
from league.play.entrants.services import enter_in
from players.matching import Index, Person

MOST_UNCONFIRMED = 2_000  # of a division: more come from a program
ENDED = _("This registration has ended. Ask the organizer.")


@dataclass
class _Desk:
    """An open change of registrations. The people of the entries in `informed` get a mail at its end."""

    done: Change
    informed: dict[int, Registrant] = field(default_factory=dict)

    @cached_property
    def index(self) -> Index:
        """Return the league's register, to which new players are added for the next entry."""
        return Index(people(self.done.competition))

    def save(
        self, action: str, registrant: Registrant, *, tells: bool = True, **times: datetime | None
    ) -> None:
        """Set these times of an entry, log the action, and tell the person."""
        for name, at in times.items():
            setattr(registrant, name, at)
        registrant.save()
        self.done.log(f"registration.{action}", f"registrant:{registrant.pk}")
        if tells:
            self.informed[registrant.pk] = registrant


@contextmanager
def _desk(opened: AbstractContextManager[Change], site: str = "") -> Iterator[_Desk]:
    """Open a desk. `site`: the scheme and host of the addresses in mails."""
    with opened as done:
        desk = _Desk(done)
        yield desk
        put(
            message(
                kind=Outgoing.Kind.MAIL,
                key=f"registrant:{pk}:{registrant.state}:{done.at.isoformat()}",
                competition_id=done.competition.pk,
                payload={"about": "registration", "registrant": pk, "state": registrant.state, "site": site},
            )
            for pk, registrant in desk.informed.items()
        )


@contextmanager
def _entry_desk(
    registrant: Registrant, form: Sent | None, *, site: str = "", by: User | None = None
) -> Iterator[tuple[_Desk, Registrant]]:
    """Open a change under the register's lock, and read the entry again."""
    with _desk(register_change(registrant.registration.competition, by=by, form=form), site) as desk:
        yield desk, _reread(desk, registrant.pk)


def _reread(desk: _Desk, pk: int) -> Registrant:
    every = Registrant.objects.select_related("registration__competition", "entrant__player")
    return reread(every, registration__competition=desk.done.competition, pk=pk)


# --- the organizer's settings


def set_registration(
    *,
    competition: Competition,
    division: str,
    site: str,
    by: User,
    form: Sent | None = None,
    **values: Any,
) -> Registration:
    """Save the form of a division. More places go to the waiting list at once."""
    with _desk(register_change(competition, by=by, form=form), site) as desk:
        registration, _made = Registration.objects.update_or_create(
            competition=desk.done.competition, division=division, defaults=values
        )
        desk.done.log("registration.set", f"registration:{registration.pk}", after={"division": division})
        _fill(desk, registration)
        return registration


def set_known_numbers(
    *, competition: Competition, numbers: Collection[KnownNumber], by: User, form: Sent | None = None
) -> int:
    """Replace the list of known numbers, and return how many it has."""
    with change(competition, by=by, form=form, public=False) as done:
        KnownNumber.objects.filter(competition=competition).delete()
        for number in numbers:
            number.competition = done.competition
        KnownNumber.objects.bulk_create(numbers)
        done.log("registration.numbers", f"competition:{competition.pk}", after={"numbers": len(numbers)})
        done.answer = {"count": len(numbers)}
        return len(numbers)


# --- the person who registers


def register(
    *,
    registration: Registration,
    values: Mapping[str, Any],
    site: str,
    address: str | None,
    form: Sent | None = None,
) -> None:
    """Keep an unconfirmed entry and mail its address. The same person again gets the mail again.

    ``address``: of the network, for the limits. Nothing that a caller sees tells whether the person had
    registered before.
    """
    opened = change(registration.competition, by=None, form=form, public=False)
    with _desk(opened, site) as desk:
        here = reread(registrations(), competition=desk.done.competition, pk=registration.pk)
        if not here.takes_entries:
            raise Refused(_("Registration is closed."))
        # Also for people who have registered, so that the answer does not tell who has.
        if here.registrants.filter(confirmed_at=None).count() >= MOST_UNCONFIRMED:
            raise Refused(_("Too many registrations wait for confirmation. Try again tomorrow."))
        entry = find_registered(here, email=values["email"], name=values["name"])
        if entry is None:
            entry = Registrant(registration=here, created_at=desk.done.at, **values)
            desk.save("register", entry, tells=False)
        elif entry.state == State.UNCONFIRMED:  # the time to confirm begins again
            _set(entry, {"created_at": desk.done.at})
        if may_send_mail(entry.email):
            desk.informed[entry.pk] = entry
        note_event(SecurityEvent.Kind.ENTRY, name=mark_of(entry.email), address=address)


def confirm(*, registrant: Registrant, site: str, form: Sent | None = None) -> Registrant:
    """Confirm an entry, which then gets a place, waits for approval or joins the waiting list.

    Raises ``Refused`` if the time to confirm is over, if play has begun, or if neither a place nor a waiting
    list is left.
    """
    with _entry_desk(registrant, form, site=site) as (desk, entry):
        if entry.state != State.UNCONFIRMED:
            raise Refused(_("This registration is already confirmed."))
        if entry.is_expired:
            raise Refused(_("This address has expired. Register again."))
        here = registrations().get(pk=entry.registration_id)
        if here.has_begun:
            raise Refused(ENDED)
        if here.is_full:
            raise Refused(_("All places are taken."))
        desk.save("confirm", entry, confirmed_at=desk.done.at)
        _fill(desk, here)
        return desk.informed[entry.pk]


def update_own(*, registrant: Registrant, values: Mapping[str, Any], form: Sent | None = None) -> None:
    """Change the person's details. A player in the roster keeps the record, and the organizer sees both."""
    with _entry_desk(registrant, form) as (desk, entry):
        if entry.state in (State.WITHDRAWN, State.DECLINED):
            raise Refused(ENDED)
        same = find_registered(entry.registration, email=entry.email, name=values["name"])
        if same is not None and same.pk != entry.pk:
            raise Refused(_("You have registered this person before."), field="name")
        _set(entry, values)
        desk.done.log("registration.update", f"registrant:{entry.pk}", after={"changed": sorted(values)})


def _set(registrant: Registrant, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(registrant, name, value)
    registrant.save(update_fields=list(values))


def withdraw(*, registrant: Registrant, site: str, form: Sent | None = None) -> None:
    """Withdraw an entry. Its player leaves the roster, and the next person of the waiting list moves up."""
    with _entry_desk(registrant, form, site=site) as (desk, entry):
        if not _DECISIONS["withdraw"](desk, entry):
            raise Refused(_("This registration is already withdrawn."))
        _fill(desk, entry.registration)


def erase_registrant(
    *, competition: Competition, pk: int, site: str, by: User | None = None, form: Sent | None = None
) -> None:
    """Withdraw the entry if it still counts, and delete all of it. Results of the player stay."""
    is_over = competition.finished_at is not None
    opened = change(competition, by=by, form=form, even_finished=True) if is_over else None
    with _desk(opened or register_change(competition, by=by, form=form), site) as desk:
        entry = _reread(desk, pk)
        if entry.withdrawn_at is None and not is_over:
            _leave_roster(desk.done, entry)
        entry.delete()
        desk.done.log("registration.erase", f"registrant:{pk}")
        if not is_over:
            _fill(desk, entry.registration)


# --- the organizer's decisions


def decide(
    *,
    competition: Competition,
    registrants: Collection[int],
    action: str,
    site: str,
    by: User,
    form: Sent | None = None,
) -> int:
    """Do "accept", "decline", "wait" (move to the waiting list) or "withdraw" for entries. Return how many.

    An entry that is there already stays. Raises ``Refused`` for more entries than free places, and for an
    entry that its person has withdrawn.
    """
    with _desk(register_change(competition, by=by, form=form), site) as desk:
        here = Registrant.objects.filter(registration__competition=competition, pk__in=registrants)
        entries = sorted(here.select_related("registration", "entrant__player"), key=_queue_key)
        count = sum(_DECISIONS[action](desk, entry) for entry in entries)
        for registration in {entry.registration_id: entry.registration for entry in entries}.values():
            _fill(desk, registration)
        desk.done.answer = {"registrants": count}
        return count


def _queue_key(registrant: Registrant) -> tuple[bool, Any]:
    """Return the order in which a bulk action takes entries: the waiting list before unconfirmed entries."""
    confirmed = registrant.confirmed_at is not None
    return not confirmed, registrant.turn if confirmed else (registrant.created_at, registrant.pk)


def _accept_by_hand(desk: _Desk, registrant: Registrant) -> bool:
    if registrant.state == State.ACCEPTED:
        return False
    _refuse_withdrawn(registrant)
    if registrations().get(pk=registrant.registration_id).free == 0:
        raise Refused(
            _("All places are taken. Use the waiting list, or raise the number of places in the settings.")
        )
    registrant.declined_at, registrant.confirmed_at = None, registrant.confirmed_at or desk.done.at
    _accept(desk, registrant)
    return True


def _refuse_withdrawn(registrant: Registrant) -> None:
    if registrant.state == State.WITHDRAWN:
        raise Refused(_("%(name)s has withdrawn.") % {"name": registrant.name})


def _move_to_waiting(desk: _Desk, registrant: Registrant) -> bool:
    if registrant.state == State.WAITING:
        return False
    _refuse_withdrawn(registrant)
    registration, at = registrant.registration, desk.done.at
    goes_up = registrant.state == State.ACCEPTED and not registration.is_moderated
    if goes_up and not entries_in(registration, State.WAITING):
        raise Refused(
            _("No one else waits, so %(name)s would get the place again. Decline the registration instead.")
            % {"name": registrant.name}
        )
    _leave_roster(desk.done, registrant)
    confirmed = registrant.confirmed_at or at
    registrant.accepted_at = registrant.declined_at = None
    desk.save("wait", registrant, waits_since=at, confirmed_at=confirmed)
    return True


def _end(desk: _Desk, registrant: Registrant, *, action: str, time: str) -> bool:
    """Decline or withdraw an entry. Its person gets a mail only if they confirmed the address."""
    if registrant.withdrawn_at is not None or getattr(registrant, time) is not None:
        return False
    _leave_roster(desk.done, registrant)
    setattr(registrant, time, desk.done.at)
    desk.save(action, registrant, tells=registrant.confirmed_at is not None)
    return True


_DECISIONS: dict[str, Callable[[_Desk, Registrant], bool]] = {
    "accept": _accept_by_hand,
    "decline": partial(_end, action="decline", time="declined_at"),
    "wait": _move_to_waiting,
    "withdraw": partial(_end, action="withdraw", time="withdrawn_at"),
}


def enter_registrant(
    *,
    registrant: Registrant,
    same_as: int | None,
    changes: bool = False,
    despite: str = "",
    by: User,
    form: Sent | None = None,
) -> Entrant:
    """Enter an accepted person into the roster as ``same_as`` of the register, or as a new one (None).

    ``changes``: their record changes to what the entry says. A player who is entered already becomes the
    entry's player. Raises ``Refused`` as ``enter_player``.
    """
    with _entry_desk(registrant, form, by=by) as (desk, entry):
        if not entry.is_missing:
            raise Refused(_("Only accepted registrations without a player can be added to the players."))
        known = Entrant.objects.filter(competition=desk.done.competition, player=same_as or 0).first()
        if known is not None and known.registrants.exists():
            raise Refused(_("This player belongs to another registration."))
        return _enter(desk.done, entry, same_as, changes=changes, despite=despite, known=known)


def note_payment(*, registrant: Registrant, by: User, form: Sent | None = None, **values: Any) -> None:
    with _entry_desk(registrant, form, by=by) as (desk, entry):
        _set(entry, values)
        paid = None if entry.paid is None else str(entry.paid)
        desk.done.log("registration.pay", f"registrant:{entry.pk}", after={"amount": paid})


# --- places and the roster


def _fill(desk: _Desk, registration: Registration) -> None:
    """Give free places to the head of the waiting list.

    After the first round of a tournament is seated, the organizer decides who plays.
    """
    here = registrations().get(pk=registration.pk)
    if here.is_moderated or here.free == 0 or here.has_begun:
        return
    for entry in entries_in(here, State.WAITING)[: here.free]:
        _accept(desk, entry)


def _accept(desk: _Desk, registrant: Registrant) -> None:
    """Give the entry a place, and enter the person into the roster if it is clear who it is."""
    desk.save("accept", registrant, accepted_at=desk.done.at, waits_since=None)
    matches = find_matches(registrant, desk.index)
    who = clear_match(registrant, matches)
    if who is None:
        return
    player = _enter(desk.done, registrant, who or None).player_id
    new = Person(pk=player, **facts_of(registrant))
    known = next((match.person for match in matches), new)
    desk.index.add(replace(known, entered=True))


def _enter(
    done: Change, registrant: Registrant, who: int | None, *, known: Entrant | None = None, **how: Any
) -> Entrant:
    values = PlayerValues(club=registrant.club, **facts_of(registrant))
    division = done.competition.divisions.filter(slug=registrant.registration.division).first()
    registrant.entrant = known or enter_in(done, values, division, same_as=who, **how)
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
