"""Sentences about rows that replacing a competition removes, and what the workbook's headings mean."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.text import listed
from scoring.standings import TIE_BREAKS


def losses_words(losses: Mapping[str, int]) -> str:
    """Return "2 disputes, 3 photographs", or an empty text."""
    words = {
        "disputes": lambda n: ngettext("%(count)s dispute", "%(count)s disputes", n),
        "photographs": lambda n: ngettext("%(count)s photograph", "%(count)s photographs", n),
        "calls": lambda n: ngettext("%(count)s referee call", "%(count)s referee calls", n),
        "presences": lambda n: ngettext(
            "%(count)s entry of an attendance list", "%(count)s entries of attendance lists", n
        ),
    }
    return listed(words[what](count) % {"count": count} for what, count in losses.items() if count)


def removal_question(name: str, losses: Mapping[str, int]) -> str:
    said = {"name": name, "losses": losses_words(losses), "count": sum(losses.values())}
    return (
        _(
            "The file does not contain everything in “%(name)s”. These are permanently removed: "
            "%(losses)s. Enter %(count)s to confirm, and choose the file again."
        )
        % said
    )


ONCE = frozenset({"round_score", "stage_total"})  # headings that differ by the number of the round
# Explanations of columns, by their keys, where the columns have no hints of their own.
HEADINGS: Mapping[str, Promise] = {
    "rank": gettext_lazy(
        "Place in the ranking. Tied players share it. Empty without a game, or with too few games."
    ),
    "name": gettext_lazy("Name of the player or team."),
    "romanized": gettext_lazy("The name in Latin letters."),
    "country": gettext_lazy("Country, two letters."),
    "club": gettext_lazy("Club of the player."),
    "games": gettext_lazy("Games that count."),
    "beyond": gettext_lazy("Games beyond the standard number, which do not count."),
    "missing": gettext_lazy("Games still needed for a rank."),
    "total": gettext_lazy(
        "Score, penalties, rounds not played, points carried in and carried over, added up."
    ),
    "brought": gettext_lazy("Points of a list without tables."),
    "brought_games": gettext_lazy(
        "Games of a list without tables. They count for the valid number of games."
    ),
    "score": gettext_lazy(
        "In thousands of points: +12.3 is 12,300 points. Of a game: points, uma, oka and all the rest. "
        "Of a penalty: its deduction."
    ),
    "penalty": gettext_lazy("Sum of the penalties."),
    "head_start": gettext_lazy("Points given by the cut, which are part of the points carried over."),
    "firsts": gettext_lazy("Games that ended in this place."),
    "seconds": gettext_lazy("Games that ended in this place."),
    "thirds": gettext_lazy("Games that ended in this place."),
    "fourths": gettext_lazy("Games that ended in this place."),
    "average_place": gettext_lazy("Average of the places in the games that count."),
    "chip_score": gettext_lazy("Score of the chips won or lost. It is part of the score."),
    "player": gettext_lazy(
        "Code of a player or team. It is the same in every file and tells two of the same name apart."
    ),
    "team": gettext_lazy("Team of the player, at a table the team in that round."),
    "deducted": gettext_lazy("Penalties of the team itself. They are part of its penalties."),
    "division": gettext_lazy("Group of players with the same rules and one ranking."),
    "stage": gettext_lazy("Part of the division’s competition, such as preliminaries or a final."),
    "round": gettext_lazy("Number of the round in its stage."),
    "date": gettext_lazy(
        "Day of the game. If the round has no date, it is the day of its first score sheet, if the event "
        "has days."
    ),
    "table": gettext_lazy("Number of the table in its round."),
    "wind": gettext_lazy("Seat at the start of the game. East is the first dealer."),
    "points": gettext_lazy("Points at the end of the game."),
    "place": gettext_lazy("Place at the table, 1 to 4."),
    "uma": gettext_lazy("Points for the place."),
    "oka": gettext_lazy(
        "The difference between starting and return points of all four. It goes to first place."
    ),
    "sticks": gettext_lazy("Riichi deposits left on the table that count for this player."),
    "sashiuma": gettext_lazy("Points won or lost by naming another player or being named."),
    "raw_score": gettext_lazy(
        "Points minus return points, in thousands, rounded by the rules. With uma, oka, deposits, "
        "sashiuma and the value of chips it makes the score."
    ),
    "sum": gettext_lazy("Sum of the four scores."),
    "status": gettext_lazy(
        "Entered: one person typed the score sheet. Confirmed: a second person checked it. Void: it does "
        "not count."
    ),
    "round_score": gettext_lazy("Score in this round, with points for a round not played."),
    "stage_total": gettext_lazy("Total at the end of this stage."),
    "east": gettext_lazy("Player in this seat."),
    "south": gettext_lazy("Player in this seat."),
    "west": gettext_lazy("Player in this seat."),
    "north": gettext_lazy("Player in this seat."),
    "logged_at": gettext_lazy("Time in the zone that the heading names."),
    "revoked_at": gettext_lazy("Time in the zone that the heading names."),
    "offence": gettext_lazy("Offence in the penalty rules."),
    "level": gettext_lazy("Level of the penalty in its rules."),
    "state": gettext_lazy(
        "Empty for a penalty in force. Other penalties are pending, declined or revoked and do not count."
    ),
    "reason": gettext_lazy("Remark of the referee."),
    "revoke_reason": gettext_lazy("Why the penalty was revoked or declined."),
    "by": gettext_lazy("Account of the person who did it."),
    "revoked_by": gettext_lazy("Account of the person who did it."),
    "count": gettext_lazy("Number of penalties."),
    "substitute": gettext_lazy("Yes for a player who only sits for others and has no rank."),
    "guest": gettext_lazy("Yes for a player from outside the club."),
    "withdrawn": gettext_lazy("Yes for a player who has left the competition."),
    "group": gettext_lazy("Part of the rules."),
    "setting": gettext_lazy("Setting of the rule set."),
    "value": gettext_lazy("Value of the setting or fact."),
    "changed": gettext_lazy("The organizer’s own value, and the value in the source."),
    "document": gettext_lazy("Source of the rule."),
    "article": gettext_lazy("Place in the document."),
    "note": gettext_lazy("Remark about the source."),
    "what": gettext_lazy("Fact about the competition or this file."),
    # of the sheets that recalculate the workbook
    "number": gettext_lazy("Row of the player in the list of players, by which sums find the games."),
    "seat": gettext_lazy("Seat at the start of the game, 1 for east to 4 for north."),
    "late": gettext_lazy("1 for a substitute who came after play had begun and takes the last place."),
    "order": gettext_lazy("Order among players who are equal in the columns before, as the rules decide it."),
    "named": gettext_lazy("Seat that this player named for sashiuma."),
    "order_key": gettext_lazy("Points with what the rules put behind them, for the ranking of the table."),
    "by_points": gettext_lazy("Place at the table by points."),
    "equal": gettext_lazy("Number of players who share the place."),
    "nearest": gettext_lazy("1 for the first of them from east, who may get a remainder."),
    "rounded": gettext_lazy("Change by rounding to thousands. The first takes the balance."),
    "base": gettext_lazy("Points minus return points, in thousands, rounded by the rules."),
    "place_points": gettext_lazy("Uma and oka together, shared by players in the same place."),
    "paid": gettext_lazy("What this player pays to each player who named them for sashiuma."),
    "before": gettext_lazy("Score before chips, for the places with sashiuma."),
    "played": gettext_lazy("1 if the result counts and the player is not a substitute."),
    "counts": gettext_lazy("1 if the game counts for its player."),
    "deductions": gettext_lazy("Sum of the penalties that deduct."),
    "best_score": gettext_lazy("Highest score in one game."),
    "class": gettext_lazy("0 with a rank, 1 with too few games, 2 without a game."),
    **dict.fromkeys(
        (f"tie_{index}" for index in range(len(TIE_BREAKS))),
        gettext_lazy("Value of a tie-break. The smaller one comes first."),
    ),
}
FEDERATION_NUMBER = gettext_lazy("Number of the player in this federation.")
