"""Erase people. Results and logs stay under a pseudonym: "#" or "closed-" and a number."""

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent, change, league_change, reread
from league.core.errors import Refused
from league.core.zones import day_of
from league.models import (
    Channel,
    Claim,
    Competition,
    Entrant,
    GameName,
    ImportJob,
    KeptFile,
    KnownNumber,
    League,
    LogText,
    Outgoing,
    Registrant,
    Registration,
    Role,
    SecurityEvent,
    Signature,
)
from league.models.querysets import remove
from league.models.registration import TO_CONFIRM
from league.organizing.competitions.services import describe_league, log_league
from league.organizing.personal_data.queries import (
    Erased,
    Names,
    mark_of,
    path_to_league,
    rows_with,
    text_columns,
)
from league.people.accounts.services import mails_of
from league.people.members.services import end_tokens, revoke_role
from players.matching import exact_key, near_key
from players.models import FederationNumber, Player

_MADE_KEY = re.compile(r"p[0-9]+")  # as the register makes them: they name no one


# --- players


def erase_player(*, league: League, player: Player, by: User | None, form: Sent | None = None) -> Player:
    """Erase the person's record and their name in every text of the league. Results stay, under "#" and a
    number.
    """
    with league_change(league, by=by, form=form) as done, ExitStack() as stack:
        # After the league's lock: competitions that show the player or name them in a text.
        here = [
            stack.enter_context(change(each, by=by, at=done.at, even_finished=True))
            for each in Competition.objects.filter(league=league).order_by("pk")
        ]
        player = reread(Player.objects.select_for_update(), pk=player.pk, register=league.register_id)
        names = _names_of(player)
        _erase_registrations(league, player, names.pseudonym)
        player.name, player.romanized, player.country, player.club = names.pseudonym, "", "", None
        player.profile_since = None
        player.save()
        FederationNumber.objects.filter(player=player).delete()
        GameName.objects.filter(player=player).delete()
        for entrant in Entrant.objects.filter(player=player):
            if not _MADE_KEY.fullmatch(entrant.key):
                entrant.key = f"erased-{player.pk}"
                entrant.save(update_fields=["key"])
        Role.objects.filter(player=player).update(player=None)
        Channel.objects.filter(entrant__player=player).delete()
        Claim.objects.filter(player=player).delete()
        Signature.objects.filter(player=player).update(device="")
        _erase_texts([league.pk], names)
        ImportJob.objects.filter(league=league).exclude(problems=[]).update(problems=[])  # they cite files
        entered = set(Entrant.objects.filter(player=player).values_list("competition", flat=True))
        for each in here:
            if each.competition.pk in entered:
                each.log("player.erase", f"player:{player.pk}")
        done.log("player.erase", f"player:{player.pk}")
        done.answer = {"player": player.pk}
        _note_erased(player, by=by)
        _forget_copies()
    return player


def _erase_registrations(league: League, player: Player, pseudonym: str) -> None:
    """Erase the player's entries, and other ones of the same name and mail address.

    The addresses are those of the player's entries and accounts.
    """
    here = Registrant.objects.filter(registration__competition__league=league)
    mails = Role.objects.filter(player=player).exclude(user__email="").values_list("user__email", flat=True)
    own = {(mail.lower(), exact_key(name)) for mail in mails for name in (player.name, player.romanized)}
    own |= {_person_of(each) for each in here.filter(entrant__player=player)}
    known = Q(entrant__player=player)
    for mail in {mail for mail, _name in own if mail}:
        known |= Q(email__iexact=mail)
    entries = [each for each in here.filter(known) if _person_of(each) in own]
    _erase_known_numbers(league, player, entries)
    typed = ("romanized", "email", "country", "club", "number", "phone", "answer", "note")
    found = here.filter(pk__in=[each.pk for each in entries])
    found.update(name=pseudonym, **dict.fromkeys(typed, ""))


def _person_of(entry: Registrant) -> tuple[str, str]:
    return entry.email.lower(), exact_key(entry.name)


def _erase_known_numbers(league: League, player: Player, entries: Collection[Registrant]) -> None:
    """Remove the person's lines in lists of members by EMA number, or by name and country without a number.

    A line of the same name with another number is another person.
    """
    people: list[Player | Registrant] = [player, *entries]
    lines = KnownNumber.objects.filter(competition__league=league)
    known = player.federation_numbers.filter(federation=FederationNumber.EMA)
    numbers = {*known.values_list("number", flat=True), *(each.number for each in entries)} - {""}
    if numbers:
        lines.filter(number__in=numbers).delete()
        return
    names = {near_key(name) for each in people for name in (each.name, each.romanized) if name}
    countries = {each.country for each in people if each.country}
    same = [
        each.pk
        for each in lines.iterator()
        if near_key(each.name) in names and (not each.country or not countries or each.country in countries)
    ]
    lines.filter(pk__in=same).delete()


def _names_of(player: Player) -> Names:
    numbers = player.federation_numbers.values_list("number", flat=True)
    return Names.of([player.name, player.romanized, *numbers], _erased(player))


def _erased(player: Player) -> str:
    return f"#{player.pk}"


# --- registrations


def remove_expired_registrations() -> int:
    """Delete entries that were not confirmed in time, and all entries after the day that the terms name."""
    now = timezone.now()
    count = remove(Registrant.objects.filter(confirmed_at=None, created_at__lt=now - TO_CONFIRM))
    ended = Registration.objects.select_related("competition").filter(kept_until__lt=now)
    over = [each.pk for each in ended if each.kept_until < day_of(each.competition, now)]
    count += remove(Registrant.objects.filter(registration__in=over))
    still = Registration.objects.exclude(pk__in=over).values("competition")
    gone = Competition.objects.filter(registrations__in=over).exclude(pk__in=still)
    return count + remove(KnownNumber.objects.filter(competition__in=gone))


