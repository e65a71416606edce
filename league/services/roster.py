"""Players of a competition: entered, changed, withdrawn, removed, and two records of one person merged.

People belong to the league's register, so one change may show in several competitions: each of them gets
its audit entry and a new revision. All of it happens under a lock on the register, so that nobody is
entered elsewhere meanwhile.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from types import EllipsisType

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from league.access import organized_by
from league.models import Adjustment, Ban, Competition, Division, Entrant, Penalty, Role, Round, Seat
from league.queries.roster import Plan, PlannedLine, competitions_of, is_seated, plan_roster
from league.services.bans import admit
from league.services.calendar import forget_consents, take_over_consents
from league.services.changes import Change, Form, change
from league.services.errors import Refused
from league.services.seating import take_over_drafts
from league.services.stages import refuse_both_in_a_cut, take_over_cuts
from league.services.teams import forget_line_ups, take_over_line_ups
from players.matching import Number, exact_key, number_key
from players.models import Club, FederationNumber, Player, Register
from players.roster import RosterLine, read_roster


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerValues:
    """What a register says of a person. ``country`` is alpha-2 or empty; ``club`` a name, made if it is
    new.
    """

    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    numbers: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines of a roster became entrants: new people, people of the register, and lines left out."""

    new: int
    same: int
    skipped: int


# --- entering -----------------------------------------------------------------------------------------------


def import_roster(
    *,
    competition: Competition,
    text: str,
    picks: Collection[str] = (),
    division: str = "",
    despite: str = "",
    by: User,
    form: Form | None = None,
) -> Imported:
    """Enter everyone of the list, or nobody. ``despite``: why those under a ban play all the same.

    The text is read and held against the register again under the lock: what the preview page said is not
    believed. Raises ``Refused`` when a line has a problem or leaves open who it is, and for the banned.
    """
    with _register_change(competition, by=by, form=form) as done:
        plan = plan_roster(competition, read_roster(text), picks=picks, division=division)
        if not plan.is_clear:
            raise Refused(_("Nothing was saved: some lines need your attention first."))
        known = [line.person.pk for line in plan.lines if line.action == "same" and line.person]
        admit(done, known, despite=despite)
        _enter(done, plan)
        result = Imported(new=plan.new, same=plan.same, skipped=plan.skipped)
        done.answer = {"new": result.new, "same": result.same, "skipped": result.skipped}
        return result


def enter_player(
    *,
    competition: Competition,
    values: PlayerValues,
    division: Division | None,
    same_as: int | None = None,
    despite: str = "",
    by: User,
    form: Form | None = None,
) -> Entrant:
    """Enter one player: a new person, or ``same_as`` of the register, whose empty fields are filled.
    ``despite``: why a player under a ban plays all the same.

    Raises ``Refused`` when that person is entered already or banned, or a number belongs to somebody else.
    """
    with _register_change(competition, by=by, form=form) as done:
        if same_as is None:
            _check_numbers(competition, values.numbers, but=None)
            player = _create_players(competition, [values])[0]
        else:
            player = _of_register(competition, same_as)
            if Entrant.objects.filter(competition=competition, player=player).exists():
                raise Refused(_("This player is entered already."), field="name")
            admit(done, [player.pk], despite=despite)
            _check_numbers(competition, values.numbers, but=player.pk)
            _fill(done, {player.pk: values})
        entrant = _create_entrants(done, [(player.pk, division.pk if division else None)])[0]
        done.answer = {"entrant": entrant.pk}
        return entrant


def _enter(done: Change, plan: Plan) -> None:
    new = [line for line in plan.lines if line.action == "new"]
    made = _create_players(done.competition, [_values(line.line) for line in new])
    by_line = {line.line.number: player.pk for line, player in zip(new, made, strict=True)}
    same = {line.person.pk: line for line in plan.lines if line.action == "same" and line.person}
    by_line |= {line.line.number: pk for pk, line in same.items()}
    _fill(done, {pk: _values(line.line) for pk, line in same.items()})
    _create_entrants(done, [(by_line[p.line.number], _division_id(p)) for p in plan.lines if p.saves])


def _values(line: RosterLine) -> PlayerValues:
    return PlayerValues(
        name=line.name,
        romanized=line.romanized,
        country=line.country,
        club=line.club,
        numbers=line.numbers,
    )


