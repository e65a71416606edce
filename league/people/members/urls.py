from django.urls import path

from league.core.urls import in_competition
from league.people.members import views

app_name = "people"
urlpatterns = [
    in_competition(
        path("manage/people/", views.index, name="index"),
        path("manage/people/invitations/new/", views.invitation_new, name="invitation_new"),
        path(
            "manage/people/invitations/<int:pk>/withdraw/",
            views.invitation_withdraw,
            name="invitation_withdraw",
        ),
        path("manage/people/invitations/captains/", views.captains, name="captains"),
        path("manage/people/roles/new/", views.role_new, name="role_new"),
        path("manage/people/roles/<int:pk>/revoke/", views.role_revoke, name="role_revoke"),
        path("manage/people/roles/<int:pk>/allow/", views.role_allow, name="role_allow"),
        path("manage/people/roles/<int:pk>/player/", views.role_player, name="role_player"),
    ),
    path("invitations/<slug:token>/", views.invitation, name="invitation"),
    path("accounts/new/", views.signup, name="signup"),
]
