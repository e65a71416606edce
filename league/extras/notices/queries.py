"""The facts behind notices, as far as they still hold and the player may read them."""

from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from league.extras.notices.about import PERSONAL, About, Target
from league.extras.notices.words import WORDS, result_words, seat_words, test_words
from league.models import (
    Appointment,
    Ban,
    Call,
    Channel,
    Competition,
    Dispute,
    Entrant,
    Penalty,
    Role,
    Round,
    Seat,
    Sheet,
    Table,
)
from league.play.results.queries.games import late_at

_OF_ROUND = ("round__stage__division__rule_set", "round__stage__division__competition")
_OF_TABLE = tuple(f"table__{path}" for path in _OF_ROUND)
_ROUNDS = {About.SEATED: Round.Status.OPEN, About.NEXT: Round.Status.PLANNED}


class Notice(NamedTuple):
    """A notice: one line, a few sentences, and the page that has more."""

    title: str
    text: str
    address: str


def find_notice(channel: Channel, about: About, target: Target) -> Notice | None:
    """Return the notice in the language that is active, or None if the fact no longer holds or is hidden.

    `channel`: with its player and competition.
    """
    if about in PERSONAL and channel.user_id is None:
        return None
    page, arguments = "seating:my_seat", []
    if about == About.TEST:
        words = test_words(channel.entrant.competition)
    elif about in _ROUNDS:
        seats = _find_seats(channel, about, target)
        if not seats:
            return None
        seat, *others = seats
        words = seat_words(seat, others, about)
    else:
        pk, *_seat = target
        fact = _facts(channel, about).filter(pk=pk).first()
        if fact is None:
            return None
        if about in (About.RESULT, About.OBJECTION, About.RULING):
            page, arguments = "results:table", [fact.table_id]
        elif about != About.TIME:
            page, arguments = "standings:player", [channel.entrant.pk]
        words = _result_words(channel, fact) if about == About.RESULT else WORDS[about](fact)
    return Notice(*words, reverse(page, args=[channel.entrant.competition.slug, *arguments]))


def _find_seats(channel: Channel, about: About, target: Target) -> list[Seat]:
    """Return the player's seat, then the others at the table, or nothing if the seat has changed."""
    round_, number, wind = target[:3]
    player = channel.entrant.player_id
    tables = _tables(channel).filter(round=round_, round__status=_ROUNDS[about], number=number)
    seats = Seat.objects.filter(table__in=tables.values("pk")).select_related("player", *_OF_TABLE)
    mine_first = sorted(seats, key=lambda seat: seat.player_id != player)
    first = next(iter(mine_first), None)
    is_mine = first is not None and (first.player_id, first.wind) == (player, wind)
    return mine_first if is_mine else []


def _result_words(channel: Channel, sheet: Sheet) -> tuple[str, str]:
    seats = Seat.objects.filter(table=sheet.table_id)
    wind = seats.get(player=channel.entrant.player_id).wind
    return result_words(sheet, wind, late=late_at(seats))


def _tables(channel: Channel) -> QuerySet[Table]:
    """Return the player's tables whose seats visitors can see."""
    here = Table.objects.of(channel.entrant.competition_id)
    mine = here.filter(seats__player=channel.entrant.player_id)
    return mine.exclude(round__visibility=Round.Visibility.HIDDEN)


def _facts(channel: Channel, about: About) -> QuerySet[Any]:
    """Return the facts of this kind that hold and that the player may read."""
    entrant, tables = channel.entrant, _tables(channel).values("pk")
    of_player, at_table = {"player": entrant.player_id}, {"table__in": tables}
    found: QuerySet[Any]
    match about:
        case About.RESULT:
            shown = _tables(channel).filter(round__visibility=Round.Visibility.RESULTS)
            found = Sheet.objects.filter(is_current=True, table__in=shown.values("pk"))
            found = found.exclude(status=Sheet.Status.VOID)
        case About.TIME:  # what was said last about the time of the table
            answers = Appointment.objects.exclude(kind=Appointment.Kind.PROPOSED)
            later = answers.filter(table=OuterRef("table"), pk__gt=OuterRef("pk"))
            found = Appointment.objects.filter(~Exists(later), **at_table)
        case About.OBJECTION:
            found = Call.objects.filter(closed_at__isnull=False, **of_player, **at_table)
        case About.RULING:
            found = Dispute.objects.filter(closed_at__isnull=False, **at_table)
        case About.PENALTY | About.REVOKED:
            own = Penalty.objects.filter(competition=entrant.competition_id, **of_player)
            own = own.filter(status=Penalty.Status.IN_FORCE, revoked_at__isnull=about == About.PENALTY)
            return own.select_related("stage__division__rule_set", "round", "table")
        case _:
            return Ban.objects.filter(lifted_at__isnull=about == About.BAN, **of_player)
    return found.select_related(*_OF_TABLE)


# --- channels


def usable_channels() -> QuerySet[Channel]:
    """Return channels that may be used now.

    A mail address must be confirmed and still be that of the account. An account must be active and still be
    linked to the player. Phones without an account get no notices of private competitions.
    """
    entered = {"competition": OuterRef("entrant__competition"), "player": OuterRef("entrant__player")}
    linked = Exists(Role.objects.filter(user=OuterRef("user"), **entered))
    public = Q(user=None, entrant__competition__visibility=Competition.Visibility.PUBLIC)
    own = Q(user__is_active=True) & Q(linked)
    sendable = Q(kind=Channel.Kind.PUSH) | Q(address=F("user__email"))
    return Channel.objects.filter(public | own, sendable, confirmed_at__isnull=False)


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
