"""Pages of organizers for the addresses that hear of published results."""

from functools import partial

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.access import Access, Can
from league.core.pages import Asked, posted, presses, saves, site_of
from league.core.text import sentences
from league.extras.webhooks.forms import WebhookForm
from league.extras.webhooks.services import (
    key_of,
    remove_webhook,
    rotate_key,
    save_webhook,
    send_again,
    send_test,
    set_paused,
)
from league.models import Outgoing, Webhook
from league.models.webhooks import Event

NEWEST = 20  # deliveries on the page of an address


@saves(Can.ORGANIZE, "webhooks/index.html")
def index(request: HttpRequest, access: Access) -> Asked:
    usual = {"language": translation.get_language(), "on_rounds": True, "on_final": True}
    return Asked(
        partial(save_webhook, competition=access.competition, site=site_of(request)),
        WebhookForm(posted(request), initial=usual),
        then=lambda answer: access.address("webhooks:webhook", answer["webhook"]),
        done=lambda answer: _describe_added(access.webhook(answer["webhook"])),
        webhooks=access.competition.webhooks.all(),
    )


def _describe_added(webhook: Webhook) -> str:
    added = _("Address added.")
    return sentences([added, _describe_key(webhook)]) if webhook.kind == Webhook.Kind.EVENTS else added


def _describe_key(webhook: Webhook) -> str:
    return _("The signing key is %(key)s. Copy it now. It is not shown again.") % {"key": key_of(webhook)}


@saves(Can.ORGANIZE, "webhooks/webhook.html", done=gettext_lazy("Address saved."))
def webhook(request: HttpRequest, access: Access, pk: int) -> Asked:
    webhook = access.webhook(pk)
    names = dict(Event.choices)
    newest = Outgoing.objects.filter(stream=webhook.stream).order_by("-pk")[:NEWEST]
    return Asked(
        partial(save_webhook, competition=access.competition, webhook=webhook, site=site_of(request)),
        WebhookForm(posted(request), instance=webhook),
        then=access.address("webhooks:webhook", pk),
        webhook=webhook,
        deliveries=[(delivery, names.get(delivery.payload["event"], "")) for delivery in newest],
    )


# --- buttons


@presses(
    Can.ORGANIZE,
    done=gettext_lazy("The test is on its way. Its answer appears below when you reload this page."),
)
def test(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(partial(send_test, webhook=access.webhook(pk)), then=access.address("webhooks:webhook", pk))


@presses(Can.ORGANIZE)
def pause(request: HttpRequest, access: Access, pk: int) -> Asked:
    paused = "resume" not in request.POST
    return Asked(
        partial(set_paused, webhook=access.webhook(pk), paused=paused),
        then=access.address("webhooks:webhook", pk),
        done=_("Paused. Events of this time are not sent later.") if paused else _("This address is on."),
    )


@presses(Can.ORGANIZE)
def rotate(request: HttpRequest, access: Access, pk: int) -> Asked:
    return Asked(
        partial(rotate_key, webhook=access.webhook(pk)),
        then=access.address("webhooks:webhook", pk),
        done=lambda _answer: _describe_key(access.webhook(pk)),
    )


@presses(Can.ORGANIZE, done=gettext_lazy("Address removed."), gone="webhooks:index")
def remove(request: HttpRequest, access: Access, pk: int) -> Asked:
    write = partial(remove_webhook, webhook=access.webhook(pk))
    return Asked(write, then=access.address("webhooks:index"))


@presses(Can.ORGANIZE, done=gettext_lazy("The event is on its way again."))
def again(request: HttpRequest, access: Access, pk: int, delivery: int) -> Asked:
    webhook = access.webhook(pk)
    get_object_or_404(Outgoing, pk=delivery, stream=webhook.stream)
    return Asked(
        partial(send_again, webhook=webhook, delivery=delivery),
        then=access.address("webhooks:webhook", pk),
    )
