from django.urls import path

from league.core.urls import in_competition
from league.needs import views

app_name = "needs"
urlpatterns = [
    path("needs/", views.needs, name="hand"),
    in_competition(path("seat/tables/<int:pk>/needs/", views.at_table, name="at_table")),
]
