"""The mail about the state of an entry."""

from datetime import timedelta

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from league.core.mails import send_mail
from league.core.outbox import NotSent, sender
from league.extras.registration.queries import position_of
from league.models import Outgoing, Registrant
from league.models.registration import TO_CONFIRM


@sender(Outgoing.Kind.MAIL, "registration")
def tell_state(outgoing: Outgoing) -> None:
    """Tell people the state of their entry, unless it changed again or its person was erased."""
    every = Registrant.objects.select_related("registration__competition").exclude(email="")
    registrant = every.filter(pk=outgoing.payload["registrant"]).first()
    if registrant is None or registrant.state != outgoing.payload["state"]:
        raise NotSent("No longer true.", again=False)
    competition = registrant.registration.competition
    own = reverse("registration:own", args=[competition.slug, registrant.pk, registrant.code])
    values = {
        "registrant": registrant,
        "position": position_of(registrant),
        "competition": competition.name,
        "hours": TO_CONFIRM // timedelta(hours=1),
        "address": outgoing.payload["site"] + own,
    }
    with override(registrant.language):
        subject = render_to_string("registration/mail_subject.txt", values).strip()
        text = render_to_string("registration/mail.txt", values).strip()
        send_mail(outgoing, registrant.email, subject, text)
