"""How notices leave: by Web Push and by mail."""

from datetime import timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.core.mails import send_mail
from league.core.outbox import NotSent, sender
from league.extras.notices.about import About
from league.extras.notices.push import Ended, send_push
from league.extras.notices.queries import Notice, find_notice, find_unconfirmed, find_usable
from league.extras.notices.services import confirm_token, off_token
from league.extras.notices.words import confirm_words
from league.models import Channel, Outgoing

# How long a notice is worth sending, unless it is about a seat at a round that is on.
_LASTS: Final = timedelta(days=2)
_LASTS_SEATED: Final = timedelta(hours=4)
_URGENT: Final = frozenset({About.SEATED, About.TIME, About.TEST})


def _read(outgoing: Outgoing) -> tuple[Channel, About, Notice]:
    """Return the notice in the language that is active. Raise ``NotSent`` if it is too late or untrue."""
    about = About(outgoing.payload["about"])
    channel = find_usable(outgoing.channel_id) if outgoing.channel_id else None
    if channel is None:
        raise NotSent("Turned off.", again=False)
    if timezone.now() - outgoing.created_at > _lasts(about):
        raise NotSent("Too late.", again=False)
    with override(channel.language):
        said = find_notice(channel, about, tuple(outgoing.payload["target"]))
    if said is None:
        raise NotSent("No longer true.", again=False)
    return channel, about, said


def _lasts(about: About) -> timedelta:
    return _LASTS_SEATED if about == About.SEATED else _LASTS


@sender(Outgoing.Kind.PUSH)
def push(outgoing: Outgoing) -> None:
    """Send a notice to a browser, and remove the browser if it no longer takes messages."""
    channel, about, said = _read(outgoing)
    with override(channel.language):
        values = {
            "title": said.title,
            "body": f"{said.text}\n{channel.entrant.competition.name}",
            "address": said.address,
            "tag": outgoing.key,
            "lang": channel.language,
            "off": reverse("notices:off", args=[off_token(channel)]),
            "off_words": _("Turn off"),
        }
    try:
        send_push(channel, values, topic=outgoing.key, lasts=_lasts(about), urgent=about in _URGENT)
    except Ended:
        channel.delete()
        raise


@sender(Outgoing.Kind.MAIL)
def mail(outgoing: Outgoing) -> None:
    channel, _about, said = _read(outgoing)
    off = channel.site + reverse("notices:off", args=[off_token(channel)])
    with override(channel.language):
        end = f"{_('Turn off')}: {off}"
    headers = {"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    name = channel.entrant.competition.name
    words = (said.title, said.text, channel.site + said.address, name, end)
    send_mail(outgoing, channel.address, f"{said.title} · {name}", *words, headers=headers)


@sender(Outgoing.Kind.MAIL, About.CONFIRM)
def ask_to_confirm(outgoing: Outgoing) -> None:
    asked = find_unconfirmed(outgoing.payload["channel"])
    if asked is None:
        raise NotSent("Turned off.", again=False)
    with override(asked.language):
        title, text = confirm_words(asked.entrant.competition)
    link = asked.site + reverse("notices:confirm", args=[confirm_token(asked)])
    subject = f"{title} · {asked.entrant.competition.name}"
    send_mail(outgoing, asked.address, subject, text, link)
