from django.urls import path

from league.core.urls import in_competition
from league.organizing.division_rules.views import penalty_rules

app_name = "competitions"
urlpatterns = [
    in_competition(
        path(
            "manage/divisions/<slug:division>/offences/", penalty_rules.choose, name="division_penalty_rules"
        )
    )
]
