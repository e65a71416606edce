from django.urls import path

from league.api.views import tokens
from league.core.urls import in_competition

app_name = "api"
urlpatterns = [
    in_competition(
        path("manage/tokens/", tokens.tokens, name="tokens"),
        path("manage/tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    ),
    path("api/", tokens.index, name="index"),
    path("api/v1/openapi.json", tokens.openapi, name="openapi"),
]
