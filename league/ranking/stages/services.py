from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import OutOfDate, Refused
from league.core.slugs import last_place
from league.core.stages import stage_before
from league.core.text import MOST_NAMED, listed, sentences
from league.models import (
    Adjustment,
    Competition,
    Dispute,
    Division,
    Lot,
    Lots,
    Penalty,
    Presence,
    Round,
    Seat,
    SittingOut,
    Stage,
    StageEntrant,
    Table,
    TeamPenalty,
)
from league.ranking.stages.queries import (
    CutPlan,
    Unfinished,
    equal_rows,
    plan_cut,
    results_in,
    unfinished_rounds,
)
from scoring.cuts import TEAM, Cut, Terms, draw_lots, evenly_seated, final_tables
from scoring.standings import EVERY_HANCHAN, Numbers

MOST_HANCHAN = 60


def cut_stage(
    *,
    source: Stage,
    name: str,
    terms: Terms,
    carry: str,
    hanchan: int = 0,
    seated: bool = False,
    seed: int = 0,
    of_teams: bool = False,
    for_teams: bool = True,
    seen: str | None = None,
    by: User | None,
    form: Sent | None = None,
) -> Stage:
    """Create the stage after `source` from a cut of players, or of teams with their players, and `hanchan`
    planned rounds. With `seated` they get tables drawn with `seed` (`scoring.cuts.final_tables`).

    `seen` is the person's `CutPlan.fingerprint`. Raises `OutOfDate` if the cut would differ now.
    """
    with change(source.competition, by=by, form=form) as done:
        # Results, members and lots may be newer than the page.
        source = reread_stage(source)
        plan = plan_cut(source, terms, carry, of_teams=of_teams)
        refuse_cut(plan)
        if seen not in (None, plan.fingerprint):
            raise OutOfDate(_("The competition has changed. Review the cut as it would be now."))
        if seated:
            refuse_seating(len(plan.inside), hanchan)
        players = [player.player for player in plan.players]
        stage = _create_from_plan(plan, name, carry, hanchan, top=terms.top)
        if not for_teams:
            stage.counts_for_teams = False
            stage.save(update_fields=["counts_for_teams"])
        plan_rounds(stage, players, hanchan, seed=seed if seated else None)
        after: dict[str, object] = {"stage": source.pk, "carry": carry, "players": players, "rounds": hanchan}
        if of_teams:
            after["teams"] = list(plan.cut.players)
        else:
            after["head_starts"] = [each.head_start for each in plan.cut.qualified]
        after |= {} if for_teams else {"counts_for_teams": False}
        after |= {"seed": seed} if seated and hanchan else {}
        done.log("stage.cut", f"stage:{stage.pk}", after=after)
        done.answer = {"stage": stage.pk, "players": len(players)}
        return stage


def refuse_cut(plan: CutPlan) -> None:
    if not plan.tables:
        raise Refused(
            _("This stage has no results that count yet. Play it first, then make the cut."), field="source"
        )
    refuse_unfinished(plan.unfinished)
    if gone := plan.picked_and_gone:
        sentence = (
            _("No player of these teams can qualify: %(names)s. Choose others.")
            if plan.of_teams
            else _("Withdrawn or banned, so not eligible: %(names)s. Choose others.")
        )
        raise Refused(sentence % {"names": listed(info.name for info in gone)}, field="picked")
    if len(plan.inside) < max(plan.terms.size, 1):
        sentence = (
            _("Too few teams can qualify: %(there)s. The cut needs %(asked)s.")
            if plan.of_teams
            else _("Too few players can qualify: %(there)s. The cut needs %(asked)s.")
        )
        raise Refused(sentence % {"there": len(plan.inside), "asked": max(plan.terms.size, 1)}, field="top")
    if plan.cut.open:
        raise Refused(
            _("Some teams are tied in every respect. Draw lots between them first.")
            if plan.of_teams
            else _("Some players are tied in every respect. Draw lots between them first.")
        )


