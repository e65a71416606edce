"""Registrations of a competition: states, positions, free places, and whom an entry may mean."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from league.accounts.queries import seconds_until
from league.bans.queries import banned_here
from league.core.zones import day_of, zone_of
from league.models import (
    Competition,
    Division,
    KnownNumber,
    Registrant,
    Registration,
    Role,
    Seat,
    SecurityEvent,
)
from league.people.queries import fold
from league.roster.queries import people
from players.matching import Index, Match, Number, exact_key, near_key
from players.models import FederationNumber

ENTRIES_OF_AN_ADDRESS, MAILS_OF_AN_EMAIL = 60, 5  # an hour: a club behind one router, one person
State = Registrant.State
_DIVISION = "round__stage__division__slug"  # of a seat


@dataclass(frozen=True)
class Offer:
    """The registration of a division for visitors. `free`: the number of free places, or None if unlimited.

    `begun`: see `has_begun`.
    """

    registration: Registration
    division: Division
    accepted: int = 0
    waiting: int = 0
    begun: bool = False

    @property
    def free(self) -> int | None:
        places = self.registration.places
        return None if places is None else max(0, places - self.accepted)

    @property
    def is_full(self) -> bool:
        """Return whether a confirmed entry would find neither a place nor a waiting list."""
        return self.free == 0 and not self.registration.has_waiting_list

    def is_open(self, at: datetime) -> bool:
        return self.registration.is_open(at) and not self.begun

    def is_announced(self, day: date) -> bool:
        """Return whether the form opens later or has not closed before this day."""
        zone, closes_at = zone_of(self.registration.competition), self.registration.closes_at
        over = closes_at is not None and closes_at.astimezone(zone).date() < day
        return self.registration.opens_at is not None and not self.begun and not over


def offers_of(competition: Competition) -> list[Offer]:
    """Return the registrations of a competition in the order of its divisions. Queries: 1 without any."""
    found = list(Registration.objects.filter(competition=competition).annotate(**_COUNTS))
    if not found:
        return []
    by_slug = {each.division: each for each in found}
    seated = Seat.objects.filter(round__stage__division__competition=competition)
    is_event = competition.kind == Competition.Kind.EVENT
    begun = set(seated.values_list(_DIVISION, flat=True).distinct()) if is_event else set()
    offers = []
    for division in competition.divisions.all():
        if each := by_slug.get(division.slug):
            each.competition = competition
            counts = each.accepted, each.waiting  # type: ignore[attr-defined]
            offers.append(Offer(each, division, *counts, begun=division.slug in begun))
    return offers


_GONE = Q(registrants__withdrawn_at__isnull=False) | Q(registrants__declined_at__isnull=False)
_HOLDS = ~_GONE & Q(registrants__accepted_at__isnull=False)
_WAITS = ~_GONE & Q(registrants__accepted_at__isnull=True, registrants__confirmed_at__isnull=False)
_COUNTS = {
    "accepted": Count("registrants", filter=_HOLDS),
    "waiting": Count(
        "registrants", filter=_WAITS & (Q(is_moderated=False) | Q(registrants__waits_since__isnull=False))
    ),
}


def announced(competition: Competition) -> list[Offer]:
    """Return the offers that the front page shows today."""
    day = day_of(competition)
    return [each for each in offers_of(competition) if each.is_announced(day)]


def has_begun(registration: Registration) -> bool:
    """Return whether the first round of a tournament is seated. Players join a season at any time."""
    if registration.competition.kind != Competition.Kind.EVENT:
        return False
    seats = Seat.objects.filter(round__stage__division__competition=registration.competition_id)
    return seats.filter(**{_DIVISION: registration.division}).exists()


# --- entries


@dataclass(frozen=True)
class Line:
    """An entry with its state, and its position in the waiting list from 1, or 0."""

    registrant: Registrant
    position: int = 0
    differences: tuple[str, ...] = field(default=())

    @property
    def state(self) -> State:
        return self.registrant.state

    @property
    def is_missing(self) -> bool:
        """Return whether an accepted entry has no player in the roster."""
        return self.state == State.ACCEPTED and self.registrant.entrant_id is None

    @property
    def left(self) -> bool:
        """Return whether the player withdrew in the roster and the entry still holds its place."""
        entrant = self.registrant.entrant
        return self.state == State.ACCEPTED and entrant is not None and entrant.withdrawn_at is not None


def lines_of(registration: Registration) -> list[Line]:
    """Return all entries of a registration: accepted ones, the waiting list, then the others. Queries: 1."""
    found = list(registration.registrants.select_related("entrant__player"))
    for each in found:
        each.registration = registration
    waiting = sorted((each for each in found if each.state == State.WAITING), key=lambda each: each.turn)
    positions = {each.pk: number for number, each in enumerate(waiting, 1)}
    lines = [Line(each, positions.get(each.pk, 0)) for each in found]
    return sorted(lines, key=lambda line: (_ORDER.index(line.state), line.position, line.registrant.pk))


_ORDER = (
    State.PENDING,
    State.ACCEPTED,
    State.WAITING,
    State.UNCONFIRMED,
    State.DECLINED,
    State.WITHDRAWN,
)


def line_of(registrant: Registrant) -> Line:
    lines = lines_of(registrant.registration)
    return next(line for line in lines if line.registrant.pk == registrant.pk)


def matching_lines(lines: Iterable[Line], *, text: str, state: str) -> list[Line]:
    """Filter by all words in name, mail address, club or number, and by state. Empty arguments match all."""
    words = fold(text).split()
    return [line for line in lines if state in ("", line.state) and _has_words(line.registrant, words)]


def _has_words(registrant: Registrant, words: Sequence[str]) -> bool:
    facts = ("name", "romanized", "email", "club", "number")
    said = fold(" ".join(getattr(registrant, name) for name in facts))
    return all(word in said for word in words)


def find_registered(registration: Registration, *, email: str, name: str) -> Registrant | None:
    """Return this person's entry that is not withdrawn. Case, width and spaces of the name do not matter."""
    same = registration.registrants.filter(email__iexact=email, withdrawn_at__isnull=True)
    return next((each for each in same if exact_key(each.name) == exact_key(name)), None)


