"""The addresses of the operations, in the namespace that django-ninja gives them."""

from django.urls import path

from league.api.views.operations import api

urlpatterns = [path("", api.urls)]
