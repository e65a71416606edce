"""Enter people into a competition, inside a change of the register."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from league.core.changes import Change
from league.core.errors import Refused
from league.core.text import listed
from league.models import Competition, Division, Entrant
from league.people.register.services import (
    PlayerValues,
    check_numbers,
    ensure_clubs,
    find_free_keys,
    find_player,
    find_shown_to_others,
    values_of,
    values_with,
    write_everywhere,
)
from league.play.bans.services import admit
from players.matching import Facts, exact_key
from players.models import FederationNumber, Player


def enter_in(
    done: Change,
    values: PlayerValues,
    division: Division | None,
    *,
    same_as: int | None,
    changes: bool = False,
    despite: str = "",
) -> Entrant:
    """Enter a new person, or ``same_as`` of the register, whose record ``changes`` to ``values`` if asked.

    ``despite``: the reason why a banned player may play. Raises ``Refused`` if the person is entered or
    banned, if a number belongs to another person, or if the change's author may not change the record.
    """
    if same_as is None:
        check_numbers(done.competition, {None: values.numbers})
        (player,) = create_players(done.competition, [values])
    else:
        player = find_player(done.competition, same_as)
        if Entrant.objects.filter(competition=done.competition, player=player).exists():
            raise Refused(_("This player is already entered."), field="name")
        admit(done, [player.pk], despite=despite)
        if changes:
            change_records(done, {player.pk: values})
    (entrant,) = create_entrants(done, [(player.pk, division.pk if division else None)])
    return entrant


def enter_by_name(done: Change, name: str, division: Division | None) -> Entrant:
    """Enter the sole player of the league with this name, or a new person.

    Raises ``Refused`` if several have the name.
    """
    known = Player.objects.filter(register=done.competition.league.register_id, name=name)[:2]
    if len(known) > 1:
        raise Refused(
            _("Several players of this league are called %(name)s. Add the right one on the page “Players”.")
            % {"name": name},
            field="name",
        )
    same_as = next((player.pk for player in known), None)
    return enter_in(done, PlayerValues(name=name), division, same_as=same_as)


def create_players(competition: Competition, people: Sequence[PlayerValues]) -> list[Player]:
    register = competition.league.register_id
    clubs = ensure_clubs(register, [p.club for p in people])
    made = Player.objects.bulk_create(
        Player(
            register_id=register,
            name=p.name,
            romanized=p.romanized,
            country=p.country,
            club_id=clubs.get(exact_key(p.club)),
        )
        for p in people
    )
    FederationNumber.objects.bulk_create(
        FederationNumber(player=player, federation=federation, number=number)
        for player, p in zip(made, people, strict=True)
        for federation, number in p.numbers
    )
    return made


def create_entrants(done: Change, entries: Sequence[tuple[int, int | None]]) -> list[Entrant]:
    """Enter (player id, division id) pairs, each with the next free key."""
    keys = find_free_keys(done.competition)
    made = Entrant.objects.bulk_create(
        Entrant(competition=done.competition, player_id=player, division_id=division, key=next(keys))
        for player, division in entries
    )
    if made:
        after = {"players": {str(e.pk): e.player_id for e in made}}
        done.log("roster.enter", f"competition:{done.competition.pk}", after=after)
    return made


def change_records(done: Change, people: Mapping[int, Facts]) -> None:
    """Change records of the register to what a list or form says of these people."""
    known = Player.objects.filter(pk__in=people).select_related("club").order_by("pk")
    typed_records = {player: people[player.pk] for player in known.prefetch_related("federation_numbers")}
    wanted = {
        player: values
        for player, said in typed_records.items()
        if (values := values_with(player, said)) != values_of(player)
    }
    check_numbers(done.competition, {player.pk: values.numbers for player, values in wanted.items()})
    if locked := find_shown_to_others(done, [player.pk for player in wanted]):
        names = listed(player.name for player in wanted if player.pk in locked)
        raise Refused(
            _(
                "%(names)s: also entered in a competition that you do not organize. Leave the record as it "
                "is, or ask an owner of the league to change it."
            )
            % {"names": names}
        )
    write_everywhere(done, wanted)


def set_facts(done: Change, entrant: Entrant, **facts: int | None) -> None:
    """Change and log the given fields of the entrant."""
    for name, value in facts.items():
        before = getattr(entrant, name)
        if value == before:
            continue
        setattr(entrant, name, value)
        entrant.save(update_fields=[name])
        old, new = ({"player": entrant.player_id, name: each} for each in (before, value))
        done.log(f"entrant.{name}", f"entrant:{entrant.pk}", before=old, after=new)
