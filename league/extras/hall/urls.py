from django.urls import path

from league.core.urls import in_competition
from league.extras.hall.views import commentary, hall, screens

app_name = "hall"
urlpatterns = [
    in_competition(
        path("hall/", hall.hall, name="index"),
        path("hall/rounds/<int:pk>/approve/", hall.approve, name="approve"),
        path("hall/codes/<slug:key>/", screens.screen_codes, name="screen_codes"),
        path("hall/tables/", hall.live, name="live"),
        path("hall/tables/versions/", hall.live_versions, name="live_versions"),
        path("hall/tables/<int:pk>/", commentary.table, name="commentary"),
        path("hall/tables/<int:pk>/version/", commentary.versions, name="commentary_version"),
        path("screens/", screens.screens, name="screens"),
        path("screens/<slug:screen>/", screens.screen, name="screen"),
        path("screens/<slug:screen>/version/", screens.screen_versions, name="screen_version"),
        path("screens/<slug:screen>/shows/", screens.screen_shows, name="screen_shows"),
        path("screens/<slug:screen>/settings/", screens.screen_settings, name="screen_settings"),
        path("screens/<slug:screen>/remove/", screens.screen_remove, name="screen_remove"),
        path("ceremony/", screens.ceremony, name="ceremony"),
        path("ceremony/reveal/", screens.ceremony_reveal, name="ceremony_reveal"),
        path("ceremony/end/", screens.ceremony_end, name="ceremony_end"),
    )
]
