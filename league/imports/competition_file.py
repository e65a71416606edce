"""The competition file, read: from bytes to ``CompetitionFacts``, or to every problem with its place.

Nothing is saved here and nothing is asked of the database. A place is the path in the file, for example
``divisions[0].stages[0].rounds[3].tables[1].seats[2].player``. Fields that are unknown are passed over, since
later versions add some.

Besides the fields of the contract our own export writes these, all of which may be left out: ``kind``,
``visibility``, ``counting`` (else only confirmed sheets count), ``tie_breaks``, ``suggest_fourth``; of a
player ``division`` (else the first in which they sit), ``federation_numbers`` (those besides EMA's) and
``withdrawn``; of the rules ``edition`` and ``values``, the stored copy of every setting (preset < values <
overrides), and ``readings``, which of two texts was chosen where the sources contradict each other (a list
of ``settings``, ``chosen``: 1 or 2, and the ``place`` of the chosen text), and ``catalogue``, the slug of
the book of offences, or ``own_catalogue``, a league's own (``name``, ``base``, ``entries``: see
``league.imports.catalogues``), where it is not that of the preset; of a round ``status`` (else closed when
all tables have a result) and ``visibility`` (else published); of a table ``reason``, why its sheet was
corrected or voided; of a penalty ``revoked``, why.

Of the competition ``approval_from`` (from which level on the chief referee approves), ``penalties_shown`` and
``expulsion``; of a penalty the ``hand`` ("E1.0"), the index of the offence's ``condition``, ``units`` (tiles
or minutes), the levels that the book ``suggested``, ``win_ban``, ``status`` (requested or declined), why it
was ``decided`` so, and ``together``, one number for all penalties of one act. All of these may be left out.

Of a player ``substitute`` says that they are in no standings; of a seat ``stands_for`` is the absent player,
and ``came_late`` that the substitute came after the start. ``adjustments`` are points for rounds not played:
``player``, ``division``, ``stage``, ``round``, ``kind`` (sat_out, substituted, absent), ``score``,
``reason``, and ``revoked`` for those that were taken back.

Of a player ``previous_rank`` is the rank of last season. Of a stage ``cut`` says how its players came
(``from`` the stage before, ``top`` players beginning with rank ``first``, then ``wild_cards`` by
``wild_card_by`` and the ``picked``; what ``decided`` between equals, who was ``gone`` and who ``moved_up``;
``hanchan``), ``entrants`` who they are, in the order of their positions, with ``how`` and ``head_start``, and
``lots`` what was drawn in it (``players`` first drawn first, and the ``seed``). A cut with ``play_off`` is a
play-off against the players of the division of that address.

Of a stage ``valid_hanchan`` is how many a rank needs, ``standard_hanchan`` the number ``beyond`` which they
count as that says (all, first, best, average). Of a division ``movement`` says who goes up and down
(``scoring.promotion.Movement``). ``previous`` is the address of the season before. ``team_play`` says how
teams play (``league.imports.team_play``).

Of a round ``method`` and ``seed`` say how it was seated; of a stage ``sit_out`` says what who sits out gets
(nothing, average, fixed), with the fixed ``sit_out_score``.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from league.imports.calendar_facts import calendar_facts
from league.imports.catalogues import named_catalogue, own_catalogue
from league.imports.nodes import LARGEST, SLUG, BrokenFile, FileProblem, Node, digits, shown, visible
from league.imports.team_play import team_play
from league.messages import rule_problem, sheet_problem
from league.models import Adjustment, Competition, Penalty, Round, Sheet, Stage, StageEntrant
from league.models.competitions import time_zones
from league.readings import FIRST, SECOND
from league.rule_words import not_played
from league.services.interchange import (
    AdjustmentFacts,
    CompetitionFacts,
    CutFacts,
    DivisionFacts,
    LotsFacts,
    PenaltyFacts,
    PlayerFacts,
    QualifiedFacts,
    ReadingFacts,
    RoundFacts,
    StageFacts,
    TableFacts,
    TeamFacts,
)
from league.services.penalties import MOST_UNITS
from players.models import FederationNumber
from players.text import has_control_characters, tidy
from scoring.checks import check_sheet
from scoring.cuts import BY_RANK, WILD_CARD_METRICS
from scoring.presets import UnknownPreset, preset, presets, resolve
from scoring.promotion import Movement
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.settlement import NORTH
from scoring.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS
from scoring.units import WINDS, parse_score

FORMAT = "umaoka-competition"
VERSION = 1
SCHEDULED = "scheduled"
REFEREEING = ("approval_from", "penalties_shown", "expulsion")

_NAME, _KEY, _ZONE, _REASON, _CODE = 120, 64, 60, 300, 40  # characters, as in the database
_DATE_FORM = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_HAND_FORM = re.compile(r"[ESWN][1-4]\.[0-9]{1,2}", re.ASCII)
_COUNTRY_FORM = re.compile(r"[A-Z]{2}", re.ASCII)


def read_competition_file(content: bytes) -> CompetitionFacts:
    """What the file says. Raises ``BrokenFile`` with every problem."""
    problems: list[FileProblem] = []
    root = Node(_parsed(content), None, "", problems)
    _check_format(root)
    facts = _competition(root)
    if problems:
        raise BrokenFile(problems)
    return facts


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        place = _("line %(line)s, column %(column)s") % {"line": error.lineno, "column": error.colno}
        message = _(
            "Here the file is no valid JSON any more. Take the file as Umaoka wrote it, or mend it here."
        )
        raise BrokenFile([FileProblem(place, message)]) from error
    except UnicodeDecodeError as error:
        raise _unreadable(_("The text is not in UTF-8. Save the file as UTF-8.")) from error
    except RecursionError as error:
        raise _unreadable(_("The brackets are nested too deeply: this is no competition file.")) from error
    except ValueError as error:  # NaN, Infinity, or a number of thousands of digits
        raise _unreadable(_("There is a number in it that is none, or far too long.")) from error
    if not isinstance(found, dict):
        raise _unreadable(_("This is no competition file: it must be one JSON object."))
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _unreadable(message: str) -> BrokenFile:
    return BrokenFile([FileProblem("", message)])


def _check_format(root: Node) -> None:
    """Of another format or a newer version nothing else can be said."""
    if root.value.get("format") != FORMAT:
        message = _("This is no competition file: it must say “%(format)s” here.") % {"format": FORMAT}
        raise BrokenFile([FileProblem("format", message)])
    version = root.value.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        message = _("Write the version of the format as a number: %(version)s.") % {"version": VERSION}
        raise BrokenFile([FileProblem("version", message)])
    if version > VERSION:
        message = _(
            "This file was made by a newer Umaoka (version %(version)s of the format, this one knows"
            " %(known)s). Update this server, then import it again."
        ) % {"version": shown(version), "known": VERSION}
        raise BrokenFile([FileProblem("version", message)])


# --- the competition ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Names:
    """What the file has named so far, and what other parts of it refer to."""

    players: dict[str, Node] = field(default_factory=dict)
    teams: dict[str, Node] = field(default_factory=dict)
    in_team: dict[str, Node] = field(default_factory=dict)
    divisions: dict[str, Node] = field(default_factory=dict)
    plays_in: dict[str, str] = field(default_factory=dict)  # player → the first division in which they sit

    def has_left(self, player: str) -> bool:
        """Has this player of the file withdrawn?"""
        return player in self.players and self.players[player].value.get("withdrawn") is True

    def player(self, node: Node, key: str = "player") -> str:
        """The id of a player of the file, or empty (noted)."""
        value = node.text(key, most=_KEY)
        if value and value not in self.players:
            node.note(key, _("There is no player “%(id)s” in “players”.") % {"id": shown(value)})
            return ""
        return value


def _competition(root: Node) -> CompetitionFacts:
    names = Names()
    slug, name = root.slug(), root.text("name", most=_NAME)
    timezone = _timezone(root)
    people = _identified(root, names)
    teams = tuple(_team(node, names) for node in root.children("teams", needed=False))
    divisions = tuple(_division(node, names) for node in root.children("divisions"))
    if not divisions and isinstance(root.value.get("divisions"), list):
        root.note("divisions", _("A competition has one division at least."))
    _check_play_offs(root, divisions)
    return CompetitionFacts(
        slug=slug,
        name=name,
        timezone=timezone,
        kind=root.choice("kind", Competition.Kind.values, default=Competition.Kind.SEASON.value),
        visibility=root.choice(
            "visibility", Competition.Visibility.values, default=Competition.Visibility.PUBLIC.value
        ),
        counting=root.choice(
            "counting", Competition.Counting.values, default=Competition.Counting.CONFIRMED.value
        ),
        tie_breaks=_tie_breaks(root),
        suggest_fourth=root.flag("suggest_fourth", default=True),
        players=tuple(_player(node, identity, names) for node, identity in people),
        teams=teams,
        divisions=divisions,
        penalties=_penalties(root, divisions, names),
        adjustments=_adjustments(root, divisions, names),
        team_play=team_play(root, _rounds_by_place(divisions), names.teams, names.players),
        refereeing=_refereeing(root),
        calendar=calendar_facts(root, _days_and_tables(divisions), names.players),
        previous=root.slug("previous") if root.value.get("previous") else "",
    )


def _check_play_offs(root: Node, divisions: Collection[DivisionFacts]) -> None:
    """The lower division of a play-off stands in the file after it: only at the end all are known."""
    known = {division.slug for division in divisions}
    named = {stage.cut.play_off for division in divisions for stage in division.stages if stage.cut}
    for slug in sorted(named - known - {""}):
        root.note("divisions", _("There is no division “%(slug)s” for a play-off.") % {"slug": shown(slug)})


def _refereeing(root: Node) -> dict[str, str]:
    """The settings of the referee's desk that the file names."""
    found = {}
    if root.value.get("approval_from") is not None:
        found["approval_from"] = root.text("approval_from", most=_CODE, needed=False)
    for name, choices in (
        ("penalties_shown", Competition.PenaltiesShown.values),
        ("expulsion", Competition.Expulsion.values),
    ):
        if root.value.get(name) is not None:
            found[name] = root.choice(name, choices)
    return found


