from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.core.charts import Bar
from league.core.tables import Column, Inside, Rows, ScoreColumn
from league.core.tags import average
from league.extras.statistics.rules.hands import HandStatistics
from league.extras.statistics.rules.ratings import Mers, Skill
from league.extras.statistics.rules.sheets import HeadToHead
from league.extras.statistics.templatetags.statistics import decimal
from league.extras.statistics.words import number_cell, number_columns
from league.models import Entrant
from league.people.members.queries import PlayerInfo
from league.ranking.standings.columns import places_bar

LOW_IS_GOOD = ("dealt_in", "loss_points")  # numbers of hands


class NumberColumn(Column):
    """A number, as the filter ``words`` writes it."""

    def __init__(
        self, heading: Any, words: Callable[[Any], str], *, css: str = "number", **options: Any
    ) -> None:
        super().__init__(heading, **{"attrs": {"th": {"class": "number"}, "td": {"class": css}}} | options)
        self.words = words

    def render(self, value: Any) -> str:
        return self.words(value)


def _player(css: str = "name") -> Inside:
    return Inside("statistics/_entrant.html", _("Player"), css=css, heads_row=True)


# --- ratings


class RatedPlayer(NamedTuple):
    rank: int
    entrant: Entrant
    rated: Skill | Mers


class RatingsTable(Rows):
    """The players of a league by openskill."""

    caption = _("Ratings")
    css = "table-hover align-middle"

    rank = Column(_("Rank"), css="number rank")
    player = _player()
    rating = NumberColumn(_("Rating"), decimal, accessor="rated__rating", css="number total")
    mu = NumberColumn(format_lazy("{} (μ)", _("Strength")), decimal, accessor="rated__mu")
    sigma = NumberColumn(format_lazy("{} (σ)", _("Uncertainty")), decimal, accessor="rated__sigma")
    games = Column(_("Games"), accessor="rated__games", css="number")


class MersTable(Rows):
    """The players of a league by MERS."""

    caption = _("Ratings")
    css = "table-hover align-middle"

    rank = Column(_("Rank"), css="number rank")
    player = _player()
    rating = NumberColumn(_("Rating"), average, accessor="rated__rating", css="number total")
    part_a = NumberColumn(_("Most results"), average, accessor="rated__part_a")
    part_b = NumberColumn(_("Best four"), average, accessor="rated__part_b")
    results = Column(_("Tournaments"), accessor="rated__results", css="number")


# --- hands


class PlayerHands(NamedTuple):
    entrant: Entrant
    hands: HandStatistics


class HandsTable(Rows):
    """Players with the numbers of their hands. A heading links to the list by its number ``by``."""

    caption = pgettext_lazy("statistics", "Hands")
    css = "table-hover align-middle table-sticky"

    player = _player("name sticky")
    hands = Column(pgettext_lazy("how many", "Hands"), accessor="hands__hands", css="number")

    def __init__(
        self,
        rows: Sequence[PlayerHands],
        questions: Sequence[str],
        *,
        by: str,
        query: str,
        request: HttpRequest,
        **options: Any,
    ) -> None:
        columns = [
            (question, _HandsColumn(question, name, is_chosen=question == by, query=query))
            for question, name in number_columns(questions)
        ]
        super().__init__(rows, request=request, extra_columns=columns, **options)


class _HandsColumn(Column):
    def __init__(self, question: str, name: Any, *, is_chosen: bool, query: str) -> None:
        heads = {"class": "number"}
        if is_chosen:
            heads["aria-sort"] = "ascending" if question in LOW_IS_GOOD else "descending"
        super().__init__(
            format_html('<a href="?{}by={}">{}</a>', query, question, name),
            accessor="hands",
            attrs={"th": heads, "td": {"class": "number"}},
        )
        self.question = question

    def render(self, value: HandStatistics) -> str:
        return number_cell(value, self.question)


# --- a player's competitions


class SeasonsTable(Rows):
    """The competitions of a player, newest first."""

    caption = _("Competitions")
    css = "align-middle figures"

    competition = Inside("statistics/_season.html", _("Competition"), heads_row=True)
    rank = Inside("statistics/_season_rank.html", _("Rank"), css="number")
    total = ScoreColumn(_("Total"), accessor="line__total", default="")
    games = Column(_("Games"), accessor="own__games", css="number")
    average = NumberColumn(_("Average place"), average, accessor="own__average_place")
    places = Column(_("Places 1 to 4"), accessor="own__places", attrs={"td": {"class": "places-bar"}})

    def render_places(self, value: tuple[int, ...]) -> SafeString:
        return SafeString(places_bar(value, gettext("Places 1 to 4")))


# --- a player's opponents


class OpponentLine(NamedTuple):
    """An opponent, the games against them, and the drawing of the average difference."""

    info: PlayerInfo
    against: HeadToHead
    bar: Bar | None


class OpponentsTable(Rows):
    """A player's opponents, the most frequent first."""

    caption = _("By opponent")
    css = "align-middle figures"

    opponent = Inside("statistics/_opponent.html", _("Opponent"), heads_row=True)
    games = Column(_("Games"), accessor="against__games", css="number")
    ahead = Column(
        pgettext_lazy("finished before the opponent", "Ahead"), accessor="against__ahead", css="number"
    )
    behind = Column(
        pgettext_lazy("finished after the opponent", "Behind"), accessor="against__behind", css="number"
    )
    average = ScoreColumn(_("Average difference"), accessor="against__average")
    bar = Inside("statistics/_opponent_bar.html", _("Average difference"), unseen=True, css="wide")
