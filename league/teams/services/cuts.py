"""Stages that begin with a cut of teams, and the lots that decide between equal teams."""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.core.changes import Form, change
from league.core.errors import OutOfDate, Refused
from league.core.text import listed
from league.models import Stage, TeamLots
from league.stages.queries import unfinished_rounds
from league.stages.services import plan_rounds, refuse_unfinished, stage_again, stage_of_cut
from league.teams.queries.cuts import TeamCutPlan, equal_teams, plan_team_cut
from scoring.cuts import TEAM, Cut, Qualified, Terms, draw_lots


def cut_teams(
    *,
    source: Stage,
    name: str,
    top: int,
    picked: Collection[int] = (),
    carry: str,
    hanchan: int = 0,
    seen: str | None = None,
    by: User | None,
    form: Form | None = None,
) -> Stage:
    """The stage that follows on ``source`` with the players of its ``top`` teams, or of those ``picked``, and
    ``hanchan`` planned rounds without tables.

    ``seen`` is the ``TeamCutPlan.fingerprint`` that the person agreed to: raises ``OutOfDate`` when the cut
    would be another one now. Raises ``Refused`` as ``refuse_team_cut`` does.
    """
    with change(source.division.competition, by=by, form=form) as done:
        # Read again under the lock: results, members and lots may have come since the page was made.
        source = stage_again(source)
        plan = plan_team_cut(source, top=top, picked=picked, carry=carry)
        refuse_team_cut(plan)
        if seen not in (None, plan.fingerprint):
            raise OutOfDate(
                _(
                    "Somebody changed something meanwhile. Here is the cut as it would be now:"
                    " look at it again."
                )
            )
        players = [each.player for each in plan.players]
        team_cut = _kept(plan, top)
        stage = stage_of_cut(
            source, name, Terms(top=0), carry, hanchan, _with_their_teams(players), team_cut=team_cut
        )
        plan_rounds(stage, players, hanchan, seed=None)
        done.log(
            "stage.cut",
            f"stage:{stage.pk}",
            after={
                "stage": source.pk,
                "carry": carry,
                "teams": team_cut["in"],
                "players": players,
                "rounds": hanchan,
            },
        )
        done.answer = {"stage": stage.pk}
        return stage


def _with_their_teams(players: Iterable[int]) -> Cut:
    qualified = (Qualified(player, position, TEAM, 0) for position, player in enumerate(players, 1))
    return Cut(tuple(qualified), out=(), gone=(), moved_up=(), decided=(), open=())


def _kept(plan: TeamCutPlan, top: int) -> dict[str, object]:
    """What the stage keeps of it: teams by their ids, those that came in the order of their places."""
    return {
        "top": top,
        "by_hand": plan.by_hand,
        "in": list(plan.cut.players),
        "decided": [
            {"in": list(each.inside), "out": list(each.outside), "by": each.by} for each in plan.cut.decided
        ],
        "gone": list(plan.cut.gone),
        "moved_up": list(plan.cut.moved_up),
    }


def refuse_team_cut(plan: TeamCutPlan) -> None:
    """Raise ``Refused`` with the first reason why this cut cannot be made yet, and what to do: no result,
    unfinished rounds, teams without players who can go on, too few teams, equals between whom no lots were
    drawn.
    """
    if not plan.tables:
        raise Refused(_("No result of this stage counts yet: play it first, then cut."), field="source")
    refuse_unfinished(plan.unfinished)
    if gone := plan.picked_and_gone:
        raise Refused(
            _("Nobody of these teams can go on: %(names)s. Choose others.")
            % {"names": listed(info.name for info in gone)},
            field="picked",
        )
    if len(plan.inside) < max(plan.terms.size, 1):
        raise Refused(
            _("There are only %(there)s teams that can go on; the cut asks for %(asked)s.")
            % {"there": len(plan.inside), "asked": plan.terms.size},
            field="top",
        )
    if plan.cut.open:
        raise Refused(_("Some teams are equal in everything. Draw lots between them first."))


def draw_between_teams(
    *, stage: Stage, teams: Iterable[int], seed: int, by: User | None, form: Form | None = None
) -> TeamLots:
    """Draw lots between teams that are equal in everything, once and for good.

    Raises ``OutOfDate`` when these are not the teams that share a rank (any more), ``Refused`` when rounds of
    the stage are not finished.
    """
    with change(stage.division.competition, by=by, form=form) as done:
        stage = stage_again(stage)
        refuse_unfinished(unfinished_rounds(stage))
        named = sorted(set(teams))
        if named not in [sorted(line.team.pk for line in equal) for equal in equal_teams(stage)]:
            raise OutOfDate(
                _("These teams are not equal any more, or lots were drawn meanwhile. Look at the page again.")
            )
        order = draw_lots(named, seed)
        lots = TeamLots.objects.create(
            stage=stage, teams=list(order), seed=seed, created_by=done.by, created_at=done.at
        )
        done.log("lots.draw", f"stage:{stage.pk}", after={"teams": list(order), "seed": seed})
        done.answer = {"team_lots": lots.pk}
        return lots
