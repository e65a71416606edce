from django.urls import path

from league.core.urls import in_competition
from league.extras.notices import views

app_name = "notices"
urlpatterns = [
    path("notices/off/<str:token>/", views.off, name="off"),
    path("notices/confirm/<str:token>/", views.confirm, name="confirm"),
    path("manifest/<str:language>.webmanifest", views.manifest, name="manifest"),
    in_competition(
        path("seat/notices/", views.own, name="own"),
        path("seat/notices/push/", views.push_on, name="push_on"),
        path("seat/notices/mail/", views.mail_on, name="mail_on"),
        path("seat/notices/<int:pk>/off/", views.channel_off, name="channel_off"),
        path("seat/notices/<int:pk>/test/", views.channel_test, name="channel_test"),
    ),
]
