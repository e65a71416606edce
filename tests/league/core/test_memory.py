"""The cache has one revision of each value."""

from league.core.memory import newest


def test_a_new_revision_takes_the_place_of_the_one_before():
    made = []

    def ask(revision: int) -> str:
        return newest("standings", revision, lambda: made.append(revision) or f"as of {revision}")

    assert [ask(1), ask(1), ask(2), ask(2), ask(1)] == ["as of 1", "as of 1", "as of 2", "as of 2", "as of 1"]
    assert made == [1, 2, 1]


def test_what_another_release_has_cached_is_made_again(monkeypatch):
    made = []

    def ask() -> int:
        return newest("standings", 1, lambda: made.append(1) or len(made))

    ask()
    monkeypatch.setattr("league.core.memory.release", lambda: "the next one")

    assert (ask(), ask()) == (2, 2)