def _timezone(root: Node) -> str:
    name = root.text("timezone", most=_ZONE)
    if name and name not in time_zones():
        root.note(
            "timezone",
            _("“%(name)s” is no time zone. Choose one such as Asia/Hong_Kong or Europe/Paris.")
            % {"name": shown(name)},
        )
    return name


def _tie_breaks(root: Node) -> tuple[str, ...]:
    if root.value.get("tie_breaks") is None:
        return DEFAULT_TIE_BREAKS
    kept: list[str] = []
    for index, name in enumerate(root.items("tie_breaks")):
        place = f"tie_breaks[{index}]"
        if not isinstance(name, str) or name not in TIE_BREAKS:
            choices = ", ".join(TIE_BREAKS)
            root.note(
                place,
                _("There is no %(value)s here. Choose from: %(choices)s.")
                % {"value": f"“{shown(name)}”", "choices": choices},
            )
        elif name in kept:
            root.note(place, _("“%(value)s” is in the list before.") % {"value": name})
        else:
            kept.append(name)
    return tuple(kept)


# --- people -------------------------------------------------------------------------------------------------


def _identified(root: Node, names: Names) -> list[tuple[Node, str]]:
    """The players' objects with their ids, which come first: everything else refers to them."""
    found = []
    for node in root.children("players"):
        identity = node.text("id", most=_KEY)
        node.once("id", identity, names.players)
        found.append((node, identity))
    return found


