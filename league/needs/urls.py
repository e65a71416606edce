from django.urls import path

from league.needs import views

app_name = "needs"
urlpatterns = [
    path("needs/", views.needs, name="hand"),
]
