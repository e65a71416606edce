"""Pages of this area; see the module's urlpatterns."""

from django.urls import URLPattern, path

from league.views import site

urlpatterns: list[URLPattern] = [path("", site.home, name="home")]
