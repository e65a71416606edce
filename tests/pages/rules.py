"""Who may open each named page: ``RULES``. The pages come from the URL configuration, so that a new one is
either in all tests that go through them or fails.
"""

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from league.settings import ALL_EXTRAS

EVERYONE = {"visitor", "stranger", "player", "scorer", "referee", "organizer"}
WHO = {
    "everyone": EVERYONE,
    "signed-in": EVERYONE - {"visitor"},
    "players": EVERYONE - {"visitor", "stranger"},
    "scorers": {"scorer", "organizer"},
    "referees": {"referee", "organizer"},
    "staff": {"scorer", "referee", "organizer"},
    "organizers": {"organizer"},
    "phones": {"visitor", "scorer", "referee", "organizer"},  # the visitor has scanned the table's code
    "administrators": {"administrator"},  # superusers, who may open everything: tried where no one else may
}
# Room, who may open these pages of it, their names. Players of a table and captains of a team may open more:
# their tests are in the room. The app to remove is the organizer's. The page of the first account is for no
# one once an account exists.
TABLE = """
accounts signed-in: index email session_end sessions_end second set_up codes app_new passkey_new
accounts organizers: device_remove
accounts administrators: first security security_allow
audit_log everyone: check
audit_log organizers: league index seen
bans organizers: index lift departure_of departure
brought organizers: bring choose preview undo saving
calculator everyone: hand
needs everyone: hand chances player team table
needs organizers: stage_end
notices everyone: off confirm manifest own push_on mail_on channel_off channel_test
calendar everyone: calendar feeds competition_feed division_feed player_feed own_feed
calendar referees: table_time postpone restore
calendar organizers: set_time agree disagree round_dates matchdays
calendar players: feed_renew
calls everyone: call withdraw table tell claim round_code door door_code type_code type_code_here
calls referees: index take done undo clock_start codes
calls signed-in: waiting
calls organizers: codes_renew
competitions everyone: home rules revision
competitions organizers: new league league_edit manage finish division_new
    print screens files settings settings_event settings_results settings_tables settings_referees
    settings_teams settings_ties
    division_penalty_rules
disputes staff: index new dispute evidence_new evidence
disputes referees: step close revoke
embeds everyone: standings stage tables player feed oembed
embeds organizers: site
hands phones: table state write
hands everyone: practice
needs phones: at_table
game_logs organizers: upload preview
hall everyone: live live_versions screen screen_version screen_codes commentary commentary_version
hall staff: index approve
hall organizers: screens screen_shows screen_settings screen_remove ceremony ceremony_reveal
    ceremony_end
api everyone: index openapi
api organizers: tokens token_revoke
interchange everyone: teams standings results workbook divisions penalties penalties_csv
interchange organizers: import job cancel competition_file
open_play everyone: day
open_play scorers: new_table evening fees file tonight remove presence draw
open_play organizers: guest fee settings
penalties everyone: index
penalties referees: new revoke desk table_hand table_hand_name undo
penalties staff: record
penalties signed-in: day
penalties organizers: decide
penalty_rules everyone: index published division
penalty_rules organizers: house_rules house_rule rename remove entry entry_remove entry_supersede
people everyone: signup invitation
people organizers: role_new index invitation_new captains invitation_withdraw role_revoke role_player
    role_allow
personal_data everyone: privacy
personal_data signed-in: own own_file
personal_data organizers: erase player_file
reports everyone: sample
reports organizers: index ema form certificates forms form_file form_remove logo logo_remove logo_file
results everyone: table table_versions at_table sign object practice practice_preview
results scorers: enter enter_round preview correct void undo slip own
results staff: confirm approve
registration everyone: index form sent participants own own_confirm own_withdraw own_erase own_data
registration organizers: entries numbers decide file settings entry enter erase
roster organizers: index import new edit remove withdraw reinstate preview merge
rounds everyone: index round
rounds organizers: new status publish visibility delete
rule_sets everyone: index compare published summary scores
rule_sets organizers: house_rules house_rule_new house_rule house_rule_edit edition division_rules
    division_rules_edit division_rules_move
seasons organizers: copy movement end play_off
seating everyone: my_seat own_row own_next own_asked screen round_screen list
seating staff: papers papers_pdf
seating organizers: plan next_round search numbers accept drop by_hand
stages organizers: new cut stage undo lots numbers team_cut
standings everyone: competition stage players player player_picture picture screen rankings overall
standings organizers: rankings_keep
statistics everyone: player race matrix records ratings hands
statistics staff: career
statistics organizers: profile
substitutions organizers: round swap exchange no_show seat substitute return forfeit absence
    entrant_substitute back adjustment_revoke
teams everyone: index standings team
webhooks organizers: index webhook test pause rotate remove again
teams organizers: season unseat manage paste edit remove penalty_new penalty_revoke round deadline
    seat_line_ups line_ups line_up
"""


LEFT_OUT = set(ALL_EXTRAS) - set(settings.EXTRAS)


def rules() -> dict[str, set[str]]:
    found = {}
    for line in TABLE.replace("\n    ", " ").strip().splitlines():
        about, _, names = line.partition(": ")
        room, who = about.split()
        if room not in LEFT_OUT:
            found |= {f"{room}:{name}": WHO[who] for name in names.split()}
    return found


RULES = rules()


# Pages of a league, not of a competition: strangers find nothing there. Nor at an app that is another's, nor
# where the first account is made.
OF_A_LEAGUE = {
    *("personal_data:erase", "personal_data:player_file"),
    *("audit_log:league", "competitions:league", "competitions:league_edit", "interchange:import"),
    "brought:choose",
    *("interchange:job", "interchange:cancel"),
    *("reports:forms", "reports:form_file", "reports:form_remove"),
    *("reports:logo", "reports:logo_remove", "reports:logo_file"),
    *("accounts:first", "accounts:device_remove"),
    *(
        "rule_sets:house_rules",
        "rule_sets:house_rule_new",
        "rule_sets:house_rule",
        "rule_sets:house_rule_edit",
        "rule_sets:edition",
    ),
    *(
        "penalty_rules:house_rules",
        "penalty_rules:house_rule",
        "penalty_rules:rename",
        "penalty_rules:remove",
    ),
    *("penalty_rules:entry", "penalty_rules:entry_remove", "penalty_rules:entry_supersede"),
}


def pages_below(
    resolver: URLResolver, rooms: tuple[str, ...] = (), arguments: frozenset[str] = frozenset()
) -> dict[str, frozenset[str]]:
    """Every page of a room ("rounds:index") and the names of what its address needs."""
    found: dict[str, frozenset[str]] = {}
    for each in resolver.url_patterns:
        needs = arguments | each.pattern.converters.keys()
        if isinstance(each, URLPattern):
            if rooms:
                found[":".join([*rooms, each.name or ""])] = needs
        elif each.app_name not in {"admin", "otp_webauthn", "ninja"}:
            found |= pages_below(each, (*rooms, each.namespace) if each.namespace else rooms, needs)
    return found


PAGES = pages_below(get_resolver())