def refuse_unfinished(rounds: Collection[Unfinished]) -> None:
    reasons = (
        ("open", _("Still open: round %(rounds)s. Enter the missing results and close it first.")),
        ("planned", _("Not played yet: round %(rounds)s. Play it, or delete it if it is cancelled.")),
        ("empty", _("Closed without a result: round %(rounds)s. Reopen and play it, or delete it.")),
        ("make_up", _("Round %(rounds)s has postponed tables. Enter their results first.")),
        ("confirm", _("Round %(rounds)s has score sheets awaiting confirmation. Have them confirmed first.")),
    )
    refused = [
        sentence % {"rounds": listed(str(each.round.number) for each in same[:MOST_NAMED])}
        for why, sentence in reasons
        if (same := [round_ for round_ in rounds if round_.why == why])
    ]
    if refused:
        raise Refused(sentences(refused))


def refuse_seating(players: int, hanchan: int) -> None:
    if evenly_seated(players, hanchan):
        return
    if players == 5:
        raise Refused(
            _("Five players sit out equally often in 5, 10, 15 … games. Choose one of these numbers."),
            field="hanchan",
        )
    raise Refused(
        _(
            "%(count)s players do not fill tables of four. Choose another number, or seat the rounds one by"
            " one."
        )
        % {"count": players},
        field="seated",
    )


def reread_stage(stage: Stage) -> Stage:
    return reread(Stage.objects.with_rules(), pk=stage.pk)


def _create_from_plan(plan: CutPlan, name: str, carry: str, hanchan: int, *, top: int) -> Stage:
    if not plan.of_teams:
        return create_cut_stage(plan.source, name, plan.terms, plan.cut, carry=carry, hanchan=hanchan)
    cut = Cut.of((player.player for player in plan.players), TEAM)
    stage = create_cut_stage(plan.source, name, Terms(top=0), cut, carry=carry, hanchan=hanchan)
    terms = {"top": top, "by_hand": bool(plan.terms.picked), "in": list(plan.cut.players)}
    stage.team_cut = terms | _keep_decisions(plan.cut)
    stage.save(update_fields=["team_cut"])
    return stage


def create_cut_stage(
    source: Stage,
    name: str,
    terms: Terms,
    cut: Cut,
    *,
    carry: str = Stage.Carry.NONE,
    hanchan: int,
    fallback: str = "stage",
    **more: object,
) -> Stage:
    """Create the stage after `source` with the players of this cut, and save the cut with `more`."""
    stage = Stage.objects.create(
        **last_place(source.division.stages.all(), name, fallback=fallback),
        division=source.division,
        name=name,
        carry=carry,
        cut={
            "from": source.pk,
            "top": terms.top,
            "first": terms.first,
            "wild_cards": terms.wild_cards,
            "wild_card_by": terms.wild_card_by,
            "picked": list(terms.picked),
            "hanchan": hanchan,
            **_keep_decisions(cut),
            **more,
        },
    )
    StageEntrant.objects.bulk_create(
        StageEntrant(
            stage=stage, player_id=one.player, position=one.position, head_start=one.head_start, how=one.how
        )
        for one in cut.qualified
    )
    return stage


def _keep_decisions(cut: Cut) -> dict[str, object]:
    return {
        "decided": [
            {"in": list(each.inside), "out": list(each.outside), "by": each.by} for each in cut.decided
        ],
        "gone": list(cut.gone),
        "moved_up": list(cut.moved_up),
    }


def plan_rounds(stage: Stage, players: Sequence[int], hanchan: int, *, seed: int | None) -> None:
    if hanchan:
        stage.planned_rounds = hanchan
        stage.save(update_fields=["planned_rounds"])
    made = Round.objects.bulk_create(
        Round(
            stage=stage,
            number=number,
            date=stage.competition.last_day,
            method=Round.Method.RANK if seed is not None else "",
            seed=seed,
        )
        for number in range(1, hanchan + 1)
    )
    if seed is None:
        return
    for round_, tables in zip(made, final_tables(players, hanchan, seed), strict=True):
        rows = Table.objects.bulk_create(
            Table(round=round_, number=number) for number in range(1, len(tables) + 1)
        )
        Seat.objects.bulk_create(
            Seat(table=table, round=round_, wind=wind, player_id=player)
            for table, four in zip(rows, tables, strict=True)
            for wind, player in enumerate(four)
        )
        seated = {player for four in tables for player in four}
        SittingOut.objects.bulk_create(
            SittingOut(round=round_, player_id=player) for player in players if player not in seated
        )


