"""Each field of a competition or round either hides nothing or decides what visitors see."""

import pytest
from django.db import models

from league.core.changes import change
from league.models import Competition, Round
from league.models.publicity import public_fields, public_settings
from tests.factories import club, revision

MODELS = (Competition, Round)
FREE_VALUES = ()  # public fields that are neither yes-or-no nor a choice, such as "competition.hidden_until"


@pytest.mark.parametrize("model", MODELS)
def test_each_new_field_is_decided_about(model):
    undecided = [
        field.name
        for field in model._meta.concrete_fields
        if not (field.choices or isinstance(field, models.BooleanField))
        and field.name not in model.HIDES_NOTHING
        and f"{model._meta.model_name}.{field.name}" not in FREE_VALUES
    ]
    assert not undecided, (
        f"Can a change of {model.__name__}.{undecided[0]} hide something from visitors? If not, add it to "
        f"{model.__name__}.HIDES_NOTHING. If it can, add it to FREE_VALUES here: visitors then never get a "
        "file that was made before the change."
    )


@pytest.mark.parametrize("model", MODELS)
def test_what_is_said_to_hide_nothing_is_a_field(model):
    assert model.HIDES_NOTHING - {field.name for field in model._meta.concrete_fields} == set()


def test_settings_that_hide_something_are_found_without_a_list():
    hidden_by = {"visibility", "penalties_shown", "names_misconduct", "shows_hands", "shows_chances"}

    assert hidden_by <= set(public_fields(Competition))
    assert {"visibility", "announced"} <= set(public_fields(Round))


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
