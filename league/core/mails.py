import hashlib
from collections.abc import Mapping
from email.utils import parseaddr
from smtplib import SMTPException, SMTPRecipientsRefused
from types import MappingProxyType

from django.conf import settings
from django.core.mail import EmailMessage

from league.core.outbox import NotSent
from league.models import Outgoing


def send_mail(
    found: Outgoing,
    to: str,
    subject: str,
    *paragraphs: str,
    headers: Mapping[str, str] = MappingProxyType({}),
    part: object = "",
) -> None:
    """Send a mail with the same Message-ID at each attempt, by which a second copy is recognized.

    `part`: tells apart the mails of one message. Raise `NotSent` if the mail server does not take it.
    """
    text = "\n\n".join(filter(None, paragraphs)) + "\n"
    number = hashlib.sha256(f"{found.key}{part}".encode()).hexdigest()[:32]
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    _user, _at, host = address.rpartition("@")
    own = {"Message-ID": f"<{number}@{host}>", "Auto-Submitted": "auto-generated"}
    try:
        EmailMessage(subject, text, None, [to], headers={**own, **headers}).send()
    except SMTPRecipientsRefused as error:
        raise NotSent("The mail server refused the address.", again=False) from error
    except (SMTPException, OSError) as error:
        raise NotSent(f"The mail server did not take the mail: {type(error).__name__}.") from error
