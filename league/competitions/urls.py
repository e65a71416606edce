from django.urls import path

from league.competitions.views import division_rules, organizer, public
from league.core.urls import in_competition

app_name = "competitions"
urlpatterns = [
    in_competition(
        path(
            "manage/divisions/<slug:division>/offences/",
            division_rules.choose_penalty_rules,
            name="division_penalty_rules",
        ),
        path("manage/divisions/<slug:division>/rules/", division_rules.choose, name="division_rules"),
        path(
            "manage/divisions/<slug:division>/rules/edit/",
            division_rules.edit,
            name="division_rules_edit",
        ),
        path(
            "manage/divisions/<slug:division>/rules/move/",
            division_rules.move,
            name="division_rules_move",
        ),
        path("manage/", organizer.manage, name="manage"),
        path("manage/settings/", organizer.settings, name="settings"),
        path("manage/finish/", organizer.finish, name="finish"),
        path("manage/divisions/new/", organizer.division_new, name="division_new"),
        path("rules/", public.rules, name="rules"),
        path("revision/", public.revision, name="revision"),
    ),
    path("", public.home, name="home"),
    path("new/", organizer.new, name="new"),
    path("leagues/<slug:slug>/", organizer.league, name="league"),
    path("leagues/<slug:slug>/edit/", organizer.league_edit, name="league_edit"),
]
