"""Pages of organizers for the addresses that hear of published results."""

from collections.abc import Callable

from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.translation import gettext as _

from league.core.access import Access, Can
from league.core.pages import Answer, find_unless_sent, page, press, save, sent, site_of, takes, writes
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


@writes(Can.ORGANIZE)
def index(request: HttpRequest, access: Access) -> HttpResponse:
    usual = {"language": translation.get_language(), "on_rounds": True, "on_final": True}
    form = WebhookForm(sent(request), initial=usual)
    return _save(request, access, form) or page(
        request, access, "webhooks/index.html", form=form, webhooks=access.competition.webhooks.all()
    )


@writes(Can.ORGANIZE)
def webhook(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    found = access.webhook(pk)
    form = WebhookForm(sent(request), initial=model_to_dict(found))
    names, newest = dict(Event.choices), Outgoing.objects.filter(stream=found.stream).order_by("-pk")[:NEWEST]
    return _save(request, access, form, found) or page(
        request,
        access,
        "webhooks/webhook.html",
        form=form,
        webhook=found,
        deliveries=[(each, names.get(each.payload["event"], "")) for each in newest],
    )


def _save(
    request: HttpRequest, access: Access, form: WebhookForm, found: Webhook | None = None
) -> HttpResponse | None:
    return save(
        request,
        form,
        lambda sent: save_webhook(
            competition=access.competition,
            webhook=found,
            values=form.values(),
            site=site_of(request),
            by=access.by,
            form=sent,
        ),
        about=(found.pk,) if found else (),
        done=_("Address saved.") if found else lambda answer: _added(access.webhook(answer["webhook"])),
        then=lambda answer: access.address("webhooks:webhook", answer["webhook"]),
    )


def _added(made: Webhook) -> str:
    return sentences([_("Address added."), *([_key_words(made)] if made.kind == Webhook.Kind.EVENTS else [])])


def _key_words(found: Webhook) -> str:
    return _("The signing key is %(key)s. Copy it now. It is not shown again.") % {"key": key_of(found)}


# --- buttons


@takes(Can.ORGANIZE)
def test(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    done = _("The test is on its way. Its answer appears below when you reload this page.")
    return _press(request, access, pk, send_test, done=done)


@takes(Can.ORGANIZE)
def pause(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    paused = "resume" not in request.POST
    done = _("Paused. Events of this time are not sent later.") if paused else _("This address is on.")
    return _press(request, access, pk, set_paused, done=done, paused=paused)


@takes(Can.ORGANIZE)
def rotate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _press(request, access, pk, rotate_key, done=lambda answer: _key_words(access.webhook(pk)))


@takes(Can.ORGANIZE)
def remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    back = access.address("webhooks:index")
    return _press(request, access, pk, remove_webhook, done=_("Address removed."), back=back)


@takes(Can.ORGANIZE)
def again(request: HttpRequest, access: Access, pk: int, delivery: int) -> HttpResponse:
    get_object_or_404(Outgoing, pk=delivery, stream=access.webhook(pk).stream)
    return _press(
        request, access, pk, send_again, done=_("The event is on its way again."), delivery=delivery
    )


def _press(
    request: HttpRequest,
    access: Access,
    pk: int,
    service: Callable[..., None],
    *,
    done: str | Callable[[Answer], str],
    back: str = "",
    **options: object,
) -> HttpResponse:
    about = (pk, service.__name__, *options.values())
    found = find_unless_sent(request, lambda: access.webhook(pk), *about)
    found = found or Webhook(competition=access.competition)
    return press(
        request,
        lambda sent: service(webhook=found, by=access.by, form=sent, **options),
        about=about,
        done=done,
        back=back or access.address("webhooks:webhook", pk),
    )
