from django.urls import path

from league.competitions.views import division_penalty_rules, division_rules, organizer
from league.core.urls import in_competition
from league.standings import views as standings_views

app_name = "competitions"
urlpatterns = [
    in_competition(
        path(
            "manage/divisions/<slug:division>/offences/",
            division_penalty_rules.choose,
            name="division_penalty_rules",
        ),
        path("manage/divisions/<slug:division>/rules/", division_rules.division_rules, name="division_rules"),
        path(
            "manage/divisions/<slug:division>/rules/edit/",
            division_rules.division_rules_edit,
            name="division_rules_edit",
        ),
        path(
            "manage/divisions/<slug:division>/rules/move/",
            division_rules.division_rules_move,
            name="division_rules_move",
        ),
        path("manage/", organizer.manage, name="manage"),
        path("manage/settings/", organizer.competition_settings, name="settings"),
        path("manage/divisions/new/", organizer.division_new, name="division_new"),
        path("manage/divisions/<slug:division>/stages/new/", organizer.stage_new, name="stage_new"),
        path("rules/", standings_views.rules, name="rules"),
        path("revision/", standings_views.revision, name="revision"),
    ),
    path("new/", organizer.competition_new, name="new"),
    path("leagues/<slug:slug>/", organizer.league, name="league"),
    path("leagues/<slug:slug>/edit/", organizer.league_edit, name="league_edit"),
]
