"""Pages of organizers for the addresses that hear of published results."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.pages import find_unless_sent, page, press, save, sent, site_of, takes, writes
from league.core.text import sentences
from league.models import Outgoing, Webhook
from league.webhooks.forms import WebhookForm
from league.webhooks.queries import deliveries, webhooks_of
from league.webhooks.services import (
    key_of,
    remove_webhook,
    rotate_key,
    save_webhook,
    send_again,
    send_test,
    set_paused,
)
from league.webhooks.words import event_name, outcome


@writes(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    form = WebhookForm(
        sent(request), initial={"language": translation.get_language(), "on_rounds": True, "on_final": True}
    )
    return save(
        request,
        form,
        lambda sent: _save(request, access, form, sent),
        done=lambda answer: _added(access, answer),
        then=lambda answer: access.address("webhooks:webhook", answer["webhook"]),
    ) or page(
        request, access, "webhooks/index.html", form=form, webhooks=list(webhooks_of(access.competition))
    )


@writes(Can.ORGANIZE)
def webhook(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.webhook(pk)
    names = ("name", "kind", "address", "language", "on_rounds", "on_final", "on_penalties")
    form = WebhookForm(sent(request), initial={name: getattr(found, name) for name in names})
    return save(
        request,
        form,
        lambda sent: _save(request, access, form, sent, found),
        about=(pk,),
        done=_("Address saved."),
        then=access.address("webhooks:webhook", pk),
    ) or page(
        request,
        access,
        "webhooks/webhook.html",
        form=form,
        webhook=found,
        deliveries=[(each, event_name(each), outcome(each)) for each in deliveries(found)],
    )


def _save(
    request: HttpRequest, access: Access, form: WebhookForm, sent: Any, found: Webhook | None = None
) -> Webhook:
    return save_webhook(
        competition=access.competition,
        webhook=found,
        values=form.values(),
        site=site_of(request),
        by=access.by,
        form=sent,
    )


def _added(access: Access, answer: Mapping[str, Any]) -> str:
    made = access.webhook(answer["webhook"])
    words = (
        [_("Address added."), _key_words(made)] if made.kind == Webhook.Kind.EVENTS else [_("Address added.")]
    )
    return sentences(words)


def _key_words(found: Webhook) -> str:
    return _("The signing key is %(key)s. Copy it now. It is not shown again.") % {"key": key_of(found)}


@takes(Can.ORGANIZE)
def test(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.webhook(pk)
    return press(
        request,
        lambda sent: send_test(webhook=found, by=access.by, form=sent),
        about=(pk, "test"),
        done=_("The test is on its way. Its answer appears below when you reload this page."),
        back=access.address("webhooks:webhook", pk),
    )


@takes(Can.ORGANIZE)
def pause(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.webhook(pk)
    paused = "resume" not in request.POST
    return press(
        request,
        lambda sent: set_paused(webhook=found, paused=paused, by=access.by, form=sent),
        about=(pk, paused),
        done=_("Paused. Events of this time are not sent later.") if paused else _("This address is on."),
        back=access.address("webhooks:webhook", pk),
    )


@takes(Can.ORGANIZE)
def rotate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.webhook(pk)
    return press(
        request,
        lambda sent: rotate_key(webhook=found, by=access.by, form=sent),
        about=(pk, "key"),
        done=lambda answer: _key_words(access.webhook(pk)),
        back=access.address("webhooks:webhook", pk),
    )


@takes(Can.ORGANIZE)
def remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = find_unless_sent(request, lambda: access.webhook(pk), pk, "remove")
    return press(
        request,
        lambda sent: remove_webhook(
            webhook=found or Webhook(competition=access.competition), by=access.by, form=sent
        ),
        about=(pk, "remove"),
        done=_("Address removed."),
        back=access.address("webhooks:index"),
    )


@takes(Can.ORGANIZE)
def again(request: HttpRequest, access: Access, pk: int, delivery: int) -> HttpResponse:
    found = access.webhook(pk)
    get_object_or_404(Outgoing, pk=delivery, stream=found.stream)
    return press(
        request,
        lambda sent: send_again(webhook=found, delivery=delivery, by=access.by, form=sent),
        about=(pk, delivery),
        done=_("The event is on its way again."),
        back=access.address("webhooks:webhook", pk),
    )
