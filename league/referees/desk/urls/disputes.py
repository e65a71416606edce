from django.urls import path

from league.core.urls import in_competition
from league.referees.desk.views import disputes

app_name = "disputes"
urlpatterns = [
    in_competition(
        path("disputes/", disputes.disputes, name="index"),
        path("disputes/<int:pk>/", disputes.dispute, name="dispute"),
        path("disputes/<int:pk>/step/<slug:kind>/", disputes.dispute_step, name="step"),
        path("disputes/<int:pk>/close/", disputes.dispute_close, name="close"),
        path("disputes/<int:pk>/revoke/<int:penalty>/", disputes.dispute_revoke, name="revoke"),
        path("disputes/<int:pk>/evidence/", disputes.evidence_new, name="evidence_new"),
        path("evidence/<int:pk>/", disputes.evidence, name="evidence"),
        path("tables/<int:pk>/dispute/", disputes.dispute_new, name="new"),
    )
]
