from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.core import checks  # noqa: F401
