from django.urls import path

from league.core.urls import in_competition
from league.organizing.competitions.views import organizer, public, settings

app_name = "competitions"
urlpatterns = [
    in_competition(
        path("manage/", organizer.manage, name="manage"),
        path("manage/settings/", settings.settings, name="settings"),
        path("manage/settings/event/", settings.event, name="settings_event"),
        path("manage/settings/results/", settings.results, name="settings_results"),
        path("manage/settings/tables/", settings.tables, name="settings_tables"),
        path("manage/settings/referees/", settings.referees, name="settings_referees"),
        path("manage/settings/teams/", settings.teams, name="settings_teams"),
        path("manage/settings/ties/", settings.ties, name="settings_ties"),
        path("manage/print/", organizer.papers, name="print"),
        path("manage/screens/", organizer.screens, name="screens"),
        path("manage/files/", organizer.files, name="files"),
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
