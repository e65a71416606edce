"""Create and change leagues, competitions, divisions and stages."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, LeagueChange, Sent, change, league_change, refuse_repeat
from league.core.errors import OutOfDate, Refused
from league.core.slugs import address_taken, free_slug, last_place
from league.core.text import MOST_NAMED, listed
from league.models import Competition, Division, League, Penalty, RuleSet, Sheet, Stage
from league.models.names import (
    FIRST_DIVISION,
    FIRST_STAGE,
    FIRST_STAGE_OF_CLUB,
    FIRST_STAGE_OF_TOURNAMENT,
)
from league.play.calendar.queries.moves import Days, find_moves
from league.play.calendar.services.calendar import move_rounds
from league.play.rounds.services import publish_in
from league.ranking.seasons.queries import stages_of_competition, unpublished_results
from league.ranking.seasons.words import round_words
from league.ranking.stages.queries import unfinished_in
from league.ranking.stages.services import create_stage, refuse_unfinished
from league.rules.rule_sets.services import copied_rules, describe_origin, take_to_play
from players.models import Register
from scoring.presets import NOBODY_SIGNS, find_preset, resolve
from scoring.standings import DEFAULT_TIE_BREAKS, validate_tie_breaks

WHY_REOPEN = _("Give a reason for reopening the competition. It is kept in the audit log.")


def create_league(*, name: str, slug: str = "", by: User | None) -> League:
    """Create a league with its own register, owned by ``by``."""
    with address_taken(_("Another league has this address. Choose another one.")):
        slug = slug or free_slug(name, set(League.objects.values_list("slug", flat=True)), fallback="league")
        league = League.objects.create(name=name, slug=slug, register=Register.objects.create(name=name))
        if by is not None:
            league.owners.add(by)
        with league_change(league, by=by) as done:
            done.log("league.create", f"league:{league.pk}", after=describe_league(league))
        return league


def update_league(*, league: League, name: str, slug: str, by: User) -> League:
    """Rename a league or change its address. Raises ``Refused`` if another league has that address."""
    taken = _("Another league has this address. Choose another one.")
    with address_taken(taken), league_change(league, by=by) as done:
        league = done.league  # the one at hand stays as it is if the address is refused
        before = describe_league(league)
        league.name, league.slug = name, slug
        league.save(update_fields=["name", "slug"])
        log_league(done, before)
    return league


def describe_league(league: League) -> dict[str, object]:
    owners = league.owners.order_by("pk").values_list("pk", flat=True)
    return {"name": league.name, "slug": league.slug, "owners": list(owners)}


def log_league(done: LeagueChange, before: Mapping[str, object]) -> None:
    """Log the differences from ``before``."""
    after = describe_league(done.league)
    changed = [name for name in after if after[name] != before[name]]
    if changed:
        old, new = ({name: side[name] for name in changed} for side in (before, after))
        done.log("league.update", f"league:{done.league.pk}", before=old, after=new)


def start_competition(
    *, league: League | None, league_name: str = "", by: User, form: Sent | None = None, **values: Any
) -> Competition:
    """Create a competition in ``league``, or in a new one called ``league_name``.

    ``values``: as for ``create_competition``. Raises ``AlreadyDone`` if ``form`` came before.
    """
    with transaction.atomic():
        # No competition can be locked yet: the same form sent twice at once waits here, on its sender.
        User.objects.select_for_update().get(pk=by.pk)
        if form is not None:
            refuse_repeat(form, by=by)
        league = league or create_league(name=league_name, by=by)
        return create_competition(league=league, by=by, form=form, **values)


def create_competition(
    *,
    league: League,
    name: str,
    slug: str = "",
    preset_slug: str = "",
    overrides: Mapping[str, object] | None = None,
    rules: RuleSet | None = None,
    kind: str = Competition.Kind.SEASON,
    team_play: str = Competition.TeamPlay.NONE,
    timezone: str = "UTC",
    visibility: str = Competition.Visibility.PUBLIC,
    first_day: date | None = None,
    last_day: date | None = None,
    division_names: Sequence[str] = (),
    stage_name: str = "",
    play: str = Stage.Play.ROUNDS,
    by: User | None,
    form: Sent | None = None,
) -> Competition:
    """Create a competition with its divisions (by default “Main”), each with one stage, played as `play`.

    ``rules``: an edition, or an unsaved copy, of which each division gets its own. Without them, the preset
    with ``overrides`` is used. Raises ``scoring.rules.RulesError`` for invalid overrides, ``UnknownPreset``,
    and ``Refused`` if the address is taken or the rules are another league's.
    """
    rules = rules or preset_rules(preset_slug, overrides or {}, by=by)
    with address_taken(_("Another competition has this address. Choose another one.")):
        slug = slug or free_slug(
            name, set(Competition.objects.values_list("slug", flat=True)), fallback="competition"
        )
        competition = Competition.objects.create(
            league=league,
            name=name,
            slug=slug,
            kind=kind,
            team_play=team_play,
            timezone=timezone,
            visibility=visibility,
            first_day=first_day,
            last_day=last_day,
            tie_breaks=list(DEFAULT_TIE_BREAKS),
            signatures=known.signatures if (known := find_preset(rules.preset)) else NOBODY_SIGNS,
        )
        with change(competition, by=by, form=form) as done:
            done.log(
                "competition.create",
                f"competition:{competition.pk}",
                after={"slug": slug, **describe_origin(rules)},
            )
            for division_name in division_names or (FIRST_DIVISION,):
                _create_division(done, division_name, rules, stage_name, play)
            first = Stage.objects.of(competition).earliest("pk")
            done.answer = {"competition": competition.pk, "slug": competition.slug, "stage": first.pk}
        return competition


def add_division(
    *,
    competition: Competition,
    name: str,
    preset_slug: str = "",
    overrides: Mapping[str, object] | None = None,
    rules: RuleSet | None = None,
    stage_name: str = "",
    by: User | None,
    form: Sent | None = None,
) -> Division:
    """Add a division with one stage. For its rules see ``create_competition``."""
    rules = rules or preset_rules(preset_slug, overrides or {}, by=by)
    with change(competition, by=by, form=form) as done:
        division = _create_division(done, name, rules, stage_name)
        done.answer = {"division": division.pk}
        return division


def update_competition(
    *,
    competition: Competition,
    values: Mapping[str, object],
    moves: str = "",
    by: User,
    form: Sent | None = None,
) -> Competition:
    """Change settings, logged old and new. Without values nothing changes. Raises ``ValueError`` for an
    unknown tie-break.

    ``moves``: the mark of the rounds that move with the first or last day, or empty to keep the rounds on
    their days. Raise ``OutOfDate`` if those rounds or days have changed.
    """
    if "tie_breaks" in values:
        validate_tie_breaks(cast("Sequence[str]", values["tie_breaks"]))
    if not values:
        return competition
    with change(competition, by=by, form=form) as done:
        days_before = (done.competition.first_day, done.competition.last_day)
        before = {name: _as_logged(getattr(done.competition, name)) for name in values}
        after = {name: _as_logged(value) for name, value in values.items()}
        for name, value in values.items():
            setattr(done.competition, name, value)
        done.competition.save(update_fields=list(values))
        done.log("competition.update", f"competition:{competition.pk}", before=before, after=after)
        if moves:
            _move_rounds(done, days_before, moves)
        done.answer = {"competition": competition.pk}
        return done.competition


def _move_rounds(done: Change, before: Days, seen: str) -> None:
    days = (done.competition.first_day, done.competition.last_day)
    found = find_moves(done.competition, before=before, after=days)
    if found is None or found.mark != seen:
        raise OutOfDate(_("The days of the rounds have changed since you opened the page. Check them again."))
    move_rounds(done, found)


def _as_logged(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


def finish_competition(
    *, competition: Competition, publish: bool, by: User, form: Sent | None = None
) -> Competition:
    """Freeze the competition until it is reopened. ``publish``: publish hidden results, too.

    Raises ``Refused`` with the first reason why it is not over.
    """
    with change(competition, by=by, form=form) as done:
        refuse_finish(done.competition)
        hidden = unpublished_results(done.competition)
        if hidden and not publish:
            named = listed(map(round_words, hidden[:MOST_NAMED]))
            raise Refused(
                _("Not published yet: %(rounds)s. Publish these results, too.") % {"rounds": named},
                field="publish",
            )
        publish_in(done, hidden)
        done.competition.finished_at = done.at
        done.competition.save(update_fields=["finished_at"])
        done.log("competition.finish", f"competition:{competition.pk}")
        done.answer = {"competition": competition.pk}
        return done.competition


def refuse_finish(competition: Competition) -> None:
    """Raise ``Refused`` with the first reason why the competition is not over."""
    stages = stages_of_competition(competition)
    for stage, rounds in zip(stages, unfinished_in(stages).values(), strict=True):
        try:
            refuse_unfinished(rounds)
        except Refused as refusal:
            words = {"division": stage.division.name, "stage": stage.name, "sentence": refusal.message}
            raise Refused(_("%(division)s, %(stage)s: %(sentence)s") % words) from refusal
    if not Sheet.objects.current().filter(table__round__stage__in=stages).exists():
        raise Refused(_("No results yet. Play a round first."))
    if competition.disputes.filter(closed_at=None).exists():
        raise Refused(_("A dispute is still open. Close it first."))
    if competition.penalties.filter(status=Penalty.Status.REQUESTED, revoked_at=None).exists():
        raise Refused(_("A penalty awaits the chief referee. Have it approved or declined first."))


def reopen_competition(
    *, competition: Competition, reason: str, by: User, form: Sent | None = None
) -> Competition:
    with change(competition, by=by, form=form, even_finished=True) as done:
        if done.competition.finished_at is None:
            raise Refused(_("This competition is not finished."))
        if not reason.strip():
            raise Refused(WHY_REOPEN, field="reason")
        done.competition.finished_at = None
        done.competition.save(update_fields=["finished_at"])
        done.log("competition.reopen", f"competition:{competition.pk}", after={"reason": reason.strip()})
        done.answer = {"competition": competition.pk}
        return done.competition


def preset_rules(preset_slug: str, overrides: Mapping[str, object], *, by: User | None) -> RuleSet:
    """Return an unsaved copy of the preset with ``overrides``. Raises ``UnknownPreset`` or ``RulesError``."""
    return copied_rules(preset_slug, resolve(preset_slug, overrides).as_values(), by=by)


def _create_division(
    done: Change, name: str, rules: RuleSet, stage_name: str, play: str = Stage.Play.ROUNDS
) -> Division:
    division = Division.objects.create(
        **last_place(done.competition.divisions.all(), name, fallback="division"),
        competition=done.competition,
        name=name,
        rule_set=take_to_play(rules, league_id=done.competition.league_id),
    )
    stored = division.rule_set
    done.log(
        "division.create",
        f"division:{division.pk}",
        after={"slug": division.slug, **describe_origin(stored), "values": stored.values},
    )
    is_season = done.competition.kind == Competition.Kind.SEASON
    first = FIRST_STAGE if is_season else FIRST_STAGE_OF_TOURNAMENT
    first = FIRST_STAGE_OF_CLUB if play == Stage.Play.OPEN else first
    create_stage(done, division, stage_name or first, Stage.Carry.NONE, play=play)
    return division
