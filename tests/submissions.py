"""What a person who means well sends to each page: its forms, wherever shown, filled in to be saved."""

import uuid

from django.db import transaction
from django.urls import reverse

from scoring.units import WINDS
from tests.factories import PASSWORD
from tests.league.extras.registration.kit import stamp
from tests.pages.addresses import addresses
from tests.pages.forms import PageForm, forms_of
from tests.pages.rules import PAGES, RULES
from tests.pages.things import NO_ONE, Things, client_of

GOOD = {  # what is typed into the fields that a page leaves empty
    "east": "450",
    "south": "350",
    "west": "250",
    "north": "150",
    "sticks": "0",
    "reason": "typed 207 for 270",
    "name": "Spring cup",
    "league_name": "Club of tests",
    "username": "zoe",
    "password1": "nine-gates-77",
    "password2": "nine-gates-77",
    "new_password1": "nine-gates-77",
    "new_password2": "nine-gates-77",
    "old_password": PASSWORD,
    "password": PASSWORD,
    "deduction": "2",
    "text": "Name\tCountry\tEMA\nFrodo\tHK\t12\nSam\tJP\t13",
    "seating": "p5,p6,p7,p8\np9,p10,p11,p12",
    "language": "ja",
    "note": "for Eve",
    "code": "H-9",
    "name_en": "Singing at the table",
    "article": "House rules 5",
    "c0-condition_en": "out of tune",
    "c0-least": "2",
    "subject": "Was it called in time?",
    "since": "2026-11-20",
    "said": "East says that it was.",
    "meets_at": "2199-05-03T19:30",
    "place": "club room",
    "typed": "2026-05-03",
    "decided": "It was called in time.",
    "address": NO_ONE,
    "short_name": "Spring",
    "city": "Lyon",
    "country": "France",
    "mers_weight": "1.5",
}
FORM = "application/x-www-form-urlencoded"
SITE = ("login", "password_change", "set_language", "logout", "healthz")
# Where the forms of a page are that has none of its own: the pages with forms, and those that take them.
TAKEN_BY = """
calendar:feeds < calendar:feed_renew
api:tokens < api:token_revoke
results:table < open_play:remove results:confirm results:undo
open_play:evening < open_play:presence open_play:guest open_play:fee open_play:draw
calendar:table_time < calendar:agree calendar:set_time calendar:postpone calendar:restore
teams:edit < teams:remove
teams:round < teams:deadline teams:seat_line_ups
penalty_rules:house_rule < penalty_rules:rename penalty_rules:remove
penalty_rules:entry < penalty_rules:entry_remove penalty_rules:entry_supersede
hall:screens < hall:screen_shows hall:screen_settings hall:screen_remove
hall:ceremony < hall:ceremony_reveal hall:ceremony_end
hall:index < hall:approve
webhooks:webhook < webhooks:test webhooks:pause webhooks:rotate webhooks:remove webhooks:again
reports:forms < reports:form_remove reports:logo reports:logo_remove
competitions:files < reports:index
calls:index < calls:take calls:done
calls:table < calls:tell calls:claim calls:round_code
results:at_table < results:sign results:object results:approve
rounds:round < calls:clock_start
penalties:desk < penalties:undo penalties:decide penalties:table_hand
disputes:dispute < disputes:step disputes:close disputes:revoke disputes:evidence_new
registration:index registration:form < registration:form
registration:own < registration:own registration:own_confirm registration:own_withdraw
    registration:own_erase registration:own_data
registration:entries registration:entry < registration:decide
registration:entry < registration:entry registration:enter registration:erase
roster:import < roster:preview
brought:bring < brought:preview brought:undo
game_logs:upload < game_logs:preview
competitions:manage rounds:round < rounds:status rounds:visibility
competitions:manage < rounds:publish
seating:by_hand competitions:manage < rounds:delete
notices:own < notices:push_on notices:mail_on notices:channel_off notices:channel_test
people:index < people:role_new people:role_revoke people:invitation_new people:invitation_withdraw
    people:captains
roster:edit < roster:withdraw roster:reinstate roster:remove
substitutions:round < substitutions:swap substitutions:exchange
seating:plan < seating:search seating:accept seating:drop
substitutions:seat < substitutions:substitute substitutions:return substitutions:forfeit
substitutions:absence < substitutions:entrant_substitute substitutions:back substitutions:adjustment_revoke
"""
SHOWN_ON = {
    name: shown.split()
    for shown, _, names in (
        line.partition("<") for line in TAKEN_BY.replace("\n    ", " ").strip().splitlines()
    )
    for name in names.split()
}
READ: dict[tuple[str, str, str], list[PageForm]] = {}
_ASKED: dict[str, set[str]] = {}
TYPED_OVER = {  # where what a page is filled with would be refused
    "results:correct": {"east": "440", "south": "360"},
    "people:role_new": {"username": "bob-spring"},
    "teams:paste": {"teams": "Reds, p9"},
    "teams:penalty_new": {"score": "20"},
    "login": {"username": "alice-spring"},
}