def _player(node: Node, identity: str, names: Names) -> PlayerFacts:
    return PlayerFacts(
        id=identity,
        name=node.text("name", most=_NAME),
        romanized=node.text("romanized", most=_NAME, needed=False),
        country=_country(node),
        club=node.text("club", most=_NAME, needed=False),
        numbers=_numbers(node),
        division=_entered_in(node, identity, names),
        withdrawn=node.flag("withdrawn", default=False),
        substitute=node.flag("substitute", default=False),
        previous_rank=node.whole("previous_rank", least=1) if node.value.get("previous_rank") else None,
    )


def _country(node: Node) -> str:
    value = node.text("country", most=_KEY, needed=False).upper()
    if value and not _COUNTRY_FORM.fullmatch(value):
        node.note("country", _("Write the country as two letters (ISO 3166), for example HK or JP."))
        return ""
    return value


def _numbers(node: Node) -> dict[str, str]:
    """Federation → number. ``ema_number`` has a field of its own; the others stand together."""
    found: dict[str, str] = {}
    if ema := node.text("ema_number", most=_CODE, needed=False):
        found[FederationNumber.EMA] = ema
    others = node.object("federation_numbers", needed=False)
    if others is not None:
        _add_numbers(others, found)
    return dict(sorted(found.items()))