def undo_stage(*, stage: Stage, by: User | None, form: Sent | None = None) -> None:
    """Delete a stage in which nothing has happened yet, with its planned rounds."""
    with change(stage.competition, by=by, form=form) as done:
        stage = reread_stage(stage)
        refuse_undo(stage)
        before = {
            "name": stage.name,
            "carry": stage.carry,
            "players": list(stage.qualified.values_list("player_id", flat=True)),
            "head_starts": list(stage.qualified.values_list("head_start", flat=True)),
            "rounds": stage.rounds.count(),
        }
        done.log("stage.undo", f"stage:{stage.pk}", before=before)
        stage.delete()


def refuse_undo(stage: Stage) -> None:
    same = list(Stage.objects.filter(division=stage.division_id))
    if stage_before(stage, same) is None:
        raise Refused(_("The first stage of a division cannot be removed."))
    if results_in(stage):
        raise Refused(_("A stage with score sheets cannot be undone."))
    if any(penalties.objects.filter(stage=stage).exists() for penalties in (Penalty, TeamPenalty)):
        raise Refused(_("A stage with a penalty cannot be undone."))
    if Dispute.objects.filter(table__round__stage=stage).exists():
        raise Refused(_("A stage with a dispute cannot be undone."))
    if Adjustment.objects.filter(stage=stage).exists():
        raise Refused(_("A stage with points given or deducted cannot be undone."))
    if Presence.objects.filter(stage=stage, paid=True).exists():
        raise Refused(_("A stage with paid table fees cannot be undone. Mark them as unpaid first."))
    following = [each.name for each in same if stage_before(each, same) == stage]
    if following:
        sentence = _("Another stage follows this one: %(names)s. Undo that one first.")
        raise Refused(sentence % {"names": listed(following)})


def draw(
    *,
    stage: Stage,
    players: Iterable[int],
    seed: int,
    of_teams: bool = False,
    by: User | None,
    form: Sent | None = None,
) -> Lots:
    """Draw lots once between players (or teams) tied in everything, at the end of the stage."""
    with change(stage.competition, by=by, form=form) as done:
        stage = reread_stage(stage)
        refuse_unfinished(unfinished_rounds(stage))
        named = sorted(set(players))
        equal = equal_rows(stage, of_teams=of_teams)
        if named not in [sorted(row.player for row in rows) for rows in equal]:
            raise OutOfDate(
                _("These teams are no longer tied, or lots were already drawn. Check the page again.")
                if of_teams
                else _("These players are no longer tied, or lots were already drawn. Check the page again.")
            )
        order = draw_lots(named, seed)
        lots = keep_lots(done, stage, order, seed, of_teams=of_teams)
        after = {"teams" if of_teams else "players": list(order), "seed": seed}
        done.log("lots.draw", f"stage:{stage.pk}", after=after)
        done.answer = {"lots": lots.pk}
        return lots


def keep_lots(done: Change, stage: Stage, order: Iterable[int], seed: int, *, of_teams: bool = False) -> Lots:
    lots = Lots.objects.create(stage=stage, seed=seed, created_by=done.by, created_at=done.at)
    who = "team_id" if of_teams else "player_id"
    Lot.objects.bulk_create(Lot(lots=lots, position=n, **{who: pk}) for n, pk in enumerate(order, 1))
    return lots


# --- numbers of hanchan