def _division_id(plan: PlannedLine) -> int | None:
    return plan.division.pk if plan.division else None


def _create_players(competition: Competition, people: Sequence[PlayerValues]) -> list[Player]:
    register = competition.league.register_id
    clubs = _clubs(register, [p.club for p in people])
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


def _create_entrants(done: Change, entries: Sequence[tuple[int, int | None]]) -> list[Entrant]:
    """Enter (player id, division id), each with the next free key."""
    keys = _free_keys(done.competition)
    made = Entrant.objects.bulk_create(
        Entrant(competition=done.competition, player_id=player, division_id=division, key=next(keys))
        for player, division in entries
    )
    if made:
        after = {"players": {str(e.pk): e.player_id for e in made}}
        done.log("roster.enter", f"competition:{done.competition.pk}", after=after)
    return made


def _free_keys(competition: Competition) -> Iterator[str]:
    """p1, p2, … after the highest of that form: a gap is not filled, so that old exports stay unambiguous."""
    taken = set(Entrant.objects.filter(competition=competition).values_list("key", flat=True))
    ours = [key for key in taken if re.fullmatch(r"p[0-9]{1,9}", key)]
    highest = max((int(key[1:]) for key in ours), default=0)
    return (f"p{number}" for number in count(highest + 1) if f"p{number}" not in taken)


def _clubs(register: int, names: Iterable[str]) -> dict[str, int]:
    """Folded name → club, made where there is none of that name in any case, width or spacing."""
    known = {exact_key(n): pk for pk, n in Club.objects.filter(register=register).values_list("pk", "name")}
    wanted = {exact_key(name): name for name in reversed(list(names)) if name}
    made = Club.objects.bulk_create(
        Club(register_id=register, name=name) for key, name in wanted.items() if key not in known
    )
    return known | {exact_key(club.name): club.pk for club in made}


def _fill(done: Change, people: Mapping[int, PlayerValues]) -> None:
    """Fill what the register leaves empty; what it says stays.

    People who are entered where ``done.by`` is no organizer keep their record as it is.
    """
    known = Player.objects.filter(pk__in=people).select_related("club").order_by("pk")
    wanted = [
        (player, _with_gaps_filled(player, people[player.pk]))
        for player in known.prefetch_related("federation_numbers")
    ]
    changed = [(player, values) for player, values in wanted if values is not None]
    locked_out = _shown_to_others(done, [player.pk for player, _values in changed])
    changed = [(player, values) for player, values in changed if player.pk not in locked_out]
    if not changed:
        return
    with _everywhere(done, [player.pk for player, _values in changed]) as changes:
        clubs = _clubs(done.competition.league.register_id, [values.club for _player, values in changed])
        for player, values in changed:
            _write_player(changes, player, values, clubs)


def _with_gaps_filled(player: Player, given: PlayerValues) -> PlayerValues | None:
    """The record with its empty fields taken from ``given``; None if that changes nothing."""
    known = values_of(player)
    federations = {number_key(n)[0] for n in known.numbers}
    extra = tuple(n for n in given.numbers if number_key(n)[0] not in federations)
    filled = replace(
        known,
        romanized=known.romanized or given.romanized,
        country=known.country or given.country,
        club=known.club or given.club,
        numbers=known.numbers + extra,
    )
    return None if filled == known else filled


# --- changing -----------------------------------------------------------------------------------------------


def update_entrant(
    *,
    entrant: Entrant,
    values: PlayerValues,
    division: Division | None,
    previous_rank: int | EllipsisType | None = ...,
    by: User,
    form: Form | None = None,
) -> Entrant:
    """Change the person's record, their division here and their rank of last season (``...``: as it is).

    Raises ``Refused`` when a number belongs to somebody else, or when the person is also entered in a
    competition that ``by`` does not organize and the record (not only the division) would change.
    """
    with _register_change(entrant.competition, by=by, form=form) as done:
        # Read again under the lock: somebody may have changed or removed the player since the page was
        # opened.
        entrant = _entrant(done.competition, entrant.pk)
        player = entrant.player
        _check_numbers(done.competition, values.numbers, but=player.pk)
        if values != values_of(player):
            if _shown_to_others(done, [player.pk]):
                raise Refused(
                    _(
                        "This player is also entered in a competition that you do not organize:"
                        " ask the owner of the league to change the record. The division can be changed here."
                    )
                )
            with _everywhere(done, [player.pk]) as changes:
                _write_player(changes, player, values, _clubs(player.register_id, [values.club]))
        _set_division(done, entrant, division)
        if not isinstance(previous_rank, EllipsisType):
            _set_previous_rank(done, entrant, previous_rank)
        done.answer = {"entrant": entrant.pk}
        return entrant


