from django.urls import path

from league.core.urls import in_competition
from league.organizing.division_rules import views

app_name = "rule_sets"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/rules/", views.choose, name="division_rules"),
        path("manage/divisions/<slug:division>/rules/edit/", views.edit, name="division_rules_edit"),
        path("manage/divisions/<slug:division>/rules/move/", views.move, name="division_rules_move"),
    )
]
