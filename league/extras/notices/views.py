"""A player's notices: on and off, a test, the links in mails, and what makes the site an app."""

from django.conf import settings
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from league.core.access import Access, Can
from league.core.changes import Sent
from league.core.errors import Refused
from league.core.me import Me, find_device, find_me, remember_device
from league.core.pages import page, press, reads, site_of, takes
from league.extras.notices.forms import BrowserForm
from league.extras.notices.push import public_key
from league.extras.notices.queries import own_channels, sends_mail
from league.extras.notices.services import (
    confirm_mail,
    find_by_off_token,
    read_confirm_token,
    send_test,
    turn_off,
    turn_on_mail,
    turn_on_push,
)
from league.models import Channel, Competition
from league.people.accounts.words import describe_browser

MANIFEST_SECONDS = 24 * 3600
WHO = gettext_lazy("Find your seat first and press “This is me”.")


# --- a player's own


def _may_turn_on(access: Access, me: Me) -> bool:
    """Return whether notices may go to this person. Of a private competition only linked accounts get any."""
    return me.is_proved or access.competition.visibility == Competition.Visibility.PUBLIC


@reads()
def own(request: HttpRequest, access: Access) -> HttpResponse:
    """Render the known player's notices, or lead to the page on which a phone learns who that is."""
    me = find_me(request, access)
    if me is None:
        return redirect(access.address("seating:my_seat"))
    device = find_device(request)
    channels = own_channels(me.entrant, request.user, device)
    return page(
        request,
        access,
        "notices/own.html",
        me=me,
        may_turn_on=_may_turn_on(access, me),
        here=next((channel for channel in channels if channel.pk == device), None),
        others=[
            channel for channel in channels if channel.kind == Channel.Kind.PUSH and channel.pk != device
        ],
        mail=next((channel for channel in channels if channel.kind == Channel.Kind.MAIL), None),
        sends_mail=sends_mail(),
        form=BrowserForm(),
        server_key=public_key(),
    )


@takes(Can.VIEW, shown_on=lambda access: access.address("notices:own"))
def push_on(request: HttpRequest, access: Access) -> HttpResponse:
    me, form = find_me(request, access), BrowserForm(request.POST)
    made: list[Channel] = []

    def write(_sent: Sent) -> None:
        if me is None or not _may_turn_on(access, me):
            raise Refused(WHO)
        user = access.by if me.is_proved else None
        browser = describe_browser(request.headers.get("User-Agent", ""))[:60]
        where = {"language": get_language() or "en", "site": site_of(request)}
        made.append(turn_on_push(entrant=me.entrant, user=user, browser=browser, **where, **form.values()))

    back, done = access.address("notices:own"), _("Notices are on in this browser.")
    answer = press(request, write, form=form, done=done, back=back)
    for channel in made:
        remember_device(answer, access, channel)
    return answer


@takes(Can.VIEW, shown_on=lambda access: access.address("notices:own"))
def mail_on(request: HttpRequest, access: Access) -> HttpResponse:
    me = find_me(request, access)

    def write(_sent: Sent) -> None:
        if me is None or not me.is_proved or not sends_mail():
            raise Refused(WHO)
        language = get_language() or "en"
        turn_on_mail(entrant=me.entrant, user=access.by, language=language, site=site_of(request))

    return press(
        request,
        write,
        done=_("Notices by mail are on. A new address gets a mail first, with a link to confirm it."),
        back=access.address("notices:own"),
    )


def _own_channel(request: HttpRequest, access: Access, pk: int) -> Channel | None:
    """Return the channel if this person may change it, or None. One of another competition is not found."""
    if Channel.objects.filter(pk=pk).exclude(entrant__competition=access.competition).exists():
        raise Http404
    me = find_me(request, access)
    channels = own_channels(me.entrant, request.user, find_device(request)) if me else []
    return next((channel for channel in channels if channel.pk == pk), None)


@takes(Can.VIEW)
def channel_off(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    channel, device = _own_channel(request, access, pk), find_device(request)
    answer = press(
        request,
        lambda _sent: turn_off(channel=channel) if channel else None,
        done=_("Notices are off."),
        back=access.address("notices:own"),
    )
    if pk == device:
        remember_device(answer, access, None)
    return answer


@takes(Can.VIEW)
def channel_test(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    channel = _own_channel(request, access, pk)

    def write(_sent: Sent) -> None:
        if channel is None:
            raise Refused(_("These notices are off. Turn them on first."))
        send_test(channel=channel)

    return press(request, write, done=_("Test sent."), back=access.address("notices:own"))


# --- links in mails and notices


# A mail program or the service worker sends the form, without cookies (RFC 8058). The token in the address
# says which channel, and can only turn it off.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def off(request: HttpRequest, token: str) -> HttpResponse:
    """Turn a channel off with one press, without signing in."""
    try:
        channel = find_by_off_token(token)
    except BadSignature:
        raise Http404 from None
    if request.method == "POST" and channel is not None:
        turn_off(channel=channel)
        channel = None
    return page(request, None, "notices/off.html", channel=channel, status=200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm a mail address with one press. Programs that follow links in mails do not press."""
    try:
        user, address = read_confirm_token(token)
    except BadSignature:
        raise Http404 from None
    is_on = request.method == "POST" and confirm_mail(user=user, address=address)
    state = "" if request.method != "POST" else "on" if is_on else "off"
    return page(request, None, "notices/confirm.html", address=address, state=state, status=200)


# --- an app


@require_safe
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    """Describe the site as an app, in one of the languages."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    kind = "application/manifest+json"
    with override(language):
        answer = render(request, "notices/manifest.txt", {"language": language}, content_type=kind)
    if not request.user.is_authenticated:
        answer["Cache-Control"] = f"public, max-age={MANIFEST_SECONDS}"
    return answer
