"""Games of Tenhou and Mahjong Soul from files: upload, preview with the players of the names, save."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import ngettext

from league.core.access import Access, Can
from league.core.limits import takes_up_to
from league.core.pages import Answer, page, posted, save, takes, writes
from league.core.text import sentences
from league.extras.game_logs.forms import GamesForm, NamesForm, UploadForm
from league.extras.game_logs.imports import ReadFile, pack_files
from league.extras.game_logs.queries import name_lines, plan_games, players_here
from league.extras.game_logs.services import save_games
from league.extras.game_logs.words import UNREADABLE
from league.models import Stage
from league.play.open_play.queries import this_evening


@takes_up_to(20)
@writes(Can.ORGANIZE)
def upload(request: HttpRequest, access: Access) -> HttpResponse:
    """Take files of games and show what would be saved."""
    stages, files = _stages(access), request.FILES if request.method == "POST" else None
    form = UploadForm(posted(request), files, stages=stages.values())
    if form.is_valid():
        return _preview(request, access, stages[form.cleaned_data["stage"]], form.cleaned_data["logs"])
    return page(request, access, "game_logs/upload.html", form=form)


@takes(Can.ORGANIZE, shown_on=lambda access: access.address("game_logs:upload"))
def preview(request: HttpRequest, access: Access) -> HttpResponse:
    """Check the games again with the chosen players, or save them if they are as the preview showed them."""
    form, stages = GamesForm(request.POST), _stages(access)
    if form.is_valid() and (stage := stages.get(form.cleaned_data["games"]["stage"])):
        return _preview(request, access, stage, form.cleaned_data["games"]["files"], form)
    upload_form = UploadForm(stages=stages.values())
    return page(request, access, "game_logs/upload.html", form=upload_form, refused=form)


def _stages(access: Access) -> dict[int, Stage]:
    """Return the stages by id, free play first."""
    related = access.stages().select_related("division__competition", "division__rule_set")
    found = list(related.order_by("division__position", "-position", "-pk"))
    return {stage.pk: stage for stage in sorted(found, key=lambda stage: stage.play != Stage.Play.OPEN)}


def _preview(
    request: HttpRequest,
    access: Access,
    stage: Stage,
    files: Sequence[ReadFile],
    form: GamesForm | None = None,
) -> HttpResponse:
    read = [(file.name, file.log) for file in files if file.log is not None]
    logs, people = [log for _name, log in read], players_here(access.competition)
    lines = name_lines(logs, people, access.competition.league_id)
    titles = [name for name, _log in read]
    names = NamesForm(request.POST if form else None, lines=lines, people=people.values(), files=titles)
    chosen, unfinished = names.players(), form.cleaned_data["unfinished"] if form else []
    plans = plan_games(stage, logs, chosen, people, unfinished=unfinished, files=titles)
    now: dict[str, Any] = {
        "stage": stage.pk,
        "chosen": sorted([*name, player] for name, player in chosen.items()),
        "unfinished": sorted(unfinished),
        "unread": form.cleaned_data["games"]["unread"]
        if form
        else [(file.name, file.problem) for file in files if file.log is None],
        "ready": [plan.mark for plan in plans if plan.is_ready],
    }
    saving = form is not None and "save" in request.POST
    is_changed = form is not None and _has_other_choices(form, now)
    if form is not None and saving and not is_changed:
        answered = save(
            request,
            form,
            lambda sent: save_games(
                stage=stage,
                logs=logs,
                chosen=chosen,
                unfinished=unfinished,
                expected=[tuple(mark) for mark in form.cleaned_data["games"]["ready"]],
                today=this_evening(stage),
                by=access.by,
                form=sent,
            ),
            about=("game_logs", access.competition.pk),
            done=_describe,
            then=access.address("rounds:index"),
        )
        if answered:
            return answered
    return page(
        request,
        access,
        "game_logs/preview.html",
        status=422 if saving else 200,
        form=GamesForm(initial={"games": pack_files(files, **now)}),
        refused=form,
        names=names,
        plans=[(name, plan) for (name, _log), plan in zip(read, plans, strict=True)],
        unread=[(name, UNREADABLE[problem]) for name, problem in now["unread"]],
        ready=len(now["ready"]),
        unfinished=[(name, plan) for name, plan in zip(titles, plans, strict=True) if plan.is_unfinished],
        ticked=unfinished,
        is_changed=saving and is_changed,
        stage=stage,
        today=this_evening(stage),
    )


def _has_other_choices(form: GamesForm, now: Mapping[str, Any]) -> bool:
    """Return whether players or ticks were changed since the preview."""
    shown = form.cleaned_data["games"]
    return any(shown[name] != now[name] for name in ("chosen", "unfinished"))


def _describe(answer: Answer) -> str:
    tables, hands = answer["tables"], answer["hands"]
    found = [ngettext("%(count)s game saved.", "%(count)s games saved.", tables) % {"count": tables}]
    if hands:
        found.append(ngettext("%(count)s hand kept.", "%(count)s hands kept.", hands) % {"count": hands})
    return sentences(found)
