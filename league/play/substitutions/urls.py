from django.urls import path

from league.core.urls import in_competition
from league.play.substitutions import views

app_name = "substitutions"
urlpatterns = [
    in_competition(
        path("manage/rounds/<int:pk>/people/", views.round_people, name="round"),
        path("manage/rounds/<int:pk>/people/swap/", views.round_swap, name="swap"),
        path("manage/rounds/<int:pk>/people/exchange/", views.round_exchange, name="exchange"),
        path("manage/tables/<int:pk>/absent/", views.no_show, name="no_show"),
        path("manage/seats/<int:pk>/", views.seat_person, name="seat"),
        path("manage/seats/<int:pk>/substitute/", views.seat_substitute, name="substitute"),
        path("manage/seats/<int:pk>/return/", views.seat_return, name="return"),
        path("manage/seats/<int:pk>/forfeit/", views.seat_forfeit, name="forfeit"),
        path("manage/players/<int:pk>/absence/", views.entrant_absence, name="absence"),
        path("manage/players/<int:pk>/substitute/", views.entrant_substitute, name="entrant_substitute"),
        path("manage/players/<int:pk>/back/", views.entrant_back, name="back"),
        path("manage/adjustments/<int:pk>/revoke/", views.adjustment_revoke, name="adjustment_revoke"),
    )
]