# --- accounts


def close_account(*, user: User) -> None:
    """End the person's roles and sessions, and erase their name. The logs keep "closed-" and a number.

    Raises ``Refused`` for the last superuser, and if a league or competition would lose its last organizer.
    """
    with transaction.atomic():
        user, owned = _lock(user)
        roles = list(Role.objects.filter(user=user))
        leagues = {league.pk for league in owned} | {role.competition.league_id for role in roles}
        _check_last(user, owned)
        for role in roles:
            revoke_role(competition=role.competition, role_id=role.pk, by=user)
        for league in owned:
            with league_change(league, by=user) as done:
                before = describe_league(done.league)
                done.league.owners.remove(user)
                log_league(done, before)
        own = (user.username, user.first_name, user.last_name, user.get_full_name(), user.email)
        names = Names.of(own, _closed_name(user))
        _erase_texts(leagues, names)
        _erase_outside(names)
        _remove_belongings(user)
        user.username, user.first_name, user.last_name, user.email = names.pseudonym, "", "", ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.last_login = None
        user.set_unusable_password()
        user.groups.clear()
        user.user_permissions.clear()
        user.save()
        for competition in Competition.objects.filter(league__in=leagues).order_by("pk"):
            with change(
                competition, by=user, even_finished=True
            ) as done:  # pages that name the person are new
                end_tokens(done, user)
        _note_erased(user, by=None)
        _forget_copies()


def _closed_name(user: User) -> str:
    return f"closed-{user.pk}"


def _lock(user: User) -> tuple[User, list[League]]:
    """Return the account and its leagues, locked. Others who close their account wait."""
    # Not for their keys: what is saved at this moment names them, and does not wait.
    accounts = User.objects.select_for_update(no_key=True).order_by("pk")
    superusers = Q(is_superuser=True, is_active=True)
    found = {each.pk: each for each in accounts.filter(Q(pk=user.pk) | superusers)}
    leagues = League.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    return found[user.pk], list(leagues.filter(owners=user))


def _check_last(user: User, owned: Iterable[League]) -> None:
    superusers = User.objects.filter(is_superuser=True, is_active=True)
    if user.is_superuser and not superusers.exclude(pk=user.pk).exists():
        raise Refused(
            _("This is the only account with access to the administration. Create another one first.")
        )
    for league in owned:
        if not league.owners.filter(is_active=True).exclude(pk=user.pk).exists():
            raise Refused(
                _("You are the only owner of %(league)s. Ask the operator to add another owner first.")
                % {"league": league.name}
            )


def _erase_outside(names: Names) -> None:
    """Erase names in failed sign-ins and in the administration's log."""
    for name in names.names:
        SecurityEvent.objects.filter(name__iexact=name).update(name=names.pseudonym)
        LogEntry.objects.filter(object_repr__iexact=name).update(object_repr=names.pseudonym)
        for model in (AccessAttempt, AccessFailureLog, AccessLog):
            model.objects.filter(username__iexact=name).delete()


def _remove_belongings(user: User) -> None:
    Outgoing.objects.filter(stream=mails_of(user)).delete()
    for relation in user._meta.related_objects:
        if getattr(relation, "on_delete", None) is models.CASCADE and not relation.many_to_many:
            relation.related_model._base_manager.filter(**{relation.field.name: user}).delete()


# --- both


def _erase_texts(leagues: Collection[int], names: Names) -> None:
    for model, columns in text_columns().items():
        if path_to_league(model) is None:
            continue
        for row in rows_with(model, columns, leagues, names):
            values = {column: names.erase(getattr(row, column)) for column in columns}
            if model is LogText:
                values["salt"] = ""  # the digest stays in the chain
            model._base_manager.filter(pk=row.pk).update(**values)


def _forget_copies() -> None:
    KeptFile.objects.exclude(competition=None).delete()
    transaction.on_commit(cache.clear)


# --- after a restore


def _note_erased(person: Player | User, *, by: User | None) -> None:
    """Append the line last in the transaction. If that fails, the person is not erased."""
    kind = "account" if isinstance(person, User) else "player"
    line = Erased(
        at=timezone.now().isoformat(), kind=kind, pk=person.pk, mark=mark_of(person), by=by.pk if by else None
    )
    keep_erased(Path(settings.ERASED_FILE), [line])


def keep_erased(path: Path, lines: Iterable[Erased]) -> None:
    """Append the lines to the list in this file, which is created if it is missing."""
    text = "".join(f"{json.dumps(asdict(line))}\n" for line in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def erase_again(lines: Iterable[Erased]) -> Iterator[tuple[Erased, str]]:
    """Erase these people if the database has their names. Yields each with the reason if that was refused."""
    for line in lines:
        try:
            if line.kind == "account" and (user := _find_account(line)):
                close_account(user=user)
                yield line, ""
            elif line.kind == "player" and (player := _find_player(line)):
                league = League.objects.get(register=player.register_id)
                erase_player(league=league, player=player, by=_find_eraser(line))
                yield line, ""
        except Refused as refused:
            yield line, str(refused)


def _find_account(line: Erased) -> User | None:
    user = User.objects.filter(pk=line.pk).first()
    return user if user and user.username != _closed_name(user) and mark_of(user) == line.mark else None


def _find_eraser(line: Erased) -> User | None:
    return User.objects.filter(pk=line.by).first() if line.by else None


def _find_player(line: Erased) -> Player | None:
    player = Player.objects.filter(pk=line.pk).first()
    return player if player and player.name != _erased(player) and mark_of(player) == line.mark else None
