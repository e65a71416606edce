"""The shapes of pages: where a button leads."""

import pytest
from django.urls import reverse

from tests.factories import club, signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("there", ["陳 ", "standings:competition", "a b"])
def test_an_address_that_a_button_sent_is_never_read_as_the_name_of_a_page(there):
    here = club()

    answer = signed_in(here.alice).post(
        reverse("stages:undo", args=[here.slug, here.stage.pk]), {"next": there}
    )

    assert answer.status_code == 302