def forms_on(address: str, here: Things, role: str) -> list[PageForm]:
    """The forms that this person finds there. Read once: every test finds the pages as they were."""
    asked = (here.invitation.token, role, address)
    if asked not in READ:
        response = client_of(role, here).get(address)
        is_page = response.status_code == 200 and "html" in response["Content-Type"]
        READ[asked] = forms_of(response.content.decode(), address) if is_page else []
    return READ[asked]


def submissions(name: str, here: Things, role: str) -> list[tuple[str, dict[str, list[str]], list[str]]]:
    """(address, fields, fields of files) of every form that the page takes, wherever it is shown."""
    shown_on = SHOWN_ON.get(name, [name] if name in PAGES else [])
    forms = [form for page in shown_on for at in addresses(page, here) for form in forms_on(at, here, role)]
    found = [form for form in forms if form.method == "post" and form.page == name]
    guess = {n: [v] for n, v in (GOOD | chosen(name, here)).items()} | {
        "key": [str(uuid.uuid4())],
        "next": ["/"],
        "based_on": ["1"],
    }
    own = reverse(name, kwargs=here.arguments(name)) if name in PAGES else reverse(name)
    sent = [(form.action, fields, form.files) for form in found for fields in form.presses]
    sent.append((own, guess, []))
    return [(address, typed(name, fields, here), files) for address, fields, files in sent]


def chosen(name: str, here: Things) -> dict[str, str]:
    """Return choices for forms that begin empty, at the second table, which has no penalties."""
    players = [str(player.pk) for player in here.club.players]
    names = (player.name for player in here.club.players[12:])
    return {
        "results:slip": {f"name_{wind}": name for wind, name in zip(WINDS, names, strict=False)},
        "substitutions:swap": {"player": players[6], "other_player": players[7]},
        "open_play:new_table": dict(
            zip(WINDS, [player.pk for player in here.club.players[12:]], strict=True)
        ),
        "calendar:agree": {"player": "all"},
        "calls:tell": {"kind": "late", "note": "ten minutes"},
        "accounts:email": {"password": PASSWORD},
        "registration:form": {
            "name": "Zoe",
            "email": "zoe@example.org",
            "language": "en",
            "agrees": "on",
            "shown": stamp(60),
        },
        "registration:decide": {"registrants": str(here.doubtful.pk), "action": "decline"},
        "penalty_rules:entry_supersede": {"code": "H-1", "by_code": "H-2"},
        "rounds:publish": {"round": str(here.round)},
        "accounts:device_remove": {"password": PASSWORD},
        "substitutions:substitute": {"substitute": players[9], "score": "-30"},
        "substitutions:forfeit": {"score": "-30"},
        "substitutions:absence": {"round": str(here.round), "kind": "sat_out", "score": "2.5"},
    }.get(name, {})


def typed(name: str, fields: dict[str, list[str]], here: Things) -> dict[str, list[str]]:
    """The fields as a person who means well would send them."""
    over = TYPED_OVER.get(name, {}) | chosen(name, here)
    return {
        field: [over[field]] if field in over else values if any(values) else [GOOD.get(field, "")]
        for field, values in fields.items()
    }


def roles_for(name: str) -> list[str]:
    """Return the lowest and the highest role that may use the page."""
    if name not in RULES:
        return ["visitor", "player"]
    order = ("visitor", "stranger", "player", "scorer", "referee", "organizer", "administrator")
    allowed = [role for role in order if role in RULES[name]]
    return list(dict.fromkeys([allowed[0], allowed[-1]]))


def own_addresses(name: str, here: Things) -> list[str]:
    return addresses(name, here) if name in PAGES else [reverse(name)]


def take_post(here: Things) -> set[str]:
    """The pages that take a form. Asked once, as ``forms_on``."""
    takes = _ASKED.setdefault(here.invitation.token, set())
    for name in PAGES if not takes else ():
        client = client_of(roles_for(name)[-1], here)
        with transaction.atomic():
            if client.post(reverse(name, kwargs=here.arguments(name))).status_code != 405:
                takes.add(name)
            transaction.set_rollback(True)
    return takes
