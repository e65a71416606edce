"""Addresses of the pages."""

from django.urls import path

from league.views import site

urlpatterns = [
    path("", site.home, name="home"),
]
