"""The facts behind notices, as far as they still hold and the player may read them."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet
from django.urls import reverse

from league.core.notices import PERSONAL, About, Target, usable_channels
from league.models import (
    Appointment,
    Ban,
    Call,
    Channel,
    Dispute,
    Entrant,
    Penalty,
    Round,
    Seat,
    Sheet,
    Table,
)
from league.notices.words import (
    Notice,
    ban_notice_words,
    lifted_words,
    objection_words,
    penalty_words,
    result_words,
    revoked_words,
    ruling_words,
    seat_words,
    test_words,
    time_words,
)
from league.results.queries import late_at

_Found = tuple[tuple[str, str], str] | None  # title and text, and the address of the page
_OF_ROUND = ("round__stage__division__rule_set", "round__stage__division__competition")
_OF_TABLE = tuple(f"table__{path}" for path in _OF_ROUND)


def find_notice(channel: Channel, about: About, target: Target) -> Notice | None:
    """Return the notice in the language that is active, or None if the fact no longer holds or is hidden.

    `channel`: with its player and competition.
    """
    if about in PERSONAL and channel.user_id is None:
        return None
    found = _FINDERS[about](channel, *target)
    if found is None:
        return None
    (title, text), address = found
    return Notice(title, text, address)


def _address(channel: Channel, page: str, *arguments: object) -> str:
    return reverse(page, args=(channel.entrant.competition.slug, *arguments))


def _visible(tables: QuerySet[Table], *, results: bool = False) -> QuerySet[Table]:
    """Return tables whose seats, or whose results, visitors can see."""
    if results:
        return tables.filter(round__visibility=Round.Visibility.RESULTS)
    return tables.exclude(round__visibility=Round.Visibility.HIDDEN)


def _tables_of(channel: Channel) -> QuerySet[Table]:
    here = Table.objects.filter(round__stage__division__competition=channel.entrant.competition_id)
    return here.filter(seats__player=channel.entrant.player_id)


def _find_seat(about: About, status: str) -> Callable[..., _Found]:
    def find(channel: Channel, round_: int, number: int, wind: int, _changes: int = 0) -> _Found:
        tables = _visible(_tables_of(channel)).filter(round=round_, round__status=status, number=number)
        seats = list(Seat.objects.filter(table__in=tables.values("pk")).select_related("player", *_OF_TABLE))
        mine = next((each for each in seats if each.player_id == channel.entrant.player_id), None)
        if mine is None or mine.wind != wind:
            return None
        others = [each for each in seats if each is not mine]
        return seat_words(mine, others, about), _address(channel, "seating:my_seat")

    return find


def _find_result(channel: Channel, sheet: int) -> _Found:
    tables = _visible(_tables_of(channel), results=True).values("pk")
    current = Sheet.objects.filter(is_current=True).exclude(status=Sheet.Status.VOID)
    found = current.filter(pk=sheet, table__in=tables).select_related(*_OF_TABLE).first()
    if found is None:
        return None
    seats = Seat.objects.filter(table=found.table_id)
    wind = seats.get(player=channel.entrant.player_id).wind
    words = result_words(found, wind, late=late_at(seats))
    return words, _address(channel, "results:table", found.table_id)


def _find_time(channel: Channel, appointment: int) -> _Found:
    """Find what was said last about the time of the table."""
    tables = _visible(_tables_of(channel)).values("pk")
    found = Appointment.objects.filter(pk=appointment, table__in=tables).select_related(*_OF_TABLE).first()
    if found is None:
        return None
    later = Appointment.objects.filter(table=found.table_id, pk__gt=found.pk)
    if later.exclude(kind=Appointment.Kind.PROPOSED).exists():
        return None
    return time_words(found), _address(channel, "seating:my_seat")


def _find_penalty(*, revoked: bool) -> Callable[..., _Found]:
    def find(channel: Channel, penalty: int) -> _Found:
        entrant = channel.entrant
        own = Penalty.objects.filter(competition=entrant.competition_id, player=entrant.player_id)
        known = own.filter(status=Penalty.Status.IN_FORCE, revoked_at__isnull=not revoked)
        related = ("stage__division__rule_set", "round", "table")
        found = known.select_related(*related).filter(pk=penalty).first()
        words = revoked_words if revoked else penalty_words
        return (words(found), _address(channel, "standings:player", entrant.pk)) if found else None

    return find


def _find_ban(*, lifted: bool) -> Callable[..., _Found]:
    def find(channel: Channel, ban: int) -> _Found:
        entrant = channel.entrant
        own = Ban.objects.filter(player=entrant.player_id, lifted_at__isnull=not lifted)
        found = own.filter(pk=ban).first()
        words = lifted_words if lifted else ban_notice_words
        return (words(found), _address(channel, "standings:player", entrant.pk)) if found else None

    return find


def _find_objection(channel: Channel, call: int) -> _Found:
    own = Call.objects.filter(pk=call, player=channel.entrant.player_id, closed_at__isnull=False)
    found = own.filter(table__in=_visible(_tables_of(channel)).values("pk"))
    answered = found.select_related(*_OF_TABLE).first()
    if answered is None:
        return None
    return objection_words(answered.table), _address(channel, "results:table", answered.table_id)


def _find_ruling(channel: Channel, dispute: int) -> _Found:
    closed = Dispute.objects.filter(pk=dispute, closed_at__isnull=False)
    found = closed.filter(table__in=_visible(_tables_of(channel)).values("pk"))
    decided = found.select_related(*_OF_TABLE).first()
    if decided is None:
        return None
    return ruling_words(decided), _address(channel, "results:table", decided.table_id)


def _find_test(channel: Channel, _number: int) -> _Found:
    return test_words(channel.entrant.competition), _address(channel, "seating:my_seat")


_FINDERS: dict[About, Callable[..., _Found]] = {
    About.SEATED: _find_seat(About.SEATED, Round.Status.OPEN),
    About.NEXT: _find_seat(About.NEXT, Round.Status.PLANNED),
    About.RESULT: _find_result,
    About.TIME: _find_time,
    About.PENALTY: _find_penalty(revoked=False),
    About.REVOKED: _find_penalty(revoked=True),
    About.BAN: _find_ban(lifted=False),
    About.LIFTED: _find_ban(lifted=True),
    About.OBJECTION: _find_objection,
    About.RULING: _find_ruling,
    About.TEST: _find_test,
}


# --- channels


def find_usable(pk: int) -> Channel | None:
    related = ("entrant__player", "entrant__competition")
    return usable_channels().select_related(*related).filter(pk=pk).first()


def find_unconfirmed(pk: int) -> Channel | None:
    """Return a channel by mail whose address is that of the account, and not confirmed."""
    waiting = Channel.objects.filter(pk=pk, confirmed_at=None, address=F("user__email"))
    return waiting.select_related("entrant__competition", "user").first()


def own_channels(entrant: Entrant, user: User | AnonymousUser, device: int | None) -> list[Channel]:
    """Return the channels that this person may change: those of the account, and that of this phone."""
    mine = Q(pk=device, kind=Channel.Kind.PUSH)
    if user.pk is not None:
        mine |= Q(user=user.pk)
    return list(Channel.objects.filter(mine, entrant=entrant))


def sends_mail() -> bool:
    """Return whether the operator has set a mail server."""
    return not settings.EMAIL_BACKEND.endswith((".console.EmailBackend", ".dummy.EmailBackend"))


def has_confirmed(user: User) -> bool:
    """Return whether the present address of the account was confirmed, in any competition."""
    own = Channel.objects.filter(user=user.pk, kind=Channel.Kind.MAIL, address=user.email)
    return bool(user.email) and own.filter(confirmed_at__isnull=False).exists()


def channels_of_account(user: User) -> "QuerySet[Channel]":
    related = ("entrant__player", "entrant__competition")
    return Channel.objects.filter(user=user).select_related(*related)
