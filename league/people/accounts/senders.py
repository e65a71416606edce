"""Mails about accounts: a link to a new password, and the news that an address was changed."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.core.mails import send_mail
from league.core.outbox import NotSent, sender
from league.models import Outgoing


@sender(Outgoing.Kind.MAIL, "email")
def tell_former_address(found: Outgoing) -> None:
    person = User.objects.filter(pk=found.payload["person"]).first()
    if person is None:
        raise NotSent("The account is gone.", again=False)
    with override(found.payload["language"]):
        text = _(
            "The email address of the account %(name)s was changed. If you did not change it, "
            "ask the administrator of the server for help."
        )
        send_mail(found, found.address, _("Your email address was changed"), text % {"name": person})


class _ResetForm(PasswordResetForm):
    """Django's form, but a mail that cannot be sent is tried again instead of logged."""

    def __init__(self, found: Outgoing) -> None:
        super().__init__({"email": found.address})
        self.found = found

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        subject, text, context, _sender, to = args
        said = [render_to_string(template, context).strip() for template in (subject, text)]
        send_mail(self.found, to, *said, part=context["user"].pk)


@sender(Outgoing.Kind.MAIL, "reset")
def send_reset(found: Outgoing) -> None:
    """Send a link to each account of the address, if any. After the time that a link lasts, send none."""
    if timezone.now() - found.created_at > timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT):
        raise NotSent("Too late.", again=False)
    form = _ResetForm(found)
    if form.is_valid():
        with override(found.payload["language"]):
            form.save(domain_override=found.payload["host"], use_https=found.payload["https"])
