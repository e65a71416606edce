from django.urls import path

from league.core.urls import in_competition
from league.play.entry.views import evening

app_name = "open_play"
urlpatterns = [
    in_competition(
        path("stages/<int:stage>/evening/", evening.tonight, name="tonight"),
        path("stages/<int:stage>/evenings/<str:day>/", evening.evening, name="evening"),
        path("stages/<int:stage>/evenings/<str:day>/presence/", evening.presence, name="presence"),
        path("stages/<int:stage>/evenings/<str:day>/guest/", evening.guest, name="guest"),
        path("stages/<int:stage>/evenings/<str:day>/fee/", evening.fee, name="fee"),
        path("stages/<int:stage>/evenings/<str:day>/draw/", evening.draw, name="draw"),
    )
]
