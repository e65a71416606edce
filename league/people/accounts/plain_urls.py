"""Django's own pages of accounts, under the names by which Django looks for them: without a namespace."""

from django.contrib.auth import views as auth
from django.urls import path

from league.people.accounts.views import ResetConfirmView, ResetView, SignInView

urlpatterns = [
    path("login/", SignInView.as_view(), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path("password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("reset/", ResetView.as_view(), name="password_reset"),
    path("reset/sent/", auth.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path("reset/<uidb64>/<token>/", ResetConfirmView.as_view(), name="password_reset_confirm"),
    path("reset/done/", auth.PasswordResetCompleteView.as_view(), name="password_reset_complete"),
]