def _set_previous_rank(done: Change, entrant: Entrant, rank: int | None) -> None:
    if rank == entrant.previous_rank:
        return
    before = {"player": entrant.player_id, "previous_rank": entrant.previous_rank}
    entrant.previous_rank = rank
    entrant.save(update_fields=["previous_rank"])
    after = {"player": entrant.player_id, "previous_rank": rank}
    done.log("entrant.previous_rank", f"entrant:{entrant.pk}", before=before, after=after)


def withdraw_entrant(*, entrant: Entrant, by: User, form: Form | None = None) -> Entrant:
    """The player plays no further round; what they played stays and counts."""
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _entrant(done.competition, entrant.pk)
        if entrant.withdrawn_at is not None:
            raise Refused(_("This player has withdrawn already."))
        entrant.withdrawn_at = done.at
        entrant.save(update_fields=["withdrawn_at"])
        done.log("entrant.withdraw", f"entrant:{entrant.pk}", after={"player": entrant.player_id})
        done.answer = {"entrant": entrant.pk}
        return entrant


def reinstate_entrant(*, entrant: Entrant, despite: str = "", by: User, form: Form | None = None) -> Entrant:
    """A player who had withdrawn plays again; ``despite`` a ban, if it says why."""
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _entrant(done.competition, entrant.pk)
        if entrant.withdrawn_at is None:
            raise Refused(_("This player has not withdrawn."))
        admit(done, [entrant.player_id], despite=despite)
        entrant.withdrawn_at = None
        entrant.save(update_fields=["withdrawn_at"])
        done.log("entrant.reinstate", f"entrant:{entrant.pk}", after={"player": entrant.player_id})
        done.answer = {"entrant": entrant.pk}
        return entrant


def remove_entrant(*, competition: Competition, entrant_id: int, by: User, form: Form | None = None) -> None:
    """Take out a player who was never seated. A person who is entered nowhere else leaves the register too,
    unless they were banned: a ban stays with its person.

    Raises ``Refused`` when the player has a seat or a penalty here, ``Entrant.DoesNotExist`` for an id of
    another competition.
    """
    with _register_change(competition, by=by, form=form) as done:
        entrant = _entrant(done.competition, entrant_id)
        if is_seated(entrant):
            raise Refused(_("This player has been seated or has a penalty: withdraw them instead."))
        player = entrant.player
        done.log(
            "entrant.remove",
            f"entrant:{entrant.pk}",
            before={"player": player.pk, "division": entrant.division_id},
        )
        forget_line_ups(done.competition, player.pk)
        forget_consents(done.competition, player.pk)
        entrant.delete()
        if not competitions_of([player.pk]).exists() and not player.bans.exists():
            player.delete()


def values_of(player: Player) -> PlayerValues:
    """The record as the register has it."""
    return PlayerValues(
        name=player.name,
        romanized=player.romanized,
        country=player.country,
        club=player.club.name if player.club else "",
        numbers=tuple((n.federation, n.number) for n in player.federation_numbers.all()),
    )


def _set_division(done: Change, entrant: Entrant, division: Division | None) -> None:
    wanted = division.pk if division else None
    if wanted == entrant.division_id:
        return
    before = {"player": entrant.player_id, "division": entrant.division_id}
    entrant.division = division
    entrant.save(update_fields=["division"])
    done.log("entrant.update", f"entrant:{entrant.pk}", before=before, after={**before, "division": wanted})