def shown_registrants(registration: Registration) -> list[Registrant]:
    """Return the accepted entries by name for the public list."""
    accepted = [line.registrant for line in lines_of(registration) if line.state == State.ACCEPTED]
    return sorted(accepted, key=lambda each: fold(each.romanized or each.name))


# --- who an entry means


def numbers_of(registrant: Registrant) -> tuple[Number, ...]:
    return ((FederationNumber.EMA, registrant.number),) if registrant.number else ()


def register_of(competition: Competition) -> Index:
    """Return the people of the league's register. Queries: 2."""
    return Index(people(competition))


def find_matches(registrant: Registrant, index: Index) -> list[Match]:
    """Return whom the entry may mean."""
    facts = {name: getattr(registrant, name) for name in ("name", "romanized", "country")}
    return index.matches(**facts, numbers=numbers_of(registrant))


def clear_match(competition: Competition, matches: Sequence[Match]) -> int | None:
    """Return the person whom an entry means without doubt, 0 for a new one, or None if someone must decide.

    A player who is entered already is a doubt: a stranger may have registered under that name.
    """
    if not matches:
        return 0
    sole = matches[0]
    if len(matches) > 1 or not sole.exact or sole.person.entered:
        return None
    return None if banned_here(competition, [sole.person.pk]) else sole.person.pk


def with_differences(competition: Competition, lines: Sequence[Line]) -> list[Line]:
    """Add how each entry differs from its player and from the uploaded list of numbers. Queries: 2."""
    known_numbers = KnownNumber.objects.filter(competition=competition)
    has_list = known_numbers.exists()
    wanted = [line.registrant.number for line in lines if line.registrant.number] if has_list else []
    known = {each.number: each for each in known_numbers.filter(number__in=wanted)} if has_list else {}
    found = []
    for line in lines:
        differences = list(_from_player(line.registrant))
        if has_list:
            differences += _differences(line.registrant, known)
        found.append(replace(line, differences=tuple(differences)))
    return found


def _from_player(registrant: Registrant) -> Iterable[str]:
    """Yield what a person changed after the entry got its player, whose record stays as it is."""
    if registrant.entrant is None or registrant.state != State.ACCEPTED:
        return
    player = registrant.entrant.player
    own, known = (
        {near_key(name) for name in (each.name, each.romanized) if name} for each in (registrant, player)
    )
    if not own & known:
        yield _("In the roster, the player is %(name)s.") % {"name": player.name}
    if registrant.country and player.country and registrant.country != player.country:
        yield _("In the roster, the country is %(country)s.") % {"country": player.country}


def _differences(registrant: Registrant, known: dict[str, KnownNumber]) -> Iterable[str]:
    if not registrant.number:
        return
    listed = known.get(registrant.number)
    if listed is None:
        yield _("The number %(number)s is not in the list.") % {"number": registrant.number}
        return
    names = {near_key(each) for each in (registrant.name, registrant.romanized) if each}
    if near_key(listed.name) not in names:
        yield _("In the list, %(number)s is %(name)s.") % {"number": listed.number, "name": listed.name}
    if listed.country and registrant.country and listed.country != registrant.country:
        yield _("In the list, the country is %(country)s.") % {"country": listed.country}


# --- visitors


def own_values(competition: Competition, user_id: int | None) -> dict[str, str]:
    """Return the record of the signed-in person's linked player for the form."""
    roles = Role.objects.filter(user=user_id or 0, player__isnull=False).order_by("-pk")
    here = roles.filter(competition__league=competition.league_id)
    role = here.select_related("player__club").first()
    if role is None or role.player is None:
        return {}
    player = role.player
    number = player.federation_numbers.filter(federation=FederationNumber.EMA).first()
    return {
        "name": player.name,
        "romanized": player.romanized,
        "country": player.country,
        "club": player.club.name if player.club else "",
        "number": number.number if number else "",
    }


def seconds_until_entry(address: str | None) -> int:
    return seconds_until(SecurityEvent.Kind.ENTRY, ENTRIES_OF_AN_ADDRESS, address=address)


def may_send_mail(email: str) -> bool:
    """Return whether this mail address may get another mail of the form, so that no one is flooded."""
    return not seconds_until(SecurityEvent.Kind.ENTRY, MAILS_OF_AN_EMAIL, name=mark_of(email))


def mark_of(email: str) -> str:
    """Return a mark of a mail address for the security log, from which no one reads the address."""
    return salted_hmac("league.registration.mail", email.lower()).hexdigest()


def open_registrations(competitions: Collection[int], *, at: datetime) -> dict[int, Registration]:
    """Return competition → its open registration that closes first. Queries: 1."""
    begun = Seat.objects.filter(
        round__stage__division__competition=OuterRef("competition"),
        round__stage__division__competition__kind=Competition.Kind.EVENT,
        **{_DIVISION: OuterRef("division")},
    )
    found = Registration.objects.filter(competition__in=list(competitions), opens_at__lte=at)
    found = found.filter(~Exists(begun), Q(closes_at__isnull=True) | Q(closes_at__gt=at))
    last_first = found.order_by(F("closes_at").desc(nulls_first=True), "-pk")
    return {each.competition_id: each for each in last_first.select_related("competition")}
