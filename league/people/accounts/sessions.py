"""Django's database sessions in a table of ours (SESSION_ENGINE) that knows their person.

The query for a session also reads its person, for `league.people.accounts.backends`.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from league.models import BrowserSession

BROWSER, SINCE = "browser", "since"
_read: ContextVar[User | None] = ContextVar("person_of_session", default=None)


def take_person(pk: int) -> User | None:
    """Return the person if this request has just read their session. Once, because they may change."""
    person = _read.get()
    _read.set(None)
    return person if person is not None and person.pk == pk else None


class SessionStore(DatabaseStore):
    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key)
        _read.set(None)  # of the request before

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def _get_session_from_db(self) -> BrowserSession | None:
        valid = BrowserSession.objects.filter(session_key=self.session_key, expire_date__gt=timezone.now())
        session = valid.select_related("user").first()
        if session is None:
            self._session_key = None
            return None
        _read.set(session.user)
        return session

    def create_model_instance(self, data: Mapping[str, Any]) -> BrowserSession:
        made = cast(BrowserSession, super().create_model_instance(dict(data)))
        made.user_id = data.get(SESSION_KEY)
        made.browser = data.get(BROWSER, "")
        made.since = parse_datetime(data.get(SINCE, ""))
        return made
