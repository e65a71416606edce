from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        import league.people.accounts.senders  # noqa: F401 - registers how its messages are sent
        from league.core import checks  # noqa: F401
        from league.people.accounts import signals  # noqa: F401 - receivers are made when it is imported
