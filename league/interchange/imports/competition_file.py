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
``league.interchange.imports.penalty_rules``), where it is not that of the preset; of a round ``status`` (else
closed when all tables have a result) and ``visibility`` (else published); of a table ``reason``, why its
sheet was corrected or voided; of a penalty ``revoked``, why.

Of the competition ``approval_from`` (from which level on the chief referee approves), ``penalties_shown`` and
``expulsion``; of a penalty the ``hand`` ("E1.0"), the index of the offence's ``condition``, ``units`` (tiles
or minutes), the levels that the book ``suggested``, ``win_ban``, ``status`` (requested or declined), why it
was ``decided`` so, and ``together``, one number for all penalties of one act. All of these may be left out.

Of a player ``substitute`` says that they are in no standings; of a seat ``stands_for`` is the absent player,
``came_late`` that the substitute came after the start, and ``until_back`` that they sit in later rounds, too.
``adjustments`` are points for rounds not played: ``player``, ``division``, ``stage``, ``round``, ``kind``
(sat_out, substituted, absent), ``score``, ``reason``, and ``revoked`` for those that were taken back.

Of a player ``previous_rank`` is the rank of last season. Of a stage ``cut`` says how its players came
(``from`` the stage before, ``top`` players beginning with rank ``first``, then ``wild_cards`` by
``wild_card_by`` and the ``picked``; what ``decided`` between equals, who was ``gone`` and who ``moved_up``;
``hanchan``), ``entrants`` who they are, in the order of their positions, with ``how`` and ``head_start``, and
``lots`` what was drawn in it (``players`` first drawn first, and the ``seed``). A cut with ``play_off`` is a
play-off against the players of the division of that address.

Of a stage ``valid_hanchan`` is how many a rank needs, ``standard_hanchan`` the number ``beyond`` which they
count as that says (all, first, best, average). Of a division ``movement`` says who goes up and down
(``scoring.promotion.Movement``). ``previous`` is the address of the season before. ``team_play`` says how
teams play (``league.interchange.imports.teams``).

Of a round ``method`` and ``seed`` say how it was seated; of a stage ``sit_out`` says what who sits out gets
(nothing, average, fixed), with the fixed ``sit_out_score``.
"""

import json
import re
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from league.interchange.imports.calendar import calendar_facts
from league.interchange.imports.names import CODE, NAME, REASON, ZONE, Names, read_score
from league.interchange.imports.nodes import SLUG, BrokenFile, FileProblem, Node, shown, visible
from league.interchange.imports.penalties import adjustments, days_and_tables, penalties, rounds_by_place
from league.interchange.imports.penalty_rules import named_catalogue, own_catalogue
from league.interchange.imports.people import identified, player_facts, team_facts
from league.interchange.imports.tables import SCHEDULED, table_facts
from league.interchange.imports.teams import team_play
from league.interchange.services.competition_file import CompetitionFacts
from league.interchange.services.divisions import DivisionFacts, ReadingFacts
from league.interchange.services.keys import StageKey
from league.interchange.services.rounds import RoundFacts, TableFacts
from league.interchange.services.stages import CutFacts, LotsFacts, QualifiedFacts, StageFacts
from league.models import Competition, Round, Stage, StageEntrant
from league.models.competitions import time_zones
from league.rule_sets.source_choices import FIRST, SECOND
from league.rule_sets.words.problems import rule_problem
from league.rule_sets.words.values import not_played
from players.text import tidy
from scoring.cuts import BY_RANK, WILD_CARD_METRICS
from scoring.presets import UnknownPreset, preset, presets, resolve
from scoring.promotion import Movement
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS

FORMAT = "umaoka-competition"
VERSION = 1
REFEREEING = ("approval_from", "penalties_shown", "expulsion")

_DATE_FORM = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


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


def _competition(root: Node) -> CompetitionFacts:
    names = Names()
    slug, name = root.slug(), root.text("name", most=NAME)
    timezone = _timezone(root)
    people = identified(root, names)
    teams = tuple(team_facts(node, names) for node in root.children("teams", needed=False))
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
        players=tuple(player_facts(node, identity, names) for node, identity in people),
        teams=teams,
        divisions=divisions,
        penalties=penalties(root, divisions, names),
        adjustments=adjustments(root, divisions, names),
        team_play=team_play(
            root, rounds_by_place(divisions), _with_cut(divisions), names.teams, names.players
        ),
        refereeing=_refereeing(root),
        calendar=calendar_facts(root, days_and_tables(divisions), names.players),
        previous=root.slug("previous") if root.value.get("previous") else "",
    )


def _with_cut(divisions: Iterable[DivisionFacts]) -> set[StageKey]:
    """The stages that begin with a cut."""
    return {(division.slug, stage.slug) for division in divisions for stage in division.stages if stage.cut}


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
        found["approval_from"] = root.text("approval_from", most=CODE, needed=False)
    for name, choices in (
        ("penalties_shown", Competition.PenaltiesShown.values),
        ("expulsion", Competition.Expulsion.values),
    ):
        if root.value.get(name) is not None:
            found[name] = root.choice(name, choices)
    return found


def _timezone(root: Node) -> str:
    name = root.text("timezone", most=ZONE)
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


# --- divisions, stages, rounds ------------------------------------------------------------------------------


def _division(node: Node, names: Names) -> DivisionFacts:
    slug = node.slug()
    node.once("slug", slug, names.divisions)
    name = node.text("name", most=NAME)
    rules_node = node.object("rules")
    preset_slug, rules = _rules(rules_node) if rules_node else ("", None)
    edition = rules_node.text("edition", most=CODE, needed=False) if rules_node else ""
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
        place=node.text("place", most=REASON),
    )


def _stage(node: Node, rules: Rules | None, seen: dict[str, Node], division: str, names: Names) -> StageFacts:
    slug = node.slug()
    node.once("slug", slug, seen)
    numbers: dict[int, Node] = {}
    earlier = [each for each, first in seen.items() if first is not node]
    return StageFacts(
        slug=slug,
        name=node.text("name", most=NAME),
        carry=node.choice("carry", Stage.Carry.values),
        valid_hanchan=node.whole("valid_hanchan", default=0) or 0,
        standard_hanchan=node.whole("standard_hanchan", least=1)
        if "standard_hanchan" in node.value
        else None,
        beyond=node.choice("beyond", Stage.Beyond.values, default=Stage.Beyond.ALL.value),
        sit_out=node.choice("sit_out", Stage.SitOut.values, default=Stage.SitOut.NOTHING.value),
        sit_out_score=read_score(node, "sit_out_score") if node.value.get("sit_out_score") is not None else 0,
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
        head_start = read_score(node, "head_start") if node.value.get("head_start") is not None else 0
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
    tables = tuple(table_facts(child, rules, numbers, seated, names) for child in node.children("tables"))
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
