"""Registrations of a competition: states, positions, free places, and whom an entry may mean."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.core.search import sole
from league.core.zones import day_of, zone_of
from league.models import Competition, KnownNumber, Registrant, Registration, Role, Seat, SecurityEvent
from league.organizing.roster.queries import people
from league.people.accounts.queries import seconds_until
from league.people.register.queries import person
from league.play.bans.queries import banned_here
from players.folding import has_name, is_one_name
from players.matching import Index, Match, near_key
from players.models import FederationNumber, Player

ENTRIES_OF_AN_ADDRESS, MAILS_OF_AN_EMAIL = 60, 5  # an hour: a club behind one router, one person
State = Registrant.State


def registrations() -> QuerySet[Registration]:
    """Return registrations with their counts of entries, and whether play has begun."""
    division = "round__stage__division"
    seats = Seat.objects.filter(
        **{f"{division}__slug": OuterRef("division"), f"{division}__competition": OuterRef("competition")},
        **{f"{division}__competition__kind": Competition.Kind.EVENT},
    )
    counts = Q(registrants__declined_at=None, registrants__withdrawn_at=None)
    holds = counts & Q(registrants__accepted_at__isnull=False)
    waits = counts & Q(registrants__accepted_at=None, registrants__confirmed_at__isnull=False)
    approved = Q(is_moderated=False) | Q(registrants__waits_since__isnull=False)
    facts: dict[str, Any] = {
        "accepted": Count("registrants", filter=holds),
        "waiting": Count("registrants", filter=waits & approved),
        "has_begun": Exists(seats),
    }
    return Registration.objects.annotate(**facts)


def offers_of(competition: Competition) -> list[Registration]:
    """Return the registrations in the order of their divisions, each with its `part`. Queries: 1 or 2."""
    every = registrations().filter(competition=competition)
    by_slug = {registration.division: registration for registration in every}
    offers = []
    for part in competition.divisions.all() if by_slug else ():
        if offer := by_slug.get(part.slug):
            offer.competition, offer.part = competition, part
            offers.append(offer)
    return offers


def announced(competition: Competition) -> list[Registration]:
    """Return the registrations that open later or have not closed before today, for the front page."""
    day, zone = day_of(competition), zone_of(competition)
    return [
        offer
        for offer in offers_of(competition)
        if offer.opens_at and not offer.has_begun
        if offer.closes_at is None or offer.closes_at.astimezone(zone).date() >= day
    ]


def open_registrations(competitions: Collection[int], *, at: datetime) -> dict[int, Registration]:
    """Return competition → its open registration that closes first. Queries: 1."""
    going = registrations().filter(competition__in=list(competitions), opens_at__lte=at)
    going = going.filter(Q(closes_at__isnull=True) | Q(closes_at__gt=at))
    last_first = going.order_by(F("closes_at").desc(nulls_first=True), "-pk")
    every = last_first.select_related("competition")
    return {registration.competition_id: registration for registration in every if not registration.has_begun}


# --- entries


def entries_of(registration: Registration) -> list[Registrant]:
    """Return all entries by state, the waiting list with its positions. Queries: 1."""
    entries, order = list(registration.registrants.select_related("entrant__player")), list(State)
    waiting = [entry for entry in entries if entry.state == State.WAITING]
    for number, entry in enumerate(sorted(waiting, key=lambda entry: entry.turn), 1):
        entry.position = number
    return sorted(entries, key=lambda entry: (order.index(entry.state), entry.position, entry.pk))


def entries_in(registration: Registration, state: State) -> list[Registrant]:
    return [entry for entry in entries_of(registration) if entry.state == state]


def position_of(registrant: Registrant) -> int:
    """Return the position in the waiting list from 1, or 0."""
    waiting = entries_in(registrant.registration, State.WAITING)
    return next((entry.position for entry in waiting if entry.pk == registrant.pk), 0)


def matching_entries(entries: Iterable[Registrant], *, text: str, state: str) -> list[Registrant]:
    """Filter by all words in name, mail address, club or number, and by state. Empty arguments match all."""
    return [
        entry
        for entry in entries
        if state in ("", entry.state)
        if has_name(text, entry.name, entry.romanized, entry.email, entry.club, entry.number)
    ]


def find_registered(registration: Registration, *, email: str, name: str) -> Registrant | None:
    """Return this person's entry that is not withdrawn. Accents, apostrophes and hyphens do not matter."""
    same = registration.registrants.filter(email__iexact=email, withdrawn_at__isnull=True)
    return next((entry for entry in same if is_one_name(entry.name, name)), None)


