"""Change the rules of a division. A played division needs a look at the effects, and a reason."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import OutOfDate, Refused
from league.core.text import MOST_NAMED, listed
from league.models import Division, RuleSet, Sheet
from league.organizing.division_rules.queries import Effect, effect_of
from league.rules.penalty_rules.queries import left_behind
from league.rules.rule_sets.services import describe_origin, take_to_play

WHY = _("Give a reason for changing the rules. It is kept in the audit log.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The version and the fingerprint of the rules that the organizer saw in the preview."""

    version: int
    rules: str


def change_rules(
    *,
    division: Division,
    to: RuleSet,
    seen: Seen | None = None,
    reason: str = "",
    by: User,
    form: Sent | None = None,
) -> Division:
    """Give the division other rules: an edition, or an unsaved copy. The old values stay in the log.

    If results or words of penalties change (``needs_a_look``), ``seen`` and ``reason`` are needed. Raises
    ``OutOfDate`` if the effect is not as seen, ``Refused`` if sheets are impossible under the new rules.
    """
    with change(division.competition, by=by, form=form) as done:
        division = reread(Division.objects.select_related("competition", "rule_set__book"), pk=division.pk)
        old, results = division.rule_set, {}
        keep_catalogue(to, old)
        if needs_a_look(division, to):
            results = _check_effect(done, division, to, seen=seen, reason=reason)
        new = take_to_play(to, league_id=done.competition.league_id, seen=seen.rules if seen else None)
        division.rule_set = new
        division.save(update_fields=["rule_set"])
        done.log(
            "division.rules",
            f"division:{division.pk}",
            before={**describe_origin(old), "values": old.values},
            after={**describe_origin(new), **results, "values": new.values},
        )
        RuleSet.objects.filter(pk=old.pk, book=None, divisions=None).delete()
        done.answer = {"division": division.pk}
        return division


def _check_effect(
    done: Change, division: Division, to: RuleSet, *, seen: Seen | None, reason: str
) -> dict[str, object]:
    # Read under the lock: a sheet may have come since the page was made, the first one too.
    if seen is None or seen.version + 1 != done.competition.version:  # which this change has raised
        raise OutOfDate(
            _("This competition has changed since you opened the page. These are the effects now.")
        )
    effect = effect_of(division, to)
    if refusal := explain_impossible(effect):
        raise Refused(refusal)
    if not reason.strip():
        raise Refused(WHY, field="reason")
    return {"reason": reason, "scores_changed": effect.scores, "ranks_changed": effect.ranks}


def explain_impossible(effect: Effect) -> str:
    """Return why a played division cannot have these rules, or an empty text."""
    if effect.other_start:
        return str(
            _(
                "The score sheets were checked with other starting points and would not add up under these "
                "rules. Add a division with these rules instead."
            )
        )
    if effect.impossible:
        tables = listed(f"{table.round}/{table.number}" for table in effect.impossible[:MOST_NAMED])
        return str(
            _(
                "These score sheets are impossible under the new rules (round/table): %(tables)s. Correct "
                "them, or add a division with these rules instead."
            )
            % {"tables": tables}
        )
    return ""


def keep_catalogue(to: RuleSet, now: RuleSet) -> None:
    """Keep the division's penalty rules in a copy."""
    if to.book_id is None:
        to.catalogue, to.own_catalogue = now.catalogue, now.own_catalogue


def needs_a_look(division: Division, to: RuleSet) -> bool:
    """Return True if a sheet was entered, or a penalty names an offence that ``to`` lacks."""
    return has_sheets(division) or bool(left_behind(division, to))


def has_sheets(division: Division) -> bool:
    return Sheet.objects.filter(table__round__stage__division=division).exists()
