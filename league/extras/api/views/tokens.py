"""The organizer's page of tokens."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from league.core.access import Access, Can
from league.core.forms import attempt
from league.core.pages import page, posted, press, takes, writes
from league.extras.api.forms import TokenForm
from league.extras.api.services import make_token, revoke_token


@writes(Can.ORGANIZE)
@sensitive_variables("secret", "made")
def tokens(request: HttpRequest, access: Access) -> HttpResponse:
    """Show the tokens, and the secret of a new one this once."""
    form, secret = TokenForm(posted(request)), ""

    def write() -> None:
        nonlocal secret
        secret = make_token(
            competition=access.competition,
            **form.values(),
            by=access.by,
            form=form.submission("token", access.competition.pk),
        )

    saved = form.is_valid() and attempt(form, write)
    return page(
        request,
        access,
        "api/tokens.html",
        status=200 if saved else 0,
        form=TokenForm() if saved else form,
        secret=secret,
        was_made=saved and not secret,
        tokens=access.competition.api_tokens.select_related("created_by"),
        now=timezone.now(),
        address=request.build_absolute_uri("/api/v1/"),
    )


@takes(Can.ORGANIZE, shown_on=lambda access, pk: access.address("api:tokens"))
def token_revoke(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    token = access.api_token(pk)
    return press(
        request,
        lambda form: revoke_token(token=token, by=access.by, form=form),
        about=("token revoke", pk),
        done=_("Token revoked."),
        back=access.address("api:tokens"),
    )