def set_numbers(
    *, stage: Stage, numbers: Numbers, reason: str = "", by: User | None, form: Sent | None = None
) -> Stage:
    with change(stage.competition, by=by, form=form) as done:
        stage = reread(Stage.objects.select_related("division"), pk=stage.pk)
        before = {name: getattr(stage, name) for name in _NUMBERS}
        stage.valid_hanchan, stage.standard_hanchan = numbers.valid, numbers.standard
        stage.beyond = numbers.beyond
        stage.save(update_fields=_NUMBERS)
        after = {name: getattr(stage, name) for name in _NUMBERS} | ({"reason": reason} if reason else {})
        done.log("stage.numbers", f"stage:{stage.pk}", before=before, after=after)
        done.answer = {"stage": stage.pk}
        return stage


_NUMBERS = ("valid_hanchan", "standard_hanchan", "beyond")


# --- two records of one person become one


def refuse_both_in_a_cut(one: int, other: int) -> None:
    """Raise `Refused` if both players came through one cut, which proves that they are two people."""
    stages = Stage.objects.filter(qualified__player=one).filter(qualified__player=other)
    both = stages.with_competition().order_by("pk").first()
    if both is not None:
        raise Refused(
            _("Both qualified for %(stage)s of %(competition)s, so they are two people and cannot be merged.")
            % {"stage": both.name, "competition": both.competition.name}
        )


def take_over_cuts(competition: Competition, *, keep: int, gone: int) -> None:
    StageEntrant.objects.of(competition).filter(player=gone).update(player=keep)
    _take_over_lots(competition, keep=keep, gone=gone)
    for stage in Stage.objects.of(competition):
        cut = {name: _replace(value, keep, gone) for name, value in stage.cut.items()}
        if cut != stage.cut:
            stage.cut = cut
            stage.save(update_fields=["cut"])


def _take_over_lots(competition: Competition, *, keep: int, gone: int) -> None:
    lots = Lot.objects.filter(lots__stage__division__competition=competition, player__in=(keep, gone))
    for _draw, (first, *others) in groupby(lots, key=attrgetter("lots_id")):
        for other in others:
            other.delete()
        first.player_id = keep
        first.save(update_fields=["player"])


def forget_lots(competition: Competition, player: int) -> None:
    Lot.objects.filter(lots__stage__division__competition=competition, player=player).delete()


def _replace(value: object, keep: int, gone: int) -> object:
    """Return `value` with one player in place of another in all lists, without duplicates."""
    if isinstance(value, dict):
        return {name: _replace(each, keep, gone) for name, each in value.items()}
    if isinstance(value, list):
        renamed = [keep if each == gone else _replace(each, keep, gone) for each in value]
        return [each for index, each in enumerate(renamed) if each not in renamed[:index]]
    return value


def add_stage(
    *,
    division: Division,
    name: str,
    carry: str = Stage.Carry.NONE,
    numbers: Numbers = EVERY_HANCHAN,
    by: User | None,
    form: Sent | None = None,
) -> Stage:
    """Add a stage at the end of the division. ``numbers``: its valid and standard numbers of games."""
    with change(division.competition, by=by, form=form) as done:
        stage = create_stage(done, division, name, carry, numbers)
        done.answer = {"stage": stage.pk}
        return stage


def create_stage(
    done: Change,
    division: Division,
    name: str,
    carry: str,
    numbers: Numbers = EVERY_HANCHAN,
    play: str = Stage.Play.ROUNDS,
) -> Stage:
    stage = Stage.objects.create(
        **last_place(division.stages.all(), name, fallback="stage"),
        division=division,
        name=name,
        carry=carry,
        play=play,
        valid_hanchan=numbers.valid,
        standard_hanchan=numbers.standard,
        beyond=numbers.beyond,
    )
    after: dict[str, object] = {"division": division.pk, "slug": stage.slug, "carry": carry}
    if play != Stage.Play.ROUNDS:
        after |= {"play": play}
    if numbers != EVERY_HANCHAN:
        after |= {"valid_hanchan": numbers.valid, "standard_hanchan": numbers.standard}
        after |= {"beyond": numbers.beyond}
    done.log("stage.create", f"stage:{stage.pk}", after=after)
    return stage
