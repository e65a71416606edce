"""A list of players in two steps: what it would do is shown, then it is saved."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.access import Access, Can, enter
from league.core.forms import attempt
from league.core.pages import show
from league.roster.forms import ListForm, PreviewForm
from league.roster.queries import plan_roster
from league.roster.services.roster import Imported, import_roster
from players.files import ENCODINGS, Text, Unreadable, text_of
from players.roster import read_roster

UNPROCESSABLE = 422


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roster_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list; what it would do is shown next, and nothing is saved yet."""
    access = enter(request.user, slug, Can.ORGANIZE)
    if request.method != "POST":
        return show(request, access, "roster/import.html", {"form": ListForm(competition=access.competition)})
    form = ListForm(request.POST, request.FILES, competition=access.competition)
    if form.is_valid():
        try:
            read = _read(form)
        except Unreadable as error:
            form.add_error("file", str(error))
        else:
            division = form.cleaned_data["division"]
            preview = PreviewForm(
                initial={"text": read.text, "division": division}, competition=access.competition
            )
            return _preview_page(request, access, preview, text=read.text, division=division, read=read)
    return show(request, access, "roster/import.html", {"form": form}, UNPROCESSABLE)


def _read(form: ListForm) -> Text:
    file = form.cleaned_data["file"]
    if file:
        return text_of(file.read(), encoding=form.cleaned_data["encoding"])
    return Text(form.cleaned_data["text"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roster_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The second step: the list as it came back, checked again, and saved if that was asked for."""
    access = enter(request.user, slug, Can.ORGANIZE)
    if request.method != "POST":
        return redirect("roster:import", slug)
    form = PreviewForm(request.POST, competition=access.competition)
    if not form.is_valid():
        return _preview_page(
            request,
            access,
            form,
            text=request.POST.get("text", ""),
            picks=request.POST.getlist("pick"),
            status=UNPROCESSABLE,
        )
    data = form.cleaned_data
    saved: list[Imported] = []
    if "save" in request.POST and attempt(form, lambda: saved.append(_import(form, access))):
        messages.success(request, _saved_sentence(saved))
        # Before the first round the organizer's next step is to seat it; later it is to look at the list.
        return redirect("roster:index" if access.rounds().exists() else "competitions:manage", slug)
    return _preview_page(
        request,
        access,
        form,
        text=data["text"],
        division=data["division"],
        picks=data["pick"],
        status=UNPROCESSABLE if "save" in request.POST else 200,
    )


def _import(form: PreviewForm, access: Access) -> Imported:
    data = form.cleaned_data
    return import_roster(
        competition=access.competition,
        text=data["text"],
        picks=data["pick"],
        division=data["division"],
        despite=form.in_spite,
        by=access.by,
        form=form.submission("roster_import", access.competition.pk),
    )


def _saved_sentence(saved: Sequence[Imported]) -> str:
    if not saved:  # the same form again: the first answer stands
        return _("The list is saved.")
    result = saved[0]
    entered = result.new + result.same
    sentence = ngettext("%(count)s player is entered.", "%(count)s players are entered.", entered) % {
        "count": entered
    }
    if not result.skipped:
        return sentence
    left_out = ngettext("%(count)s line was left out.", "%(count)s lines were left out.", result.skipped)
    return f"{sentence} {left_out % {'count': result.skipped}}"


def _preview_page(
    request: HttpRequest,
    access: Access,
    form: PreviewForm,
    *,
    text: str,
    division: str = "",
    picks: Sequence[str] = (),
    read: Text | None = None,
    status: int = 200,
) -> HttpResponse:
    roster = read_roster(text)
    plan = plan_roster(access.competition, roster, picks=picks, division=division)
    context = {
        "form": form,
        "plan": plan,
        "bans": [line.ban for line in plan.banned],
        "unused": roster.unused,
        "read": read,
        "encoding": ENCODINGS.get(read.encoding, "") if read else "",
    }
    return show(request, access, "roster/preview.html", context, status)