def _add_numbers(others: Node, found: dict[str, str]) -> None:
    for federation in others.value:
        plain = federation == tidy(federation) and not has_control_characters(federation)
        if not plain or not 0 < len(federation) <= 20:
            others.note(shown(federation), _("A federation's name has 1 to 20 visible characters."))
            continue
        number = others.text(federation, most=_CODE)
        if number and found.setdefault(federation, number) != number:
            others.note(federation, _("“ema_number” says something else."))


def _entered_in(node: Node, identity: str, names: Names) -> str | None:
    """The division in which the player is entered; where the file does not say, the first they play in."""
    if "division" not in node.value:
        only = next(iter(names.divisions)) if len(names.divisions) == 1 else None
        return names.plays_in.get(identity, only)
    if node.value["division"] is None:
        return None
    slug = node.text("division", most=SLUG)
    if slug and slug not in names.divisions:
        node.note("division", _("There is no division “%(slug)s” in this file.") % {"slug": shown(slug)})
    return slug


def _team(node: Node, names: Names) -> TeamFacts:
    identity = node.text("id", most=_KEY)
    node.once("id", identity, names.teams)
    members: list[str] = []
    for index, member in enumerate(node.items("players")):
        place = f"players[{index}]"
        if not isinstance(member, str) or tidy(member) not in names.players:
            node.note(place, _("There is no player “%(id)s” in “players”.") % {"id": shown(member)})
            continue
        members.append(tidy(member))
        spot = Node({}, node, place, node.problems)
        spot.once("", members[-1], names.in_team)
    return TeamFacts(id=identity, name=node.text("name", most=_NAME), players=tuple(members))


# --- divisions, stages, rounds ------------------------------------------------------------------------------


def _division(node: Node, names: Names) -> DivisionFacts:
    slug = node.slug()
    node.once("slug", slug, names.divisions)
    name = node.text("name", most=_NAME)
    rules_node = node.object("rules")
    preset_slug, rules = _rules(rules_node) if rules_node else ("", None)
    edition = rules_node.text("edition", most=_CODE, needed=False) if rules_node else ""
    seen: dict[str, Node] = {}
    stages = tuple(_stage(child, rules, seen, slug, names) for child in node.children("stages"))
    if not stages and isinstance(node.value.get("stages"), list):
        node.note("stages", _("A division has one stage at least."))
    return DivisionFacts(
        slug=slug,
        name=name,
        preset=preset_slug,
        edition=edition or (preset(preset_slug).edition if rules else ""),
        # Without valid rules the file is refused, so that this stand-in is never used.
        rules=rules or resolve(presets()[0].slug),
        readings=_readings(rules_node) if rules_node else (),
        movement=_movement(node),
        catalogue=named_catalogue(rules_node) if rules_node else "",
        own_catalogue=own_catalogue(rules_node) if rules_node else None,
        stages=stages,
    )


