"""Turn notices on and off. No log names who gets which notice."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.core.signing import Signer
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.errors import Refused
from league.core.outbox import message, put
from league.extras.notices.about import About, Target
from league.extras.notices.push import are_keys, is_push_service
from league.extras.notices.queries import has_confirmed
from league.models import Channel, Entrant, Outgoing

MOST_CHANNELS = 20  # of a player by each account, and by phones without one
_OFF, _CONFIRM = Signer(salt="league.notices.off"), Signer(salt="league.notices.confirm")


def turn_on_push(*, entrant: Entrant, user: User | None, endpoint: str, **values: str) -> Channel:
    """Turn on notices of the player in this browser. Its former player in the competition is replaced.

    `values`: the browser's keys and name, the language and the site. Raise ``Refused`` unless the
    subscription is one of a known push service.
    """
    if not (is_push_service(endpoint) and are_keys(values["p256dh"], values["auth"])):
        raise Refused(_("This browser’s push service is not known here. Use mail, or another browser."))
    with transaction.atomic():
        same = Channel.objects.filter(kind=Channel.Kind.PUSH, address=endpoint)
        same.filter(entrant__competition=entrant.competition_id).exclude(entrant=entrant).delete()
        return _turn_on(entrant, user, Channel.Kind.PUSH, endpoint, values | {"confirmed_at": timezone.now()})


def turn_on_mail(*, entrant: Entrant, user: User, language: str, site: str) -> Channel:
    """Turn on notices by mail. An address that was never confirmed gets a link first, at most once a day.

    Raise ``Refused`` if the account has no address.
    """
    if not user.email:
        raise Refused(_("Your account has no email address. Add one on the page of your account."))
    now, kind, is_known = timezone.now(), Channel.Kind.MAIL, has_confirmed(user)
    known = {"confirmed_at": now} if is_known else {}
    with transaction.atomic():
        Channel.objects.filter(entrant=entrant, user=user, kind=kind).exclude(address=user.email).delete()
        made = _turn_on(entrant, user, kind, user.email, {"language": language, "site": site, **known})
        if not is_known:
            digest = hashlib.sha256(user.email.encode()).hexdigest()[:16]
            key = f"{About.CONFIRM}:{user.pk}:{digest}:{now:%Y-%m-%d}"
            put([message(kind=kind, key=key, payload={"about": About.CONFIRM, "channel": made.pk})])
    return made


def _turn_on(
    entrant: Entrant, user: User | None, kind: str, address: str, values: Mapping[str, object]
) -> Channel:
    # Phones without an account count apart, because any visitor can say that a phone is this player's.
    same = Channel.objects.filter(entrant=entrant, user=user)
    if same.exclude(address=address).count() >= MOST_CHANNELS:
        raise Refused(_("Too many devices get notices of this player. Turn one of them off first."))
    known: dict[str, Any] = {"user": user, **values}
    new = {**known, "created_at": timezone.now()}
    made, _created = Channel.objects.update_or_create(
        entrant=entrant, kind=kind, address=address, defaults=known, create_defaults=new
    )
    return made


def turn_off(*, channel: Channel) -> None:
    """Remove the channel, with its notices that have not left."""
    channel.delete()


def forget_device(*, device: int | None, entrant: Entrant | None) -> None:
    """Remove the channel of a phone unless the phone still belongs to this player."""
    if device is None:
        return
    own = Channel.objects.filter(pk=device, kind=Channel.Kind.PUSH, user=None)
    (own.exclude(entrant=entrant) if entrant else own).delete()


def notice(channel: Channel, about: About, target: Target, **values: Any) -> Outgoing:
    """Return an unsaved message to this channel. `values`: fields of `Outgoing`."""
    return message(
        kind=channel.kind,
        key=":".join(map(str, (about, *target, channel.pk))),
        competition_id=channel.entrant.competition_id,
        channel=channel,
        payload={"about": about, "target": list(target)},
        **values,
    )


def send_test(*, channel: Channel) -> None:
    """Put a notice that only says that notices are on."""
    put([notice(channel, About.TEST, (int(timezone.now().timestamp()),))])


# --- links in mails and notices


def off_token(channel: Channel) -> str:
    return _OFF.sign_object(channel.pk)


def confirm_token(channel: Channel) -> str:
    return _CONFIRM.sign_object([channel.user_id, channel.address])


def find_by_off_token(token: str) -> Channel | None:
    """Return the channel, or None if it is turned off already. Raise ``BadSignature`` for a wrong link."""
    related = ("entrant__player", "entrant__competition")
    return Channel.objects.select_related(*related).filter(pk=_OFF.unsign_object(token)).first()


def read_confirm_token(token: str) -> tuple[int, str]:
    """Return account and address. Raise ``BadSignature`` for a wrong link."""
    user, address = _CONFIRM.unsign_object(token)
    return user, address


def confirm_mail(*, user: int, address: str) -> bool:
    """Confirm the address in all competitions. Return whether notices to it were turned on."""
    found = Channel.objects.filter(user=user, kind=Channel.Kind.MAIL, address=address)
    found.filter(confirmed_at=None).update(confirmed_at=timezone.now())
    return found.exists()
