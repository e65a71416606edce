"""Pages of personal data: privacy, one's own data, closing an account, erasing a player."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.access import own_league
from league.core.forms import attempt
from league.core.pages import SignedIn, page, posted, save
from league.models import Competition, Entrant, Role
from league.organizing.personal_data.exports import account_archive, file_name, player_archive
from league.organizing.personal_data.forms import CloseForm, EraseForm
from league.organizing.personal_data.services import close_account, erase_player
from players.models import Player

BOTH = ["GET", "HEAD", "POST"]


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return page(
        request,
        None,
        "personal_data/privacy.html",
        operator=settings.OPERATOR_NAME,
        contact=settings.OPERATOR_CONTACT,
        days=settings.SECURITY_LOG_DAYS,
    )


# --- one's own


@never_cache
@login_required
@sensitive_post_parameters()
@require_http_methods(BOTH)
def own(request: SignedIn) -> HttpResponse:
    form = CloseForm(posted(request), user=request.user)
    if form.is_valid() and attempt(form, lambda: close_account(user=request.user)):
        logout(request)
        messages.success(request, _("Account closed."))
        return redirect("competitions:home")
    roles = Role.objects.filter(user=request.user).select_related("competition__league", "player")
    return page(
        request, None, "personal_data/own.html", form=form, roles=roles.order_by("competition", "kind")
    )


@never_cache
@login_required
@require_POST
def own_file(request: SignedIn) -> HttpResponse:
    return _file(account_archive(request.user), request.user.get_username())


def _file(content: bytes, of: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/zip")
    name = file_name(of, timezone.now())
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# --- for the owners of a league


def _find_player(request: SignedIn, slug: str, pk: int) -> tuple[Player, list[Competition]]:
    league = own_league(request.user, slug)
    player = get_object_or_404(Player, register=league.register_id, pk=pk)
    entered = Entrant.objects.filter(player=player).values("competition")
    return player, list(Competition.objects.filter(pk__in=entered))


@never_cache
@login_required
@require_http_methods(BOTH)
def erase(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    league = own_league(request.user, slug)
    player, competitions = _find_player(request, slug, pk)
    form = EraseForm(posted(request))
    return save(
        request,
        form,
        lambda sent: erase_player(league=league, player=player, by=request.user, form=sent),
        about=["erase", pk],
        done=_("Player’s data erased. Results are kept under #%(number)s.") % {"number": pk},
        then=reverse("competitions:league", args=[slug]),
    ) or page(
        request,
        None,
        "personal_data/erase.html",
        league=league,
        player=player,
        competitions=competitions,
        form=form,
    )


@never_cache
@login_required
@require_POST
def player_file(request: SignedIn, slug: str, pk: int) -> HttpResponse:
    player, _competitions = _find_player(request, slug, pk)
    return _file(player_archive(player), f"player-{player.pk}")