def _movement(division: Node) -> Movement:
    node = division.object("movement", needed=False)
    if node is None:
        return Movement()
    try:
        return Movement.from_values(node.value)
    except (TypeError, ValueError):
        division.note("movement", _("This says nothing about who goes up and down that is understood here."))
    return Movement()


def _rules(node: Node) -> tuple[str, Rules | None]:
    """The preset and the rule set made of it; None (noted) when they are none."""
    slug = node.text("preset", most=SLUG)
    parts = [node.object(part, needed=False) for part in ("overrides", "values")]
    if not node.good:
        return slug, None
    overrides, values = (dict(part.value) if part else {} for part in parts)
    try:
        rules = resolve(slug, overrides, values)
    except UnknownPreset:
        known = ", ".join(each.slug for each in presets())
        node.note(
            "preset",
            _("This server knows no rule set “%(slug)s”. It knows: %(known)s.")
            % {"slug": shown(slug), "known": known},
        )
    except RulesError as error:
        for problem in error.problems:
            part = "overrides" if problem.setting in overrides or problem.setting not in values else "values"
            sentence = visible(rule_problem(problem))
            if problem.code == "unbalanced":
                sentence += " " + _("In a file that tick is “unbalanced”: true.")
            node.note(f"{part}.{shown(problem.setting)}", sentence)
    else:
        if (why := not_played(values | overrides)) is None:
            return slug, rules
        node.note(f"{'overrides' if 'chombo_timing' in overrides else 'values'}.chombo_timing", why)
    return slug, None


def _readings(node: Node) -> tuple[ReadingFacts, ...]:
    """What was chosen where the sources of the preset contradict each other."""
    return tuple(_reading(child) for child in node.children("readings", needed=False))


def _reading(node: Node) -> ReadingFacts:
    settings = node.items("settings")
    for index, name in enumerate(settings):
        if not isinstance(name, str) or name not in SETTINGS:
            node.note(f"settings[{index}]", _("There is no setting “%(name)s”.") % {"name": shown(name)})
    chosen = node.whole("chosen", least=FIRST)
    if chosen is not None and chosen > SECOND:
        node.note("chosen", _("Write 1 for the first text or 2 for the second."))
    return ReadingFacts(
        settings=tuple(name for name in settings if isinstance(name, str)),
        chosen=chosen or FIRST,
        place=node.text("place", most=_REASON),
    )


def _stage(node: Node, rules: Rules | None, seen: dict[str, Node], division: str, names: Names) -> StageFacts:
    slug = node.slug()
    node.once("slug", slug, seen)
    numbers: dict[int, Node] = {}
    earlier = [each for each, first in seen.items() if first is not node]
    return StageFacts(
        slug=slug,
        name=node.text("name", most=_NAME),
        carry=node.choice("carry", Stage.Carry.values),
        valid_hanchan=node.whole("valid_hanchan", default=0) or 0,
        standard_hanchan=node.whole("standard_hanchan", least=1)
        if "standard_hanchan" in node.value
        else None,
        beyond=node.choice("beyond", Stage.Beyond.values, default=Stage.Beyond.ALL.value),
        sit_out=node.choice("sit_out", Stage.SitOut.values, default=Stage.SitOut.NOTHING.value),
        sit_out_score=_score(node, "sit_out_score") if node.value.get("sit_out_score") is not None else 0,
        cut=_cut(node, earlier, names),
        entrants=_entrants(node, names),
        lots=tuple(
            LotsFacts(players=_players(child, "players", names), seed=child.whole("seed") or 0)
            for child in node.children("lots", needed=False)
        ),
        rounds=tuple(_round(child, rules, numbers, division, names) for child in node.children("rounds")),
    )


