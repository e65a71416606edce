from django.urls import path

from league.core.urls import in_competition
from league.ranking.teams import views

app_name = "teams"
urlpatterns = [
    in_competition(
        path("line-ups/", views.line_ups, name="line_ups"),
        path("rounds/<int:pk>/teams/", views.round_teams, name="round"),
        path("rounds/<int:pk>/teams/deadline/", views.deadline, name="deadline"),
        path("rounds/<int:pk>/teams/seat/", views.seat_line_ups, name="seat_line_ups"),
        path("rounds/<int:pk>/line-up/<int:team>/", views.line_up, name="line_up"),
        path("manage/stages/<int:pk>/teams/", views.season, name="season"),
        path("manage/stages/<int:pk>/teams/undo/", views.unseat, name="unseat"),
        path("manage/teams/", views.manage, name="manage"),
        path("manage/teams/paste/", views.paste, name="paste"),
        path("manage/teams/<int:pk>/", views.edit, name="edit"),
        path("manage/teams/<int:pk>/remove/", views.remove, name="remove"),
        path("teams/<int:pk>/", views.team, name="team"),
        path("teams/<int:pk>/penalty/new/", views.penalty_new, name="penalty_new"),
        path("team-penalties/<int:pk>/revoke/", views.penalty_revoke, name="penalty_revoke"),
    )
]
