from django.urls import path

from league.organizing.personal_data import views

app_name = "personal_data"
urlpatterns = [
    path("privacy/", views.privacy, name="privacy"),
    path("accounts/data/", views.own, name="own"),
    path("accounts/data/file/", views.own_file, name="own_file"),
    path("leagues/<slug:slug>/players/<int:pk>/data/", views.erase, name="erase"),
    path("leagues/<slug:slug>/players/<int:pk>/data/file/", views.player_file, name="player_file"),
]
