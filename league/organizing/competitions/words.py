"""The entries of the organizer's pages, by place. Extras add theirs (``Extra.menu``)."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.extras import Item

SETTINGS = (
    Item(
        "organizer.settings",
        _("The event"),
        "competitions:settings_event",
        note=_("name, days, venue, time zone, notice to visitors"),
        also=pgettext_lazy(
            "found by", "title date place message announcement midnight kind season tournament"
        ),
    ),
    Item(
        "organizer.settings",
        _("Results and publishing"),
        "competitions:settings_results",
        note=_("when results count, who sees what and when"),
        also=pgettext_lazy("found by", "visibility private public hidden reveal confirm chances points live"),
    ),
    Item(
        "organizer.settings",
        _("At the tables"),
        "competitions:settings_tables",
        note=_("score sheets from phones, signatures"),
        also=pgettext_lazy("found by", "phone QR sign entry players enter"),
    ),
    Item(
        "organizer.settings",
        _("Referees and penalties"),
        "competitions:settings_referees",
        note=_("calls, objections, approval, what visitors read"),
        also=pgettext_lazy("found by", "chief referee appeal protest chombo expulsion deadline"),
    ),
    Item(
        "organizer.settings",
        pgettext_lazy("settings", "How teams play"),
        "competitions:settings_teams",
        note=_("teams or none, line-ups, games per player"),
        also=pgettext_lazy("found by", "team league minimum maximum captains"),
    ),
    Item(
        "organizer.ties",
        _("Equal totals"),
        "competitions:settings_ties",
        note=_("which tie-break decides first"),
        also=pgettext_lazy("found by", "tie tie-breaks draw shared rank order lots"),
    ),
)

MENU = (
    Item(
        "organizer.players",
        _("Players"),
        "roster:index",
        note=_("add, change, withdraw, merge two records"),
        also=pgettext_lazy("found by", "roster list names import substitutes guests people participants"),
    ),
    Item(
        "organizer.players",
        _("Teams"),
        "teams:manage",
        note=_("members, captains, penalties of teams"),
        also=pgettext_lazy("found by", "line-up squad club"),
    ),
    Item(
        "organizer.print",
        _("QR codes for the tables"),
        "calls:codes",
        note=_("players scan them to call a referee or enter scores"),
        also=pgettext_lazy("found by", "barcode scan table cards phone"),
    ),
    Item(
        "organizer.print",
        _("Rules"),
        "competitions:rules",
        note=_("the rules on one page, for the wall"),
        also=pgettext_lazy("found by", "rule set poster uma oka penalties"),
    ),
    Item(
        "organizer.screens",
        _("Seating on the big screen"),
        "seating:screen",
        note=_("who sits where, page by page"),
        also=pgettext_lazy("found by", "projector monitor TV beamer wall"),
    ),
    Item(
        "organizer.screens",
        _("Standings on the big screen"),
        "standings:screen",
        note=_("the published standings, page by page"),
        also=pgettext_lazy("found by", "projector monitor TV beamer wall ranking"),
    ),
    Item(
        "organizer.files",
        _("Full workbook"),
        "interchange:workbook",
        note=_("all rounds, federation numbers"),
        also=pgettext_lazy("found by", "Excel xlsx spreadsheet download export results"),
        query="?all=1",
    ),
    Item(
        "organizer.files",
        _("Workbook for visitors"),
        "interchange:workbook",
        note=_("published rounds only"),
        also=pgettext_lazy("found by", "Excel xlsx spreadsheet download export public"),
    ),
    Item(
        "organizer.files",
        _("Divisions with every game"),
        "interchange:divisions",
        note=_("promotion and relegation, all rounds"),
        also=pgettext_lazy("found by", "Excel xlsx league table"),
        query="?all=1",
    ),
    Item(
        "organizer.files",
        _("Divisions for visitors"),
        "interchange:divisions",
        note=_("published rounds only"),
        also=pgettext_lazy("found by", "Excel xlsx league table public"),
    ),
    Item(
        "organizer.files",
        _("List of penalties"),
        "interchange:penalties",
        note=_("every penalty, to be summed and checked"),
        also=pgettext_lazy("found by", "Excel xlsx offences chombo"),
        query="?all=1",
    ),
    Item(
        "organizer.files",
        _("Competition file"),
        "interchange:competition_file",
        note=_("everything in one file, to keep or to move to another server"),
        also=pgettext_lazy("found by", "JSON backup archive export transfer"),
    ),
    *SETTINGS,
    Item(
        "organizer.staff",
        _("People and roles"),
        "people:index",
        note=_("invite referees, scorers and organizers"),
        also=pgettext_lazy("found by", "staff account invitation access rights helper captain password"),
    ),
    Item(
        "organizer.more",
        _("Bring results"),
        "brought:bring",
        note=_("results from a list kept elsewhere"),
        also=pgettext_lazy("found by", "import upload Excel CSV paste old games"),
    ),
    Item(
        "organizer.more",
        _("Log penalty"),
        "penalties:new",
        note=_("also one that belongs to no table"),
        also=pgettext_lazy("found by", "offence chombo warning deduct points late"),
        query="#no-table",
    ),
    Item(
        "organizer.more",
        _("Departures and bans"),
        "bans:index",
        note=_("who left or may not play"),
        also=pgettext_lazy("found by", "expel exclude suspend withdraw quit disqualify"),
    ),
    Item(
        "organizer.more",
        _("New division"),
        "competitions:division_new",
        note=_("with its own rules, players and standings"),
        also=pgettext_lazy("found by", "group class level second league"),
    ),
    Item(
        "organizer.more",
        _("Audit log"),
        "audit_log:index",
        note=_("who changed what and when"),
        also=pgettext_lazy("found by", "history changes protocol who did"),
    ),
    Item(
        "organizer.league",
        _("Copy this competition"),
        "seasons:copy",
        note=_("the same settings, divisions and rules again"),
        also=pgettext_lazy("found by", "duplicate again template next"),
    ),
    Item(
        "organizer.season",
        _("End of season"),
        "seasons:end",
        note=_("promotion, relegation, play-offs, the next season"),
        also=pgettext_lazy("found by", "final next year continue"),
    ),
)