def _cut(stage: Node, earlier: Collection[str], names: Names) -> CutFacts | None:
    """The cut by which the players came; ``earlier`` are the stages of the division before this one."""
    node = stage.object("cut", needed=False)
    if node is None:
        if stage.value.get("entrants"):
            stage.note("entrants", _("Only a stage with a “cut” lists who came into it."))
        return None
    if not earlier:
        stage.note("cut", _("A division's first stage has no stage before it to cut."))
        return None
    return CutFacts(
        source=node.choice("from", earlier),
        play_off=node.slug("play_off") if "play_off" in node.value else "",
        numbers={
            "top": node.whole("top") or 0,
            "first": node.whole("first", least=1, default=1) or 1,
            "wild_cards": node.whole("wild_cards", default=0) or 0,
            "wild_card_by": node.choice("wild_card_by", WILD_CARD_METRICS, default=WILD_CARD_METRICS[0]),
            "hanchan": node.whole("hanchan", default=0) or 0,
        },
        picked=_players(node, "picked", names),
        gone=_players(node, "gone", names),
        moved_up=_players(node, "moved_up", names),
        decided=tuple(
            (
                _players(child, "in", names),
                _players(child, "out", names),
                child.choice("by", (*TIE_BREAKS, BY_RANK)),
            )
            for child in node.children("decided", needed=False)
        ),
    )


def _entrants(stage: Node, names: Names) -> tuple[QualifiedFacts, ...]:
    seen: dict[str, Node] = {}
    found = []
    for node in stage.children("entrants", needed=False):
        player = names.player(node)
        node.once("player", player, seen)
        head_start = _score(node, "head_start") if node.value.get("head_start") is not None else 0
        how = node.choice("how", StageEntrant.How.values, default=StageEntrant.How.RANK.value)
        found.append(QualifiedFacts(player=player, how=how, head_start=head_start))
    return tuple(found)


def _players(node: Node, key: str, names: Names) -> tuple[str, ...]:
    """The ids in the list ``key``, each once; what is no player of the file is noted."""
    found: dict[str, None] = {}
    for index, value in enumerate(node.items(key, needed=False)):
        if not isinstance(value, str) or tidy(value) not in names.players:
            node.note(
                f"{key}[{index}]", _("There is no player “%(id)s” in “players”.") % {"id": shown(value)}
            )
            continue
        found[tidy(value)] = None
    return tuple(found)


def _round(node: Node, rules: Rules | None, seen: dict[int, Node], division: str, names: Names) -> RoundFacts:
    number = node.whole("number")
    node.once("number", number, seen)
    numbers: dict[int, Node] = {}
    seated: dict[str, Node] = {}
    tables = tuple(_table(child, rules, numbers, seated, names) for child in node.children("tables"))
    for player in seated:
        names.plays_in.setdefault(player, division)
    return RoundFacts(
        number=number or 0,
        date=_date(node),
        status=node.choice("status", Round.Status.values, default=_status_of(tables)),
        visibility=node.choice("visibility", Round.Visibility.values, default=Round.Visibility.RESULTS.value),
        method=node.choice("method", Round.Method.values, default=""),
        seed=node.whole("seed") if node.value.get("seed") is not None else None,
        tables=tables,
    )


def _status_of(tables: Collection[TableFacts]) -> str:
    """What a file that does not say it means: nothing seated, something still to be played, or all played."""
    if not tables:
        return Round.Status.PLANNED.value
    played = all(table.status != SCHEDULED for table in tables)
    return Round.Status.CLOSED.value if played else Round.Status.OPEN.value


def _date(node: Node) -> date | None:
    value = node.value.get("date")
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and _DATE_FORM.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    node.note("date", _("Write the date as year-month-day, for example 2025-04-30."))
    return None


# --- tables -------------------------------------------------------------------------------------------------


def _table(
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
        reason=node.text("reason", most=_REASON, needed=False),
        instead=instead,
    )


