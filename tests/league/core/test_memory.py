"""The cache has one revision of each value."""

from league.core.memory import newest


def test_a_new_revision_takes_the_place_of_the_one_before():
    made = []

    def ask(revision: int) -> str:
        return newest("standings", revision, lambda: made.append(revision) or f"as of {revision}")

    assert [ask(1), ask(1), ask(2), ask(2), ask(1)] == ["as of 1", "as of 1", "as of 2", "as of 2", "as of 1"]
    assert made == [1, 2, 1]
