"""Sentences for the codes that ``scoring`` speaks in: what is wrong, and what to do."""

from collections.abc import Callable, Mapping

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league.core.numbers import minus_sign, number
from league.core.text import sentences
from league.models import Seat
from scoring.checks import STICK, SheetProblem
from scoring.rules import Rules

WIND_NAMES = tuple(Seat.Wind.labels)


def _sum_short(params: Mapping[str, int]) -> str:
    sentence = _("%(missing)s missing: the four scores make %(sum)s, not %(total)s.") % {
        "missing": number(params["missing"]),
        "sum": number(params["sum"]),
        "total": number(params["total"]),
    }
    return sentences([sentence, _deposit_hint(params["missing"])]) if params.get("deposits") else sentence


def _deposit_hint(missing: int) -> str:
    if missing == STICK:
        return _("A riichi stick on the table?")
    return _("%(count)s riichi sticks on the table?") % {"count": missing // STICK}


_SHEET: dict[str, Callable[[Mapping[str, int]], str]] = {
    "missing_points": lambda p: _("Type this score."),
    "not_hundreds": lambda p: (
        _("Points are multiples of 100: %(points)s is not.") % {"points": number(p["points"])}
    ),
    "sum_short": _sum_short,
    "sum_over": lambda p: (
        _("%(excess)s too much: the four scores make %(sum)s, not %(total)s.")
        % {"excess": number(p["excess"]), "sum": number(p["sum"]), "total": number(p["total"])}
    ),
    "typed_in_points": lambda p: _("Type scores in hundreds: 287 for 28,700."),
    "sticks_negative": lambda p: _("Riichi deposits cannot be negative."),
    "sticks_not_thousands": lambda p: _("Riichi deposits are multiples of 1,000."),
    "very_high": lambda p: _("%(points)s is unusually high. Is it right?") % {"points": number(p["points"])},
    "very_low": lambda p: _("%(points)s is unusually low. Is it right?") % {"points": number(p["points"])},
    "all_at_start": lambda p: _("All four have the starting points. Was this hanchan played?"),
    "many_sticks": lambda p: (
        _("%(points)s in riichi deposits left on the table is a lot. Is it right?")
        % {"points": number(p["sticks"])}
    ),
}


def sheet_problem(problem: SheetProblem) -> str:
    """One problem of a score sheet as a sentence, with the seat in front where it belongs to one."""
    sentence = _SHEET[problem.code](problem.params)
    if problem.seat is None:
        return sentence
    return _("%(wind)s: %(sentence)s") % {"wind": WIND_NAMES[problem.seat], "sentence": sentence}


def in_language(names: Mapping[str, str]) -> str:
    """The name in the reader's language, else English, else any; one Chinese stands in for the other."""
    language = (get_language() or "en").lower()
    near = {"zh-hans": ("zh-hant",), "zh-hant": ("zh-hans",)}.get(language, ())
    for code in (language, *near, "en", "zh-hant"):
        if code in names:
            return names[code]
    return next(iter(names.values()), "")


def _signed(tenths: int) -> str:
    """Tenths as rule books write place points: +50, −7.5; ▲ for minus in Chinese and Japanese."""
    sign = minus_sign() if tenths < 0 else "+" if tenths > 0 else ""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{sign}{whole}.{tenth}" if tenth else f"{sign}{whole}"


def rules_summary(rules: Rules) -> str:
    """Start, return and place points in one line: 30,000 / 35,000 · +50/+10/−10/−30."""
    points = f"{number(rules.start_points)} / {number(rules.return_points)}"
    if rules.floating_uma is not None:
        return _("%(points)s · floating uma") % {"points": points}
    first, *others = rules.uma
    places = "/".join(_signed(tenths) for tenths in (first + rules.oka, *others))
    return _("%(points)s · %(places)s") % {"points": points, "places": places}


_TIE_BREAKS = {
    "penalty": (
        gettext_lazy("Fewer penalties"),
        gettext_lazy("Whoever lost less in penalties stands higher."),
    ),
    "average_place": (
        gettext_lazy("Better average place"),
        gettext_lazy("Whoever placed better on average stands higher."),
    ),
    "firsts": (
        gettext_lazy("More first places"),
        gettext_lazy("Whoever won more hanchan stands higher."),
    ),
    "seconds": (
        gettext_lazy("More second places"),
        gettext_lazy("Whoever came second more often stands higher."),
    ),
    "lasts": (
        gettext_lazy("Fewer fourth places"),
        gettext_lazy("Whoever came last less often stands higher."),
    ),
    "best_points": (
        gettext_lazy("Best raw points"),
        gettext_lazy("Whoever had the most points at the end of one hanchan stands higher."),
    ),
    "best_score": (
        gettext_lazy("Best score"),
        gettext_lazy("Whoever had the best score of one hanchan, uma included, stands higher."),
    ),
    "head_to_head": (
        gettext_lazy("Head to head"),
        gettext_lazy(
            "Whoever scored more in the hanchan in which all of the equal players sat at one table stands"
            " higher. If they never did, the next tie-break decides."
        ),
    ),
    "last_round": (
        gettext_lazy("Newest hanchan"),
        gettext_lazy("Whoever had the better score in their newest hanchan, uma included, stands higher."),
    ),
    "preliminary_rank": (
        gettext_lazy("Rank in the stage before"),
        gettext_lazy("Whoever ranked higher in the stage before stands higher."),
    ),
    "previous_rank": (
        gettext_lazy("Rank of last season"),
        gettext_lazy("Whoever ranked higher last season stands higher; who did not play then comes after."),
    ),
    "seat_order": (
        gettext_lazy("Seat order"),
        gettext_lazy(
            "Whoever sat nearer to east at the start of their newest hanchan stands higher: east, south,"
            " west, north."
        ),
    ),
    "lots": (
        gettext_lazy("Drawing lots"),
        gettext_lazy(
            "Lots are drawn, once, and the draw is recorded. Until then those who are equal share the rank."
        ),
    ),
}


def tie_break_label(name: str) -> str:
    """A tie-break in a few words."""
    return str(_TIE_BREAKS[name][0])


def tie_break_explanation(name: str) -> str:
    """A tie-break in one sentence."""
    return str(_TIE_BREAKS[name][1])


_ACTIONS = {
    "competition.create": gettext_lazy("made the competition"),
    "competition.import": gettext_lazy("imported the competition"),
    "competition.replace": gettext_lazy("replaced the competition by a file"),
    "competition.update": gettext_lazy("changed the settings"),
    "division.create": gettext_lazy("added a division"),
    "division.rules": gettext_lazy("changed the rules of a division"),
    "catalogue.choose": gettext_lazy("chose a catalogue of offences"),
    "catalogue.update": gettext_lazy("changed a catalogue of offences"),
    "stage.create": gettext_lazy("added a stage"),
    "stage.cut": gettext_lazy("made the cut to a stage"),
    "stage.undo": gettext_lazy("undid a stage"),
    "stage.play": gettext_lazy("said how a stage is played"),
    "stage.numbers": gettext_lazy("set the valid and standard numbers of hanchan"),
    "stage.play_off": gettext_lazy("made a play-off"),
    "division.movement": gettext_lazy("set who goes up and down"),
    "season.next": gettext_lazy("made the next season"),
    "lots.draw": gettext_lazy("drew lots"),
    "round.create": gettext_lazy("added a round"),
    "round.plan": gettext_lazy("planned matchdays"),
    "round.dates": gettext_lazy("changed the day of a round"),
    "table.propose": gettext_lazy("proposed a time for a table"),
    "table.agree": gettext_lazy("agreed to the time of a table"),
    "table.disagree": gettext_lazy("took back the agreement to a time"),
    "table.meet": gettext_lazy("completed the agreement on a table’s time"),
    "table.set_time": gettext_lazy("set the time of a table"),
    "table.postpone": gettext_lazy("postponed a table"),
    "table.restore": gettext_lazy("took a postponement back"),
    "table.make": gettext_lazy("made up a table of free play"),
    "role.feed": gettext_lazy("made a calendar address"),
    "round.seat": gettext_lazy("seated a round"),
    "seating.begin": gettext_lazy("began a seating"),
    "seating.accept": gettext_lazy("accepted a seating"),
    "seating.drop": gettext_lazy("dropped a seating"),
    "stage.sit_out": gettext_lazy("changed what who sits out gets"),
    "round.open": gettext_lazy("opened a round"),
    "round.close": gettext_lazy("closed a round"),
    "round.publish": gettext_lazy("changed what the public sees"),
    "round.delete": gettext_lazy("deleted a round"),
    "round.swap": gettext_lazy("let two players of a round change seats"),
    "round.exchange": gettext_lazy("let two tables exchange their results"),
    "seat.substitute": gettext_lazy("sent in a substitute"),
    "seat.back": gettext_lazy("had a player back from the next round on"),
    "seat.return": gettext_lazy("brought a player back into their seat"),
    "adjustment.add": gettext_lazy("gave points for a round not played"),
    "adjustment.revoke": gettext_lazy("took back points for a round not played"),
    "result.record": gettext_lazy("saved a score sheet"),
    "result.forfeit": gettext_lazy("forfeited a table"),
    "result.move": gettext_lazy("moved a score sheet to the right people"),
    "result.void": gettext_lazy("voided a result"),
    "result.confirm": gettext_lazy("confirmed a score sheet"),
    "penalty.move": gettext_lazy("moved a penalty with its seat or player"),
    "penalty.log": gettext_lazy("logged a penalty"),
    "penalty.revoke": gettext_lazy("revoked a penalty"),
    "penalty.undo": gettext_lazy("took a penalty back at once"),
    "penalty.request": gettext_lazy("asked the chief referee for a penalty"),
    "penalty.approve": gettext_lazy("approved a penalty"),
    "penalty.decline": gettext_lazy("declined a penalty"),
    "table.hand": gettext_lazy("set the hand that a table plays"),
    "dispute.open": gettext_lazy("opened a dispute"),
    "dispute.step": gettext_lazy("took the next step of a dispute"),
    "dispute.close": gettext_lazy("closed a dispute"),
    "evidence.add": gettext_lazy("added evidence to a dispute"),
    "call.open": gettext_lazy("called a referee"),
    "call.take": gettext_lazy("took a call for a referee"),
    "call.close": gettext_lazy("was done with a call for a referee"),
    "clock.start": gettext_lazy("started the clock of a round"),
    "clock.pause": gettext_lazy("let the clock of a table rest"),
    "clock.resume": gettext_lazy("let the clock of a table run again"),
    "roster.enter": gettext_lazy("entered players"),
    "player.expel": gettext_lazy("sent a player away"),
    "player.readmit": gettext_lazy("let a player back in"),
    "ban.set": gettext_lazy("banned a player from the league’s competitions"),
    "ban.lift": gettext_lazy("lifted a ban"),
    "ban.waive": gettext_lazy("let a banned player play here"),
    "team.add": gettext_lazy("made a team"),
    "team.rename": gettext_lazy("renamed a team"),
    "team.remove": gettext_lazy("took out a team"),
    "team.members": gettext_lazy("moved players to or from a team"),
    "team.line_up": gettext_lazy("named who plays for a team"),
    "team.penalty": gettext_lazy("punished a team"),
    "team.penalty_revoke": gettext_lazy("revoked a team’s penalty"),
    "round.teams": gettext_lazy("seated teams"),
    "round.line_ups_until": gettext_lazy("set the deadline of the line-ups"),
    "entrant.update": gettext_lazy("moved a player to another division"),
    "entrant.previous_rank": gettext_lazy("noted a player’s rank of last season"),
    "entrant.withdraw": gettext_lazy("withdrew a player"),
    "entrant.reinstate": gettext_lazy("reinstated a player"),
    "entrant.remove": gettext_lazy("took out a player"),
    "entrant.substitute": gettext_lazy("entered a player as a substitute or a player"),
    "player.update": gettext_lazy("changed a player’s record"),
    "player.merge": gettext_lazy("merged two records of a player"),
    "role.grant": gettext_lazy("gave a role"),
    "role.revoke": gettext_lazy("revoked a role"),
    "role.player": gettext_lazy("said as whom a person plays"),
    "invitation.create": gettext_lazy("made an invitation"),
    "invitation.accept": gettext_lazy("accepted an invitation"),
    "invitation.withdraw": gettext_lazy("withdrew an invitation"),
}


def audit_action(code: str) -> str:
    """What was done, as the audit page says it after the person's name; an unknown code as it is kept."""
    return str(_ACTIONS.get(code, code))