def _write_player(
    changes: Iterable[Change], player: Player, values: PlayerValues, clubs: Mapping[str, int]
) -> None:
    """Write the record and log it everywhere it shows: which fields changed, and values that are no names."""
    before = values_of(player)
    club_before = player.club_id
    player.name, player.romanized, player.country = values.name, values.romanized, values.country
    player.club_id = clubs.get(exact_key(values.club))
    player.save()
    if before.numbers != values.numbers:
        player.federation_numbers.all().delete()
        FederationNumber.objects.bulk_create(
            FederationNumber(player=player, federation=federation, number=number)
            for federation, number in values.numbers
        )
    fields = [f for f in ("name", "romanized", "numbers") if getattr(before, f) != getattr(values, f)]
    for done in changes:
        done.log(
            "player.update",
            f"player:{player.pk}",
            before={"country": before.country, "club": club_before},
            after={"country": values.country, "club": player.club_id, "changed": fields},
        )


def _check_numbers(competition: Competition, numbers: Sequence[Number], *, but: int | None) -> None:
    federations = [number_key(n)[0] for n in numbers]
    if len(set(federations)) != len(federations):
        raise Refused(_("A player has one number of each federation."), field="numbers")
    taken = FederationNumber.objects.filter(player__register=competition.league.register_id)
    held = {number_key(n) for n in taken.exclude(player=but).values_list("federation", "number")}
    for number in numbers:
        if number_key(number) in held:
            raise Refused(
                _("%(number)s is the number of another player of this league.")
                % {"number": " ".join(number)},
                field="numbers",
            )


# --- merging ------------------------------------------------------------------------------------------------


def merge_players(
    *,
    competition: Competition,
    keep: int,
    gone: int,
    values: PlayerValues,
    by: User,
    form: Form | None = None,
) -> Player:
    """Make two records of the register one: ``keep`` gets all of ``gone``: seats, penalties, entries, bans.

    ``competition`` is the one from whose pages this is done. Raises ``Refused`` when the two sit in one
    round, when ``by`` does not organize every competition that changes, or when a record is gone already.
    """
    with _register_change(competition, by=by, form=form) as done:
        stays, goes = _of_register(competition, keep), _of_register(competition, gone)
        if stays.pk == goes.pk:
            raise Refused(_("Choose two different players."))
        if _shown_to_others(done, [stays.pk, goes.pk]):
            raise Refused(
                _(
                    "One of the two is entered in a competition that you do not organize:"
                    " only the owner of the league can merge them."
                )
            )
        _refuse_clash(stays, goes)
        with _everywhere(done, [stays.pk, goes.pk]) as changes:
            changes = list(changes)
            for each in changes:
                _repoint(each, stays, goes)
            Ban.objects.filter(player=goes).update(player=stays)
            Role.objects.filter(player=goes).update(player=stays)
            goes.delete()
            _check_numbers(competition, values.numbers, but=stays.pk)
            if values != values_of(stays):
                _write_player(changes, stays, values, _clubs(stays.register_id, [values.club]))
        done.answer = {"player": stays.pk}
        return stays


def shared_round(one: int, other: int) -> Round | None:
    """A round in which both players have a seat, or somebody sits for them: proof that they are two people.
    None if there is none.
    """
    found = Round.objects.filter(_took_part(one)).filter(_took_part(other))
    return found.select_related("stage__division__competition").order_by("pk").first()


def _took_part(player: int) -> Q:
    """Of rounds: those in which the player has a seat, a substitute, or points for not playing."""
    seats = Seat.objects.filter(Q(player=player) | Q(stands_for=player), round=OuterRef("pk"))
    adjustments = Adjustment.objects.filter(player=player, round=OuterRef("pk"), revoked_at__isnull=True)
    return Q(Exists(seats)) | Q(Exists(adjustments))


def _refuse_clash(one: Player, other: Player) -> None:
    both = shared_round(one.pk, other.pk)
    if both is not None:
        raise Refused(
            _("Both played in round %(round)s of %(competition)s: these are two people and cannot be merged.")
            % {"round": both.number, "competition": both.stage.division.competition.name}
        )
    refuse_both_in_a_cut(one.pk, other.pk)


