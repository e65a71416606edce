"""Leagues, competitions, divisions and stages: made and changed."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.models import Competition, Division, League, RuleSet, Stage
from league.services.changes import Change, Form, change
from league.services.errors import Refused
from players.models import Register
from scoring.presets import preset, resolve
from scoring.standings import DEFAULT_TIE_BREAKS


def create_league(*, name: str, slug: str = "", by: User | None) -> League:
    """A league with its own empty register; ``by`` owns it. An empty ``slug`` is made from the name."""
    with transaction.atomic():
        # Two people may choose the same address at once: the unique column refuses the second.
        slug = slug or free_slug(name, set(League.objects.values_list("slug", flat=True)), fallback="league")
        if League.objects.filter(slug=slug).exists():
            raise Refused(_("Another league has this address. Choose another one."), field="slug")
        league = League.objects.create(name=name, slug=slug, register=Register.objects.create(name=name))
        if by is not None:
            league.owners.add(by)
        return league


def create_competition(
    *,
    league: League,
    name: str,
    slug: str = "",
    preset_slug: str,
    overrides: Mapping[str, object] | None = None,
    kind: str = Competition.Kind.SEASON,
    timezone: str = "UTC",
    visibility: str = Competition.Visibility.PUBLIC,
    division_names: Sequence[str] = (),
    stage_name: str = "",
    by: User | None,
) -> Competition:
    """A competition with its divisions (one called as ``preset``'s if none is named), each with one stage.

    Raises ``scoring.rules.RulesError`` when the overrides make no valid rule set, ``UnknownPreset``, and
    ``Refused`` when the address is taken.
    """
    with transaction.atomic():
        slug = slug or free_slug(
            name, set(Competition.objects.values_list("slug", flat=True)), fallback="competition"
        )
        if Competition.objects.filter(slug=slug).exists():
            raise Refused(_("Another competition has this address. Choose another one."), field="slug")
        competition = Competition.objects.create(
            league=league,
            name=name,
            slug=slug,
            kind=kind,
            timezone=timezone,
            visibility=visibility,
            tie_breaks=list(DEFAULT_TIE_BREAKS),
        )
        with change(competition, by=by) as done:
            done.log(
                "competition.create",
                f"competition:{competition.pk}",
                after={"slug": slug, "preset": preset_slug},
            )
            for division_name in division_names or (str(_("Main")),):
                division = _division(done, division_name, preset_slug, overrides or {})
                _stage(done, division, stage_name or str(_("Regular season")), Stage.Carry.NONE)
        return competition


def add_division(
    *,
    competition: Competition,
    name: str,
    preset_slug: str,
    overrides: Mapping[str, object] | None = None,
    stage_name: str = "",
    by: User | None,
    form: Form | None = None,
) -> Division:
    """One more division, with its own copy of the rule set's values and one stage."""
    with change(competition, by=by, form=form) as done:
        division = _division(done, name, preset_slug, overrides or {})
        _stage(done, division, stage_name or str(_("Regular season")), Stage.Carry.NONE)
        done.answer = {"division": division.pk}
        return division


def add_stage(
    *, division: Division, name: str, carry: str = Stage.Carry.NONE, by: User | None, form: Form | None = None
) -> Stage:
    """One more stage at the end of the division; ``carry`` is what it brings in from the stage before."""
    with change(division.competition, by=by, form=form) as done:
        stage = _stage(done, division, name, carry)
        done.answer = {"stage": stage.pk}
        return stage


def update_competition(
    *, competition: Competition, values: Mapping[str, object], by: User, form: Form | None = None
) -> Competition:
    """Change fields of the competition (name, timezone, visibility, tie_breaks, …), logged old and new."""
    with change(competition, by=by, form=form) as done:
        before = {name: getattr(done.competition, name) for name in values}
        for name, value in values.items():
            setattr(done.competition, name, value)
        done.competition.save(update_fields=list(values))
        done.log("competition.update", f"competition:{competition.pk}", before=before, after=values)
        done.answer = {"competition": competition.pk}
        return done.competition


def make_rule_set(
    preset_slug: str, overrides: Mapping[str, object], values: Mapping[str, object] | None = None
) -> RuleSet:
    """A stored copy of the resolved values. Raises ``UnknownPreset`` or ``RulesError``."""
    rules = resolve(preset_slug, overrides, values)
    return RuleSet.objects.create(
        preset=preset_slug, edition=preset(preset_slug).edition, values=rules.as_values()
    )


def free_slug(name: str, taken: set[str], *, fallback: str) -> str:
    """An address made from ``name`` that is not in ``taken``; a name in CJK script falls back."""
    base = slugify(name)[:50] or fallback
    candidates = (base if n == 1 else f"{base}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def _division(done: Change, name: str, preset_slug: str, overrides: Mapping[str, object]) -> Division:
    taken = set(done.competition.divisions.values_list("slug", flat=True))
    division = Division.objects.create(
        competition=done.competition,
        name=name,
        slug=free_slug(name, taken, fallback="division"),
        position=len(taken) + 1,
        rule_set=make_rule_set(preset_slug, overrides),
    )
    after = {"slug": division.slug, "preset": preset_slug, "values": division.rule_set.values}
    done.log("division.create", f"division:{division.pk}", after=after)
    return division


def _stage(done: Change, division: Division, name: str, carry: str) -> Stage:
    taken = set(division.stages.values_list("slug", flat=True))
    stage = Stage.objects.create(
        division=division,
        name=name,
        slug=free_slug(name, taken, fallback="stage"),
        position=len(taken) + 1,
        carry=carry,
    )
    done.log(
        "stage.create",
        f"stage:{stage.pk}",
        after={"division": division.pk, "slug": stage.slug, "carry": carry},
    )
    return stage
