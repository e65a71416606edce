from django.urls import path

from league.core.urls import in_competition
from league.extras.embeds import views

app_name = "embeds"
urlpatterns = [
    in_competition(
        path("embed/standings/", views.standings, name="standings"),
        path("embed/standings/<slug:division>/<slug:stage>/", views.standings, name="stage"),
        path("embed/tables/", views.tables, name="tables"),
        path("embed/players/<int:pk>/", views.player, name="player"),
        path("site/", views.site, name="site"),
        path("results.atom", views.feed, name="feed"),
    ),
    path("oembed/", views.oembed, name="oembed"),
]
