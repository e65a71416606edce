"""The tables of a competition file: who sat where, and what the score sheet said."""

from django.utils.translation import gettext as _

from league.core.messages import sheet_problem
from league.interchange.imports.names import REASON, Names
from league.interchange.imports.nodes import LARGEST, Node
from league.interchange.services.rounds import Instead, TableFacts
from league.models import Sheet
from scoring.checks import check_sheet
from scoring.presets import presets, resolve
from scoring.rules import Rules
from scoring.settlement import NORTH
from scoring.units import WINDS

SCHEDULED = "scheduled"


def table_facts(
    node: Node, rules: Rules | None, numbers: dict[int, Node], seated: dict[str, Node], names: Names
) -> TableFacts:
    number = node.whole("number")
    node.once("number", number, numbers)
    status = node.choice("status", (SCHEDULED, *Sheet.Status.values))
    sticks = node.whole("sticks", least=-LARGEST, default=0)
    seats = _seats(node)
    players = tuple(names.player(seat) if seat else "" for seat in seats)
    for seat, player in zip(seats, players, strict=True):
        if seat is not None:
            seat.once("player", player, seated)
    instead = _instead(seats, seated, names)
    points = None
    last_dealer, sashiuma = _ending(node, seats, rules)
    if status == SCHEDULED:
        _refuse_points(node, seats, sticks)
    else:
        points = _points(node, seats, sticks, rules)
    return TableFacts(
        number=number or 0,
        status=status,
        players=players,
        points=points,
        sticks=sticks or 0,
        last_dealer=last_dealer,
        sashiuma=sashiuma,
        reason=node.text("reason", most=REASON, needed=False),
        instead=instead,
    )


def _instead(seats: list[Node | None], seated: dict[str, Node], names: Names) -> dict[int, Instead]:
    """Wind → for whom a substitute sits there, and how. Nobody is here and absent."""
    found: dict[int, Instead] = {}
    for wind, seat in enumerate(seats):
        if seat is None or seat.value.get("stands_for") is None:
            continue
        absent = names.player(seat, "stands_for")
        if absent:
            seat.once("stands_for", absent, seated)
            found[wind] = Instead(
                absent,
                came_late=seat.flag("came_late", default=False),
                until_back=seat.flag("until_back", default=False),
            )
    return found


def _ending(node: Node, seats: list[Node | None], rules: Rules | None) -> tuple[int, dict[int, int]]:
    """Who dealt last, and who named whom; both may be left out."""
    last_dealer = node.choice("last_dealer", WINDS, default=WINDS[NORTH])
    sashiuma: dict[int, int] = {}
    for namer, seat in enumerate(seats):
        if seat is None or "names" not in seat.value:
            continue
        named = seat.choice("names", WINDS)
        if named != seat.value["names"]:
            continue  # noted already
        if named == WINDS[namer]:
            seat.note("names", _("A player names one of the other three."))
        elif rules is not None and rules.sashiuma is None:
            seat.note("names", _("These rules have no sashiuma: nobody names anybody."))
        else:
            sashiuma[namer] = WINDS.index(named)
    return WINDS.index(last_dealer), sashiuma


def _seats(node: Node) -> list[Node | None]:
    """The four seats from east to north; what is missing or comes twice is noted."""
    found: dict[str, Node] = {}
    noted = len(node.problems)
    for seat in node.children("seats"):
        wind = seat.value.get("wind")
        if not isinstance(wind, str) or wind not in WINDS:
            seat.choice("wind", WINDS)
        else:
            seat.once("wind", wind, found)
    missing = [wind for wind in WINDS if wind not in found]
    if missing and len(node.problems) == noted:
        node.note("seats", _("Four seats are needed; missing: %(winds)s.") % {"winds": ", ".join(missing)})
    return [found.get(wind) for wind in WINDS]


def _refuse_points(node: Node, seats: list[Node | None], sticks: int | None) -> None:
    """Notes points where nothing was played."""
    for seat in seats:
        if seat is not None and seat.value.get("points") is not None:
            seat.note("points", _("A scheduled table has no points. Say “entered” if it was played."))
    if sticks:
        node.note("sticks", _("A scheduled table has no deposits. Say “entered” if it was played."))


def _points(
    node: Node, seats: list[Node | None], sticks: int | None, rules: Rules | None
) -> tuple[int, ...] | None:
    """The four raw points; whatever ``scoring.checks`` calls an error is noted."""
    points = [seat.whole("points", least=-LARGEST) if seat else None for seat in seats]
    known = tuple(number for number in points if number is not None)
    if len(known) != 4 or sticks is None:
        return None
    _note_sheet(node, seats, known, sticks, rules)
    return known


def _note_sheet(
    node: Node, seats: list[Node | None], points: tuple[int, ...], sticks: int, rules: Rules | None
) -> None:
    """Every error of a sheet at its seat. Under rules that are none themselves the sum cannot be judged."""
    for problem in check_sheet(points, sticks, rules or resolve(presets()[0].slug)):
        of_the_sum = problem.seat is None and not problem.code.startswith("sticks_")
        if problem.level != "error" or (of_the_sum and rules is None):
            continue
        seat = None if problem.seat is None else seats[problem.seat]
        key = "points" if seat else "seats" if of_the_sum else "sticks"
        sentence = sheet_problem(problem)
        if problem.code == "typed_in_points":  # that sentence is for forms, where hundreds are typed
            sentence = _("The points are a hundred times too large: write 28700 for 28,700 points.")
        (seat or node).note(key, sentence)
