from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.accounts import signals  # noqa: F401 - receivers are made when it is imported
        from league.core import checks  # noqa: F401
        from league.notices import senders  # noqa: F401 - registers how notices are sent
        from league.webhooks import senders  # noqa: F401 - registers how webhooks are sent