def _repoint(done: Change, keep: Player, gone: Player) -> None:
    """Everything of ``gone`` in one competition becomes ``keep``'s; two entries become one."""
    take_over_consents(done.competition, keep=keep.pk, gone=gone.pk)
    seats = Seat.objects.filter(player=gone, round__stage__division__competition=done.competition)
    penalties = Penalty.objects.filter(player=gone, competition=done.competition)
    moved: dict[str, object] = {
        "player": gone.pk,
        "seats": list(seats.order_by("pk").values_list("pk", flat=True)),
        "penalties": list(penalties.order_by("pk").values_list("pk", flat=True)),
    }
    entries = {
        e.player_id: e for e in Entrant.objects.filter(competition=done.competition, player__in=(keep, gone))
    }
    if gone.pk not in entries and not moved["seats"] and not moved["penalties"]:
        return
    seats.update(player=keep)
    Seat.objects.filter(stands_for=gone, round__stage__division__competition=done.competition).update(
        stands_for=keep
    )
    Adjustment.objects.filter(player=gone, stage__division__competition=done.competition).update(player=keep)
    penalties.update(player=keep)
    take_over_cuts(done.competition, keep=keep.pk, gone=gone.pk)
    take_over_line_ups(done.competition, keep=keep.pk, gone=gone.pk)
    take_over_drafts(done.competition, keep=keep.pk, gone=gone.pk)
    entrant = _united(entries.get(keep.pk), entries.get(gone.pk), keep)
    if gone.pk in entries:
        moved["entrant"] = entries[gone.pk].pk
    after = {"player": keep.pk, "entrant": entrant.pk if entrant else None}
    done.log("player.merge", f"player:{keep.pk}", before=moved, after=after)


def _united(stays: Entrant | None, goes: Entrant | None, keep: Player) -> Entrant | None:
    """One entry of two: the staying one's key, and what it lacks from the other; playing if either plays."""
    if goes is None:
        return stays
    if stays is None:
        goes.player = keep
        goes.save(update_fields=["player"])
        return goes
    pk = goes.pk
    goes.delete()
    goes.pk = pk  # the log names the entry that went
    stays.division_id = stays.division_id or goes.division_id
    stays.team_id = stays.team_id or goes.team_id
    if goes.withdrawn_at is None:
        stays.withdrawn_at = None
    stays.save(update_fields=["division", "team", "withdrawn_at"])
    return stays


# --- locks and reach ----------------------------------------------------------------------------------------


@contextmanager
def _register_change(competition: Competition, *, by: User, form: Form | None) -> Iterator[Change]:
    """A change of the competition under the lock of its league's register.

    Two organizers of one league may enter the same person at once: here the second sees the first one's.
    """
    with transaction.atomic():
        Register.objects.select_for_update().get(pk=competition.league.register_id)
        with change(competition, by=by, form=form) as done:
            yield done


@contextmanager
def _everywhere(done: Change, player_ids: Collection[int]) -> Iterator[list[Change]]:
    """``done`` and a change of every other competition that shows one of these players."""
    others = competitions_of(player_ids).exclude(pk=done.competition.pk)
    with ExitStack() as stack:
        yield [done, *(stack.enter_context(change(other, by=done.by, at=done.at)) for other in others)]


def _shown_to_others(done: Change, player_ids: Collection[int]) -> set[int]:
    """Those of these players who are in a competition that the acting person does not organize."""
    if not player_ids or done.by is None:
        return set()
    others = competitions_of(player_ids).exclude(pk=done.competition.pk)
    foreign = {other.pk for other in others} - {own.pk for own in organized_by(done.by, others)}
    ids = list(player_ids)
    entered = Entrant.objects.filter(competition__in=foreign, player__in=ids).values_list(
        "player_id", flat=True
    )
    seated = Seat.objects.filter(round__stage__division__competition__in=foreign, player__in=ids).values_list(
        "player_id", flat=True
    )
    punished = Penalty.objects.filter(competition__in=foreign, player__in=ids).values_list(
        "player_id", flat=True
    )
    return {*entered, *seated, *punished}


def _entrant(competition: Competition, pk: int) -> Entrant:
    found = Entrant.objects.select_related("competition__league", "player__club", "division")
    return found.get(competition=competition, pk=pk)


def _of_register(competition: Competition, pk: int) -> Player:
    found = Player.objects.select_related("club").filter(register=competition.league.register_id)
    player = found.filter(pk=pk).first()
    if player is None:
        raise Refused(_("This player is not in the register any more. Open the page again."))
    return player
