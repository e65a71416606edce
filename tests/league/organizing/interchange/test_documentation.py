"""The page about the competition file says what the schema says."""

from docs.competition_file import PAGE, describe_file


def test_the_page_is_what_the_schema_makes_of_it():
    """``python -m docs.competition_file`` writes it again."""
    assert PAGE.read_text(encoding="utf-8") == describe_file()