# --- who an entry means


def facts_of(registrant: Registrant) -> dict[str, Any]:
    """Return the facts that identify a person in the register and in its index."""
    return {name: getattr(registrant, name) for name in ("name", "romanized", "country", "numbers")}


def find_matches(registrant: Registrant, index: Index | None = None) -> list[Match]:
    """Return people in the league's register who may have sent the entry. `index`: of the register."""
    index = index or Index(people(registrant.registration.competition))
    return index.matches(**facts_of(registrant))


def clear_match(registrant: Registrant, matches: Sequence[Match]) -> int | None:
    """Return the person whom an entry means without doubt, 0 for a new one, or None if someone must decide.

    A player who is entered already is a doubt: a stranger may have registered under that name. So is one with
    another romanized name.
    """
    if not matches:
        return 0
    match = sole(matches)
    if match is None or not match.exact or match.person.entered:
        return None
    romanized = {near_key(name) for name in (match.person.romanized, registrant.romanized) if name}
    if len(romanized) > 1:
        return None
    is_banned = banned_here(registrant.registration.competition, [match.person.pk])
    return None if is_banned else match.person.pk


def compare(competition: Competition, entries: Sequence[Registrant]) -> None:
    """Set how each entry differs from its player and from the list of known numbers. Queries: 2."""
    numbers = KnownNumber.objects.filter(competition=competition)
    known = {entry.number: entry for entry in numbers.filter(number__in=[entry.number for entry in entries])}
    has_list = bool(known) or numbers.exists()
    for entry in entries:
        is_unknown = has_list and bool(entry.number) and entry.number not in known
        entry.differences = list(_differences(entry, known.get(entry.number), is_unknown=is_unknown))


def _differences(entry: Registrant, listed: KnownNumber | None, *, is_unknown: bool) -> Iterator[str]:
    """Yield sentences. A player's record stays as it is when the person changes the entry later."""
    names, country = _near_names(entry), entry.country
    if entry.entrant is not None and entry.state == State.ACCEPTED:
        player = entry.entrant.player
        if not names & _near_names(player):
            yield _("In the roster, the player is %(name)s.") % {"name": player.name}
        if country and player.country and country != player.country:
            yield _("In the roster, the country is %(country)s.") % {"country": player.country}
    if is_unknown:
        yield _("The number %(number)s is not in the list.") % {"number": entry.number}
    if listed is not None and near_key(listed.name) not in names:
        yield _("In the list, %(number)s is %(name)s.") % {"number": listed.number, "name": listed.name}
    if listed is not None and country and listed.country and country != listed.country:
        yield _("In the list, the country is %(country)s.") % {"country": listed.country}


def _near_names(named: Registrant | Player) -> set[str]:
    return {near_key(name) for name in (named.name, named.romanized) if name}


# --- visitors


def own_values(competition: Competition, user_id: int | None) -> dict[str, Any]:
    """Return the record of the signed-in person's linked player for the form."""
    roles = Role.objects.filter(user=user_id or 0, competition__league=competition.league_id)
    role = roles.exclude(player=None).select_related("player__club").order_by("-pk").first()
    if role is None or role.player is None:
        return {}
    known = person(role.player)
    return asdict(known) | {"number": dict(known.numbers).get(FederationNumber.EMA, "")}


def seconds_until_entry(address: str | None) -> int:
    return seconds_until(SecurityEvent.Kind.ENTRY, ENTRIES_OF_AN_ADDRESS, address=address)


def may_send_mail(email: str) -> bool:
    """Return whether the form may send another mail to this address. The limit prevents floods of mails."""
    return not seconds_until(SecurityEvent.Kind.ENTRY, MAILS_OF_AN_EMAIL, name=mark_of(email))


def mark_of(email: str) -> str:
    """Return a keyed hash of a mail address for the security log. It does not reveal the address."""
    return salted_hmac("league.registration.mail", email.lower()).hexdigest()
