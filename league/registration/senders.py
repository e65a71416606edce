"""The mail about the state of an entry."""

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from league.core.mails import send_mail
from league.core.outbox import NotSent, sender
from league.models import Outgoing, Registrant
from league.registration.queries import line_of
from league.registration.words import CONFIRM_HOURS


@sender(Outgoing.Kind.MAIL, "registration")
def tell_state(found: Outgoing) -> None:
    """Tell people the state of their entry, unless it changed again or its person was erased."""
    every = Registrant.objects.select_related("registration__competition").exclude(email="")
    registrant = every.filter(pk=found.payload["registrant"]).first()
    if registrant is None or registrant.state != found.payload["state"]:
        raise NotSent("No longer true.", again=False)
    arguments = [registrant.registration.competition.slug, registrant.pk, registrant.code]
    values = {
        "registrant": registrant,
        "state": registrant.state,
        "position": line_of(registrant).position,
        "competition": registrant.registration.competition.name,
        "hours": CONFIRM_HOURS,
        "address": found.payload["site"] + reverse("registration:own", args=arguments),
    }
    with override(registrant.language):
        subject = render_to_string("registration/mail_subject.txt", values).strip()
        send_mail(found, registrant.email, subject, render_to_string("registration/mail.txt", values).strip())
