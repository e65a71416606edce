from django.urls import path

from league.core.urls import in_competition
from league.extras.statistics import views

app_name = "statistics"
urlpatterns = [
    in_competition(
        path("players/<int:pk>/statistics/", views.player, name="player"),
        path("players/<int:pk>/career/", views.career, name="career"),
        path("players/<int:pk>/career/profile/", views.profile, name="profile"),
        path("records/", views.records, name="records"),
        path("hands/", views.hands, name="hands"),
        path("ratings/", views.ratings, name="ratings"),
        path("race/<slug:division>/<slug:stage>/", views.race, name="race"),
        path("head-to-head/<slug:division>/<slug:stage>/", views.matrix, name="matrix"),
    )
]
