from django.urls import path

from league.core.urls import in_competition
from league.organizing.competitions.views import organizer, public

app_name = "competitions"
urlpatterns = [
    in_competition(
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
