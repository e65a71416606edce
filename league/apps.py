from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        import league.accounts.senders
        import league.notices.senders
        import league.registration.senders
        import league.webhooks.senders  # noqa: F401 - they register how messages are sent
        from league.accounts import signals  # noqa: F401 - receivers are made when it is imported
        from league.core import checks  # noqa: F401
