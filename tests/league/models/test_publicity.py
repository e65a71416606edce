"""Each field of a competition or round either hides nothing or decides what visitors see."""

import pytest

from league.core.changes import change
from league.models import Competition, Round
from league.models.publicity import HIDES_NOTHING, WITHHELD, public_fields, public_settings
from tests.factories import club, revision
from tests.other_values import values_of

MODELS = (Competition, Round)


@pytest.mark.parametrize("model", MODELS)
def test_each_field_either_withholds_something_or_hides_nothing(model):
    undecided = {field.name for field in model._meta.concrete_fields} - WITHHELD[model].keys()
    undecided -= HIDES_NOTHING[model]

    assert not undecided, (
        f"Can {model.__name__}.{min(undecided)} keep something from visitors? If not, add it to "
        "HIDES_NOTHING in league/models/publicity.py. If it can, add it to WITHHELD there, with what each of "
        "its values withholds. tests/test_withheld.py then reads every page and file for it as a visitor."
    )


@pytest.mark.parametrize("model", MODELS)
def test_no_field_is_in_both_lists_or_gone(model):
    assert WITHHELD[model].keys() & HIDES_NOTHING[model] == set()
    assert {*WITHHELD[model], *HIDES_NOTHING[model]} <= {field.name for field in model._meta.concrete_fields}


@pytest.mark.parametrize(("model", "name"), [(model, name) for model in MODELS for name in WITHHELD[model]])
def test_some_values_of_a_field_withhold_something_and_one_withholds_nothing(model, name):
    assert set() < WITHHELD[model][name].keys() < set(values_of(model._meta.get_field(name)))


def test_a_field_in_neither_list_decides_what_visitors_see(monkeypatch):
    monkeypatch.setitem(HIDES_NOTHING, Competition, HIDES_NOTHING[Competition] - {"takes_calls"})  # type: ignore[arg-type]

    assert "takes_calls" in public_fields.__wrapped__(Competition)


@pytest.mark.django_db
@pytest.mark.parametrize("public", [False, True])
def test_a_change_that_keeps_public_pages_sets_nothing_that_decides_about_them(public):
    here = club()
    before = revision(here.competition), public_settings(Competition.objects.get())

    def hide() -> None:
        with change(here.competition, by=here.alice, public=public) as done:
            done.competition.shows_chances = False
            done.competition.save(update_fields=["shows_chances"])

    if public:
        hide()
        assert revision(here.competition) == before[0] + 1
    else:
        with pytest.raises(ValueError, match="shows_chances of the competition decides what visitors see"):
            hide()
        assert (revision(here.competition), public_settings(Competition.objects.get())) == before
