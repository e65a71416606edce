from django.urls import path

from league.core.urls import in_competition
from league.teams.views import line_ups, manage, teams

app_name = "teams"
urlpatterns = [
    in_competition(
        path("line-ups/", line_ups.line_ups, name="line_ups"),
        path("rounds/<int:pk>/teams/", line_ups.round_teams, name="round"),
        path("rounds/<int:pk>/teams/deadline/", line_ups.round_deadline, name="deadline"),
        path("rounds/<int:pk>/teams/seat/", line_ups.round_line_ups_seat, name="seat_line_ups"),
        path("rounds/<int:pk>/line-up/<int:team>/", line_ups.line_up, name="line_up"),
        path("manage/teams/", manage.manage_teams, name="manage"),
        path("manage/teams/paste/", manage.teams_paste, name="paste"),
        path("manage/teams/<int:pk>/", manage.team_edit, name="edit"),
        path("manage/teams/<int:pk>/remove/", manage.team_remove, name="remove"),
        path("teams/", teams.teams, name="index"),
        path("teams/<int:pk>/", teams.team, name="team"),
        path("teams/standings/<slug:division>/<slug:stage>/", teams.teams, name="standings"),
        path("teams/<int:pk>/penalty/new/", teams.team_penalty_new, name="penalty_new"),
        path("team-penalties/<int:pk>/revoke/", teams.team_penalty_revoke, name="penalty_revoke"),
    ),
]
