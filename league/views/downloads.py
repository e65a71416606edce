"""Pages of this area; see the module's urlpatterns."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
