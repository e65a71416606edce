from django.urls import path

from league.core.urls import in_competition
from league.extras.api.views import document, operations, tokens

app_name = "api"
urlpatterns = [
    in_competition(
        path("manage/tokens/", tokens.tokens, name="tokens"),
        path("manage/tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    ),
    path("api/", document.index, name="index"),
    path("api/v1/openapi.json", document.openapi, name="openapi"),
    path("api/v1/", operations.api.urls),
]
