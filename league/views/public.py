"""What everybody may read: the front page, standings, rounds, players, rules."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from league.access import enter


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")


@require_safe
def competition(request: HttpRequest, slug: str, **_) -> HttpResponse:
    access = enter(request.user, slug)
    return render(
        request, "league/competition_base.html", {"access": access, "competition": access.competition}
    )


urlpatterns = [
    path("", home, name="home"),
    path("c/<slug:slug>/", competition, name="competition"),
    path("c/<slug:slug>/standings/<slug:division>/<slug:stage>/", competition, name="standings"),
    path("c/<slug:slug>/rounds/", competition, name="rounds"),
    path("c/<slug:slug>/rounds/<int:pk>/", competition, name="round"),
    path("c/<slug:slug>/players/", competition, name="players"),
    path("c/<slug:slug>/players/<int:pk>/", competition, name="player"),
    path("c/<slug:slug>/rules/", competition, name="rules"),
]
