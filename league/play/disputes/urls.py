from django.urls import path

from league.core.urls import in_competition
from league.play.disputes import views

app_name = "disputes"
urlpatterns = [
    in_competition(
        path("disputes/", views.disputes, name="index"),
        path("disputes/<int:pk>/", views.dispute, name="dispute"),
        path("disputes/<int:pk>/step/<slug:kind>/", views.dispute_step, name="step"),
        path("disputes/<int:pk>/close/", views.dispute_close, name="close"),
        path("disputes/<int:pk>/revoke/<int:penalty>/", views.dispute_revoke, name="revoke"),
        path("disputes/<int:pk>/evidence/", views.evidence_new, name="evidence_new"),
        path("evidence/<int:pk>/", views.evidence, name="evidence"),
        path("tables/<int:pk>/dispute/", views.dispute_new, name="new"),
    )
]
