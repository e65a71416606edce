"""Rules of divisions: changed until a sheet is there, then only with a look at the effects and a reason."""

import uuid

import pytest

from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.models import AuditEntry, RuleSet, Stage
from league.organizing.division_rules.services import Seen, change_rules
from league.play.results.services import void_result
from league.ranking.standings.queries.standings import standings
from league.rules.rule_sets.services import copied_rules, fingerprint
from scoring.presets import resolve
from tests.factories import as_seen, club, with_texts

pytestmark = pytest.mark.django_db


def other(here, slug="hkma-a-2025-04", **changed):
    return copied_rules(slug, {**resolve(slug).as_values(), **changed}, by=here.alice)


def seen(here, to):
    here.competition.refresh_from_db()
    return Seen(version=here.competition.version, rules=fingerprint(to))


def played():
    here = club()
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    return here


def test_rules_can_be_changed_until_the_first_sheet():
    here = club()
    before = here.division.rule_set.values
    changed = change_rules(division=here.division, to=other(here, leftover_sticks="nobody"), by=here.alice)
    assert changed.rules.leftover_sticks == "nobody"
    entry = AuditEntry.objects.filter(competition=here.competition).last()
    assert (entry.action, entry.before["values"], entry.after["values"]) == (
        "division.rules",
        before,
        {**before, "leftover_sticks": "nobody"},
    )
    assert "reason" not in entry.after
    assert RuleSet.objects.count() == 1


def test_a_played_division_moves_to_what_was_seen_and_the_log_says_what_changed():
    here = played()
    to = other(here, uma=[30, 20, -20, -30])
    changed = change_rules(
        division=here.division, to=to, seen=seen(here, to), reason="the league voted", by=here.alice
    )
    assert changed.rules.uma == (300, 200, -200, -300)
    entry = with_texts(AuditEntry.objects.filter(competition=here.competition).last())
    logged = {name: entry.after[name] for name in ("reason", "scores_changed", "ranks_changed")}
    assert logged == {"reason": "the league voted", "scores_changed": 2, "ranks_changed": 0}
    assert (entry.actor, entry.before["values"]["uma"]) == (here.alice, [30, 10, -10, -30])
    stage = Stage.objects.get(pk=here.stage.pk)
    totals = [row.row.total for row in standings(stage, public=True).rows if row.row.games]
    assert totals == [600, 200, -300, -500]


@pytest.mark.parametrize("versions", [None, -1, 1])
def test_a_played_division_stays_when_no_one_saw_what_would_change(versions):
    here = played()
    to = other(here, uma=[30, 20, -20, -30])
    shown = seen(here, to)
    stale = None if versions is None else Seen(version=shown.version - versions, rules=shown.rules)
    before = AuditEntry.objects.count()
    with pytest.raises(OutOfDate, match="These are the effects now"):
        change_rules(division=here.division, to=to, seen=stale, reason="x", by=here.alice)
    here.division.refresh_from_db()
    assert here.division.rules.uma == (300, 100, -100, -300)
    assert (AuditEntry.objects.count(), RuleSet.objects.count()) == (before, 1)


@pytest.mark.parametrize("reason", ["", "  "])
def test_why_the_rules_of_a_played_division_change_is_asked(reason):
    here = played()
    to = other(here, uma=[30, 20, -20, -30])
    with pytest.raises(Refused, match="Give a reason") as refused:
        change_rules(division=here.division, to=to, seen=seen(here, to), reason=reason, by=here.alice)
    assert (refused.value.field, RuleSet.objects.count()) == ("reason", 1)


def test_rules_with_another_start_are_refused_once_there_is_a_sheet_even_a_void_one():
    here = played()
    void_result(**as_seen(here.table()), reason="wrong table", by=here.alice)
    to = other(here, "mleague")
    with pytest.raises(Refused, match="other starting points"):
        change_rules(division=here.division, to=to, seen=seen(here, to), reason="x", by=here.alice)
    here.division.refresh_from_db()
    assert here.division.rule_set.preset == "hkma-a-2025-04"


def test_the_same_change_sent_twice_is_made_once():
    here = played()
    to, form = other(here, uma=[30, 20, -20, -30]), Sent.of(uuid.uuid4(), "typed")
    shown = seen(here, to)
    change_rules(division=here.division, to=to, seen=shown, reason="x", by=here.alice, form=form)
    with pytest.raises(AlreadyDone):
        change_rules(division=here.division, to=to, seen=shown, reason="x", by=here.alice, form=form)
    assert AuditEntry.objects.filter(action="division.rules").count() == 1
