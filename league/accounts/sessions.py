"""Sessions in the database that know whose they are: Django's own, in a table of ours (SESSION_ENGINE)."""

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils.dateparse import parse_datetime

from league.models import BrowserSession

BROWSER, SINCE = "browser", "since"


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: Mapping[str, Any]) -> BrowserSession:
        made = cast(BrowserSession, super().create_model_instance(dict(data)))
        made.user_id = data.get(SESSION_KEY)
        made.browser = data.get(BROWSER, "")
        made.since = parse_datetime(data.get(SINCE, ""))
        return made
