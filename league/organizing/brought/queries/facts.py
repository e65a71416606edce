"""What a list of results says: its tables, or its points without tables, and the problems in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.matching import exact_key


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that prevents saving. ``row`` 0 means the whole list."""

    row: int
    code: str
    params: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return str(_SENTENCES[self.code]) % dict(self.params)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A table with its four players. With ``has_seats`` they are in the order of the winds, east first.

    ``scores``: those that the list has beside the points, for comparison.
    """

    rows: tuple[int, ...]
    day: date | None = None
    round: str = ""
    table: str = ""
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    scores: tuple[Decimal | None, ...] = ()
    sticks: int = 0
    has_seats: bool = False
    problems: tuple[str, ...] = ()

    @property
    def row(self) -> int:
        return self.rows[0]


@dataclass(frozen=True, slots=True)
class Part:
    """A score in tenths without a table: of a round, or the total of ``games``."""

    note: str
    score: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """A player of a list without tables."""

    row: int
    name: str
    parts: tuple[Part, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        return sum(part.score for part in self.parts)

    @property
    def games(self) -> int:
        return sum(part.games for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A list of results: of tables, or of balances. ``columns``: (heading or "", field or "").

    ``unneeded``: headings that are understood, such as Rank, and say nothing that is saved.
    ``order``: of days and months, if the list has dates that may be read in both. ``sheet``: the one that was
    read of the workbook's ``sheets``. ``separators``: see ``Cells``.
    """

    games: tuple[Game, ...] = ()
    balances: tuple[Balance, ...] = ()
    problems: tuple[Problem, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    unneeded: tuple[str, ...] = ()
    titles: int = 0
    order: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, int]:
        """Return each name with its first row. Case, width and spaces make no other name."""
        first: dict[str, tuple[str, int]] = {}
        for game in self.games:
            rows = game.rows if len(game.rows) == len(game.names) else game.rows[:1] * len(game.names)
            for name, row in zip(game.names, rows, strict=True):
                if exact_key(name):
                    first.setdefault(exact_key(name), (name, row))
        for balance in self.balances:
            if exact_key(balance.name):
                first.setdefault(exact_key(balance.name), (balance.name, balance.row))
        return dict(first.values())


_SENTENCES: Mapping[str, str | Promise] = {
    "empty": _("This list has no results."),
    "is_json": _(
        "This is JSON and not a list of results. Games of a server belong on the page “Game logs”, and a "
        "competition file on the page “Import competition file” of the league."
    ),
    "is_vcard": _("These are contacts (vCard) and not a list of results."),
    "too_many": _("A list has at most %(most)s rows. This one has more. Bring it in parts."),
    "too_wide": _("A list has at most %(most)s columns. This one has more. Bring it in parts."),
    "no_columns": _(
        "The columns with players and points were not found. Choose below what each column is. A list has a "
        "row for each player and game (day, round, table, player, points), a row for each table (day, "
        "four players, four points), or a row for each player with the scores of rounds or a total."
    ),
    "no_day": _("“%(text)s” is not a day. Enter it as 2026-03-14."),
    "players": _("This table has %(count)s players instead of 4."),
    "missing_name": _("The name is missing."),
    "twice": _("%(name)s is at this table twice."),
    "missing_points": _("%(name)s has no points."),
    "no_number": _("%(name)s: “%(text)s” is not a number of points."),
    "seats": _("The seats of this table are not the four winds, each once."),
    "scores": _(
        "The four numbers sum to 0: these are scores with uma, not points. Bring the points at the end of "
        "the game."
    ),
    "no_score": _("%(name)s: “%(text)s” is not a score."),
    "decimals": _("%(name)s: “%(text)s” has more than one decimal."),
    "raw_points": _(
        "These numbers look like points at the end of games. Who played together is missing, so they make no "
        "scores. Bring a row for each player and game, or a row for each table."
    ),
    "listed_twice": _("%(name)s is in this list twice."),
    "no_games": _("%(name)s: “%(text)s” is not a number of games."),
    "other_total": _("%(name)s: the rounds sum to %(sum)s, but the total is %(total)s."),
    "no_deposits": _("“%(text)s” is not a number of riichi deposits."),
}
