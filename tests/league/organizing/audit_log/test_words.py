"""The audit log in words: every action has a label, every kind of value is readable."""

import ast
import re
from pathlib import Path

import pytest
from django.db.models import BooleanField
from django.utils import timezone, translation

from league.models import AuditEntry, Competition
from league.organizing.audit_log.words.actions import audit_action
from league.organizing.audit_log.words.entries import MODEL_LABELS, OTHER_LABELS, ChangedField, in_words

ROOMS = Path(__file__).resolve().parents[4] / "league"
NAMES = {"player": {1: "陳大文", 2: "山田太郎"}, "table": {7: "round 3, table 2"}}


def codes(source: str) -> set[str]:
    """Return every text with the form of an action."""
    texts = (n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant))
    return {text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z]+\.[a-z_]+", text)}


def test_every_action_that_a_service_logs_has_words():
    logged = set().union(
        *(codes(path.read_text(encoding="utf-8")) for path in ROOMS.rglob("*.py") if "services" in str(path))
    )
    assert {"result.record", "round.open", "roster.enter", "competition.create", "penalty.revoke"} <= logged
    assert {"dispute.step", "evidence.add", "call.take", "clock.start", "ban.waive", "player.expel"} <= logged

    assert [code for code in sorted(logged) if audit_action(code) == code] == []


def test_an_unknown_action_is_shown_as_it_is_kept():
    assert audit_action("round.juggle") == "round.juggle"


def changes(before: dict | None, after: dict | None, *, target: str = "table:7") -> list[ChangedField]:
    entry = AuditEntry(
        action="result.record", target=target, before=before, after=after, at=timezone.now(), hash="a" * 64
    )
    line = in_words(entry, NAMES)
    assert line.short_hash == "a" * 10
    return list(line.changes)


def test_only_what_differs_is_shown():
    before = {"version": 1, "points": [28700, 31200, 25000, 15100], "sticks": 0, "reason": ""}
    after = {"version": 2, "points": [27800, 32100, 25000, -5200], "sticks": 0, "reason": "typed wrong"}

    assert changes(before, after) == [
        ChangedField("version", "1", "2"),
        ChangedField(
            "raw points, east first", "28,700 / 31,200 / 25,000 / 15,100", "27,800 / 32,100 / 25,000 / −5,200"
        ),
        ChangedField("reason", "–", "typed wrong"),
    ]


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("player", 1, ("player", "陳大文")),
        ("player", 9, ("player", "no. 9 (deleted)")),
        ("players", {"5": 1, "6": 2}, ("players", "陳大文, 山田太郎")),
        ("players", 24, ("players", "24")),  # of an import, which logs how many there were
        ("12", [1, 2], ("table 12", "陳大文, 山田太郎")),
        ("score", -20, ("score", "−2.0")),
        ("status", "void", ("status", "void")),
        ("role", "referee", ("role", "referee")),
        ("suggest_fourth", False, ("suggest the fourth score while a score sheet is entered", "no")),
        ("tie_breaks", ["firsts"], ("tie-breaks", "More first places")),
        ("changed", ["name", "romanized"], ("also changed", "name, romanized name")),
        ("seats", [1, 2, 3], ("seats", "3 moved")),
        ("hand", "S2.1", ("hand", "South 2, honba 1")),
        ("hand", "X9", ("hand", "X9")),  # of another edition: as it is kept
        ("step", "objection", ("step", "objection heard")),
        ("condition", 0, ("condition", "no. 1 of the offence")),
        ("penalties_shown", "scores", ("penalties shown to visitors", "only what the standings deduct")),
        ("expulsion", "substitute", ("seats of an expelled player", "a substitute plays on")),
        ("together", "5f2b0e0e", ("penalized together with others", "yes")),
        ("win_ban", True, ("win ban for this hand", "yes")),
        ("until", "2027-03-31", ("until", "2027-03-31")),
        ("anything_new", {"x": [1]}, ("anything new", "{'x': [1]}")),
    ],
)
def test_values_are_readable(field, value, shown):
    assert changes(None, {field: value}) == [ChangedField(shown[0], None, shown[1])]
    assert changes({field: value}, None) == [ChangedField(shown[0], shown[1], None)]


@pytest.mark.parametrize("field", Competition._meta.concrete_fields, ids=str)
def test_a_setting_has_the_label_and_the_choices_of_its_model(field):
    value, text = next(iter(field.flatchoices), (True, "yes"))
    label = OTHER_LABELS.get(field.name, field.verbose_name)

    if field.choices or isinstance(field, BooleanField):
        assert changes(None, {field.name: value}) == [ChangedField(str(label), None, str(text))]


def test_no_label_of_a_model_is_written_again():
    again = [name for name, label in OTHER_LABELS.items() if str(MODEL_LABELS.get(name)) == str(label)]

    assert again == []


def test_a_field_that_is_empty_on_the_only_side_is_left_out():
    assert changes(None, {"reason": "", "level": None, "version": 1}) == [ChangedField("version", None, "1")]


def test_changed_rules_are_shown_setting_by_setting():
    before = {"preset": "ema-2016", "values": {"start_points": 30000, "red_fives": 0}}
    after = {"preset": "ema-2016", "values": {"start_points": 25000, "red_fives": 0}}

    with translation.override("en"):
        [change] = changes(before, after, target="division:1")

    assert (change.before, change.after) == ("30,000", "25,000")


def test_a_long_list_of_names_is_cut():
    [change] = changes(None, {"players": {str(i): 1 for i in range(30)}})

    assert change.after is not None
    assert change.after.endswith("and 18 more")


def test_moving_to_another_edition_says_which_why_and_how_much_changed():
    before = {"preset": "tenhou", "book": 4, "edition": 1, "values": {"honba": 300}}
    after = {
        **{"preset": "tenhou", "book": 4, "edition": 2, "reason": "voted"},
        **{"scores_changed": 8, "ranks_changed": 0, "values": {"honba": 600}},
    }

    assert changes(before, after, target="division:1") == [
        ChangedField("edition", "1", "2"),
        ChangedField("reason", None, "voted"),
        ChangedField("scores changed", None, "8"),
        ChangedField("ranks changed", None, "0"),
        ChangedField("Points per honba", "300", "600"),
    ]
    [gone] = changes(before, {**before, "book": 5}, target="division:1")
    assert gone == ChangedField("own rules", "no. 4 (deleted)", "no. 5 (deleted)")