def _instead(seats: list[Node | None], seated: dict[str, Node], names: Names) -> dict[int, tuple[str, bool]]:
    """Wind → for whom a substitute sits there, and whether after the start. Nobody is here and absent."""
    found: dict[int, tuple[str, bool]] = {}
    for wind, seat in enumerate(seats):
        if seat is None or seat.value.get("stands_for") is None:
            continue
        absent = names.player(seat, "stands_for")
        if absent:
            seat.once("stands_for", absent, seated)
            found[wind] = absent, seat.flag("came_late", default=False)
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


# --- penalties ----------------------------------------------------------------------------------------------


def _penalties(root: Node, divisions: Collection[DivisionFacts], names: Names) -> tuple[PenaltyFacts, ...]:
    nodes = list(root.children("penalties", needed=False))
    tables = _tables_by_place(divisions) if nodes else {}
    stages = {division.slug: [stage.slug for stage in division.stages] for division in divisions}
    return tuple(_penalty(node, stages, tables, names) for node in nodes)


def _days_and_tables(
    divisions: Iterable[DivisionFacts],
) -> dict[tuple[str, str], dict[int, tuple[date | None, list[int]]]]:
    """Division and stage → of each round its day, and the numbers of its tables."""
    return {
        (division.slug, stage.slug): {
            each.number: (each.date, [table.number for table in each.tables]) for each in stage.rounds
        }
        for division in divisions
        for stage in division.stages
    }


def _rounds_by_place(divisions: Iterable[DivisionFacts]) -> dict[tuple[str, str], list[int]]:
    """Division and stage → the numbers of its rounds."""
    return {
        (division.slug, stage.slug): [round_.number for round_ in stage.rounds]
        for division in divisions
        for stage in division.stages
    }


def _tables_by_place(divisions: Iterable[DivisionFacts]) -> dict[tuple[Any, ...], Collection[str]]:
    """Who plays where: at each table, and in each round (its key ends with None)."""
    found: dict[tuple[Any, ...], Collection[str]] = {}
    for division in divisions:
        for stage in division.stages:
            for round_ in stage.rounds:
                where = (division.slug, stage.slug, round_.number)
                found[*where, None] = [player for table in round_.tables for player in table.everybody]
                found |= {(*where, table.number): table.everybody for table in round_.tables}
    return found


def _penalty(
    node: Node,
    stages: Mapping[str, list[str]],
    tables: Mapping[tuple[Any, ...], Collection[str]],
    names: Names,
) -> PenaltyFacts:
    player = names.player(node)
    division = _one_of(node, "division", list(stages))
    stage = _one_of(node, "stage", stages.get(division, [])) if node.good else ""
    round_, table = (
        node.whole(key) if node.value.get(key) is not None else None for key in ("round", "table")
    )
    if node.good:
        where = (division, stage, round_, table)
        _check_place(node, where, player, tables, has_left=names.has_left(player))
    status = node.choice("status", Penalty.Status.values, default=Penalty.Status.IN_FORCE.value)
    declined = status == Penalty.Status.DECLINED
    facts = PenaltyFacts(
        player=player,
        division=division,
        stage=stage,
        round=round_,
        table=table,
        score=_score(node),
        reason=node.text("reason", most=_REASON, needed=False),
        infraction=node.text("infraction", most=_CODE, needed=False),
        level=_level(node),
        revoked=node.text("revoked", most=_REASON, needed=False),
        hand=_hand(node),
        condition=_optional(node, "condition", least=0, most=99),
        units=_optional(node, "units", least=1, most=MOST_UNITS) or 1,
        suggested=node.text("suggested", most=_CODE, needed=False),
        win_ban=node.flag("win_ban", default=False),
        status=status,
        decided=node.text("decided", most=_REASON, needed=declined),
        together=_optional(node, "together", least=0, most=LARGEST),
    )
    if node.good and not facts.infraction and not facts.reason:
        node.note("reason", _("Name the offence, or write the reason."))
    return facts


def _hand(node: Node) -> str:
    """The code of a hand; which hands the rules play is not asked: they may have changed since."""
    code = node.text("hand", most=12, needed=False)
    if code and not _HAND_FORM.fullmatch(code):
        node.note("hand", _("Write a hand as wind, number and honba, for example E1.0."))
        return ""
    return code


