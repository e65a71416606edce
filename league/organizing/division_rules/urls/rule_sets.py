from django.urls import path

from league.core.urls import in_competition
from league.organizing.division_rules.views import rules

app_name = "rule_sets"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/rules/", rules.choose, name="division_rules"),
        path("manage/divisions/<slug:division>/rules/edit/", rules.edit, name="division_rules_edit"),
        path("manage/divisions/<slug:division>/rules/move/", rules.move, name="division_rules_move"),
    )
]
