"""Games of Tenhou and Mahjong Soul from files: upload, preview with the players of the names, save."""

import hashlib
from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from league.core.access import Access, Can
from league.core.limits import takes_up_to
from league.core.pages import Answer, page, save, sent, takes, today, writes
from league.core.text import sentences
from league.game_logs.forms import GamesForm, NamesForm, UploadForm
from league.game_logs.imports import ReadFile, pack_files
from league.game_logs.queries import Name, name_lines, plan_games, players_here
from league.game_logs.services import save_games
from league.game_logs.words import UNREADABLE
from league.models import Stage


@takes_up_to(20)
@writes(Can.ORGANIZE)
def upload(request: HttpRequest, access: Access) -> HttpResponse:
    """Take files of games and show what would be saved."""
    stages = _stages(access)
    files = request.FILES if request.method == "POST" else None
    form = UploadForm(sent(request), files, stages=stages)
    if form.is_valid():
        return _preview(request, access, form.cleaned_data["stage"], form.cleaned_data["logs"])
    return page(request, access, "game_logs/upload.html", form=form, has_stages=bool(stages))


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("game_logs:upload"))
def preview(request: HttpRequest, access: Access) -> HttpResponse:
    """Check the games again with the chosen players, or save them if they are as the preview showed them."""
    form = GamesForm(request.POST, stages=_stages(access))
    if not form.is_valid():
        upload_form = UploadForm(stages=_stages(access))
        return page(request, access, "game_logs/upload.html", form=upload_form, refused=form, has_stages=True)
    return _preview(request, access, form.cleaned_data["stage"], form.cleaned_data["games"], form)


def _stages(access: Access) -> list[Stage]:
    related = access.stages().select_related("division__competition", "division__rule_set")
    found = list(related.order_by("division__position", "-position", "-pk"))
    return sorted(found, key=lambda stage: stage.play != Stage.Play.OPEN)


def _preview(
    request: HttpRequest, access: Access, stage: int, files: Sequence[ReadFile], form: GamesForm | None = None
) -> HttpResponse:
    stages = _stages(access)
    here = next(each for each in stages if each.pk == stage)
    read = [(each.name, each.log) for each in files if each.log is not None]
    logs, people = [log for _name, log in read], players_here(access.competition)
    lines = name_lines(logs, people, access.competition.league_id)
    names = NamesForm(request.POST if form else None, lines=lines, people=people.values())
    names.is_valid()
    chosen = names.players()
    plans = plan_games(here, logs, chosen, people)
    ready, seen = sum(plan.is_ready for plan in plans), _fingerprint(stage, chosen)
    saving = form is not None and "save" in request.POST
    is_changed = form is not None and form.cleaned_data["seen"] != seen
    if form is not None and saving and not is_changed:
        answered = save(
            request,
            form,
            lambda sent: save_games(
                stage=here,
                logs=logs,
                chosen=chosen,
                expected=form.cleaned_data["expected"],
                today=today(access.competition),
                by=access.by,
                form=sent,
            ),
            about=("game_logs", access.competition.pk, seen),
            done=_describe,
            then=access.address("rounds:index"),
        )
        if answered:
            return answered
    shown = GamesForm(
        initial={"stage": stage, "games": pack_files(files), "seen": seen, "expected": ready}, stages=stages
    )
    return page(
        request,
        access,
        "game_logs/preview.html",
        status=422 if saving else 200,
        form=shown,
        refused=form,
        names=names,
        plans=[(name, plan) for (name, _log), plan in zip(read, plans, strict=True)],
        unread=[(each.name, UNREADABLE[each.problem]) for each in files if each.log is None],
        ready=ready,
        is_changed=saving and is_changed,
        stage=here,
        today=today(access.competition),
    )


def _fingerprint(stage: int, chosen: Mapping[Name, int]) -> str:
    return hashlib.sha256(repr((stage, sorted(chosen.items()))).encode()).hexdigest()


def _describe(answer: Answer) -> str:
    tables, hands = answer["tables"], answer["hands"]
    found = [ngettext("%(count)s game saved.", "%(count)s games saved.", tables) % {"count": tables}]
    if hands:
        found.append(ngettext("%(count)s hand kept.", "%(count)s hands kept.", hands) % {"count": hands})
    return sentences(found)