def _optional(node: Node, key: str, *, least: int, most: int) -> int | None:
    """A whole number that may be left out."""
    if node.value.get(key) is None:
        return None
    number = node.whole(key, least=least)
    if number is not None and number > most:
        node.note(key, _("This number is too small or too large: %(value)s.") % {"value": digits(number)})
        return None
    return number


def _adjustments(
    root: Node, divisions: Collection[DivisionFacts], names: Names
) -> tuple[AdjustmentFacts, ...]:
    nodes = list(root.children("adjustments", needed=False))
    stages = {division.slug: [stage.slug for stage in division.stages] for division in divisions}
    places = _tables_by_place(divisions) if nodes else {}
    seen: dict[tuple[Any, ...], Node] = {}
    return tuple(_adjustment(node, stages, places, seen, names) for node in nodes)


def _adjustment(
    node: Node,
    stages: Mapping[str, list[str]],
    places: Mapping[tuple[Any, ...], Collection[str]],
    seen: dict[tuple[Any, ...], Node],
    names: Names,
) -> AdjustmentFacts:
    player = names.player(node)
    division = _one_of(node, "division", list(stages))
    stage = _one_of(node, "stage", stages.get(division, [])) if node.good else ""
    round_ = node.whole("round") if node.value.get("round") is not None else None
    kind = node.choice("kind", Adjustment.Kind.values)
    revoked = node.flag("revoked", default=False)
    here = (division, stage, round_)
    if node.good and round_ is not None and (*here, None) not in places:
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": round_})
    if (
        node.good
        and round_ is not None
        and not revoked
        and seen.setdefault((*here, player, kind), node) is not node
    ):
        node.note("round", _("This player has such an adjustment in this round already."))
    return AdjustmentFacts(
        player=player,
        division=division,
        stage=stage,
        round=round_,
        kind=kind,
        score=_score(node),
        reason=node.text("reason", most=_REASON, needed=False),
        revoked=revoked,
    )


def _one_of(node: Node, key: str, slugs: list[str]) -> str:
    """The slug that the penalty names; it may be left out where there is only one."""
    if node.value.get(key) is None:
        if len(slugs) == 1:
            return slugs[0]
        if slugs:
            node.note(
                key,
                _("There are several, so say which one: %(choices)s.") % {"choices": ", ".join(slugs)},
            )
        return ""
    return node.choice(key, slugs) if slugs else ""


def _check_place(
    node: Node,
    where: tuple[str, str, int | None, int | None],
    player: str,
    tables: Mapping[tuple[Any, ...], Collection[str]],
    *,
    has_left: bool,
) -> None:
    """``has_left``: a substitute may sit there for the player."""
    division, stage, round_, table = where
    if round_ is None:
        if table is not None:
            node.note("round", _("Say the round in which the table is."))
    elif (division, stage, round_, None) not in tables:
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": round_})
    elif table is not None and where not in tables:
        node.note("table", _("There is no table %(number)s in this round.") % {"number": table})
    elif table is not None and player not in tables[where] and not has_left:
        node.note("player", _("This player does not sit at this table."))


def _score(node: Node, key: str = "score") -> int:
    """Tenths of a number of score units with one decimal at most."""
    value = node.value.get(key)
    if value is None:
        node.note(key, _("This is missing."))
        return 0
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError(value)
        tenths = parse_score(value if isinstance(value, str) else repr(value))
        if abs(tenths) > LARGEST:
            raise ValueError(value)
    except ValueError:
        node.note(
            key,
            _("Write the score with one decimal at most, for example -20.0; not %(value)s.")
            % {"value": shown(value) if not isinstance(value, int) else digits(value)},
        )
        return 0
    return tenths


def _level(node: Node) -> str:
    """A level is a code such as 4+; one that is a number may be written as one."""
    value = node.value.get("level")
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100:
        return str(value)
    return node.text("level", most=_CODE, needed=False)
