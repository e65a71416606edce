from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from league.core.access import owns
from league.core.changes import Change, Sent, change, refuse_repeat, reread
from league.core.errors import OutOfDate, Refused
from league.core.slugs import address_taken, free_slug
from league.core.text import MOST_NAMED, clauses, listed
from league.core.zones import last_day_of_registrations
from league.models import Competition, Division, Entrant, Registration, Role, Stage, Team
from league.models.names import as_stored
from league.play.bans.queries import banned_here
from league.play.bans.words import ban_words
from league.ranking.seasons.queries import PlayOffEnd, SeasonEnd, is_play_off, play_off_source, season_end
from league.ranking.seasons.words import problem_words, round_words
from league.ranking.stages.services import create_cut_stage, plan_rounds, refuse_unfinished
from league.rules.rule_sets.services import take_to_play
from players.models import Register
from scoring.cuts import HAND, Cut, Terms, evenly_seated
from scoring.promotion import BY_HAND, DOWN, LEAVES, PLAY_OFF, UP, Movement

# Fields that a season does not pass on. All other fields of these models are settings.
NOT_OF_A_COMPETITION = {
    *("id", "slug", "name", "previous", "revision", "version", "created_at"),
    *("first_day", "last_day", "finished_at", "notice", "notice_until", "table_key"),
}
NOT_OF_A_DIVISION = {"id", "competition", "rule_set"}
NOT_OF_A_REGISTRATION = {"id", "competition", "opens_at", "closes_at", "kept_until"}
NOT_OF_A_STAGE = {"id", "division", "position", "carry", "cut"}


# --- settings


def set_movements(
    *, competition: Competition, movements: Mapping[int, Movement], by: User | None, form: Sent | None = None
) -> None:
    """Set the promotion and relegation of these divisions (ids)."""
    with change(competition, by=by, form=form) as done:
        every = list(Division.objects.filter(competition=done.competition))
        if not movements.keys() <= {division.pk for division in every}:
            raise Refused(_("A division was removed a moment ago. Reload the page."))
        for division in every:
            movement = movements.get(division.pk)
            if movement is None or movement.as_values() == division.movement:
                continue
            if division == every[0] and (movement.up or movement.up_play_off):
                raise Refused(_("The highest division cannot have promotion."))
            if division == every[-1] and (movement.down or movement.down_play_off):
                raise Refused(_("The lowest division cannot have relegation."))
            before, division.movement = division.movement, movement.as_values()
            division.save(update_fields=["movement"])
            done.log("division.movement", f"division:{division.pk}", before=before, after=division.movement)


# --- what keeps a season from ending


def refuse_end(end: SeasonEnd) -> None:
    divisions = [division.division for division in end.divisions]
    if end.season.problems:
        raise Refused(clauses(problem_words(problem, divisions) for problem in end.season.problems))
    if not end.tables:
        raise Refused(_("This season has no results that count yet. Play it first."))
    _refuse_rounds(end)
    if end.open:
        raise Refused(_("Some players are tied in every respect. Draw lots between them first."))


def refuse_play_off(end: SeasonEnd) -> None:
    """Raise `Refused` as `refuse_end`, except for play-offs, which are played side by side."""
    before = replace(
        end,
        unfinished=tuple((stage, rounds) for stage, rounds in end.unfinished if not is_play_off(stage)),
        unpublished=tuple(each for each in end.unpublished if not is_play_off(each.stage)),
        open=tuple((stage, players) for stage, players in end.open if not is_play_off(stage)),
    )
    refuse_end(before)


def _refuse_rounds(end: SeasonEnd) -> None:
    for stage, rounds in end.unfinished:
        try:
            refuse_unfinished(rounds)
        except Refused as refusal:
            words = {"division": stage.division.name, "stage": stage.name, "sentence": refusal.message}
            raise Refused(_("%(division)s, %(stage)s: %(sentence)s") % words) from refusal
    if end.unpublished:
        sentence = _(
            "Not published yet: %(rounds)s. Publish these results first: promotion and relegation must "
            "be visible to everyone."
        )
        raise Refused(sentence % {"rounds": listed(map(round_words, end.unpublished[:MOST_NAMED]))})


def refuse_next_season(end: SeasonEnd, by: User | None) -> None:
    refuse_end(end)
    if any(move.kind == PLAY_OFF for move in end.season.moves):
        named = listed(
            _("%(upper)s and %(lower)s") % {"upper": play_off.upper.name, "lower": play_off.lower.name}
            for play_off in end.play_offs
            if not play_off.play_off.decided
        )
        sentence = _("The play-off is not decided yet: %(divisions)s. Play it, or decide by hand.")
        raise Refused(sentence % {"divisions": named})
    _refuse_banned(end.competition, end.to)
    if by is not None and not owns(by, end.competition.league):
        raise Refused(_("Only owners of the league can create the next season. Ask one of them."))


def _refuse_banned(competition: Competition, players: Iterable[int]) -> None:
    if bans := banned_here(competition, list(players)):
        sentence = _("Banned: %(players)s. Remove them by hand, or lift the ban.")
        raise Refused(sentence % {"players": listed(map(ban_words, bans.values()))})


# --- play-offs


def make_play_off(
    *,
    upper: Division,
    name: str,
    hanchan: int,
    seen: str,
    seed: int = 0,
    by: User | None,
    form: Sent | None = None,
) -> Stage:
    """Create the play-off under `upper` as one of its stages, with players of both divisions. They start from
    zero with `hanchan` planned rounds, seated with `seed` if all can play equally often.

    `seen` is the person's `SeasonEnd.fingerprint`. Raises `OutOfDate` if it has changed.
    """
    with change(upper.competition, by=by, form=form) as done:
        # Results and withdrawals may be newer than the page.
        end = season_end(done.competition)
        if any(play_off.upper == upper and play_off.stage for play_off in end.play_offs):
            raise Refused(_("This play-off already exists. To create it again, undo its stage."))
        refuse_play_off(end)
        refuse_changed(end, seen)
        wanted = _find_play_off(end, upper)
        players = [info.player for info in wanted.players]
        stage = create_cut_stage(
            play_off_source(upper),
            name,
            Terms(top=0, picked=tuple(players)),
            Cut.of(players, HAND),
            hanchan=hanchan,
            fallback="play-off",
            play_off=wanted.lower.pk,
        )
        seated = evenly_seated(len(players), hanchan)
        plan_rounds(stage, players, hanchan, seed=seed if seated else None)
        after = {"players": players, "rounds": hanchan, **({"seed": seed} if seated else {})}
        done.log("stage.play_off", f"stage:{stage.pk}", after=after)
        done.answer = {"stage": stage.pk}
        return stage


def refuse_changed(end: SeasonEnd, seen: str) -> None:
    if seen != end.fingerprint:
        raise OutOfDate(_("The competition has changed. Review the end of the season as it would be now."))


def _find_play_off(end: SeasonEnd, upper: Division) -> PlayOffEnd:
    play_off = next((each for each in end.play_offs if each.upper == upper), None)
    if play_off is None:
        raise Refused(_("The settings have no play-off. Set it in the divisions first."))
    return play_off


# --- the next season


def make_next_season(
    *,
    competition: Competition,
    name: str,
    slug: str = "",
    by_hand: Mapping[int, int | None] = {},
    reason: str = "",
    keep_roles: bool = False,
    seen: str,
    by: User,
    form: Sent | None = None,
) -> Competition:
    """Create a competition with the same settings, divisions, rule sets and first stages. Players enter their
    next division with this season's rank. Withdrawn players and banned substitutes stay behind.

    `slug`: the address, derived from the name if empty. `by_hand`: player → division, or None if they leave,
    with the `reason`. `seen` is the person's `SeasonEnd.fingerprint`. Raises `OutOfDate` if it has changed.
    """
    with transaction.atomic():
        # Locks the register first, like services that enter players, against merges and bans meanwhile.
        reread(Register.objects.select_for_update(), pk=competition.league.register_id)
        with change(competition, by=by, form=form, even_finished=True) as done:
            end = season_end(done.competition, by_hand)
            refuse_next_season(end, by)
            refuse_changed(end, seen)
            if by_hand and not reason.strip():
                raise Refused(
                    _("Give a reason for placing a player differently from the rules."), field="reason"
                )
            made = _create_competition(done.competition, name, slug, previous=done.competition)
            with change(made, by=by, at=done.at) as new:
                _fill_season(new, end, done.competition)
                if keep_roles:
                    _keep_roles(new, done.competition)
            after = _describe_moves(end, made) | ({"reason": reason} if by_hand else {})
            done.log("season.next", f"competition:{competition.pk}", after=after)
            done.answer = {"competition": made.pk, "slug": made.slug}
            return made


def _settings(of: Model, but: set[str]) -> dict[str, Any]:
    return {
        field.name: as_stored(of, field.name) for field in of._meta.concrete_fields if field.name not in but
    }


def copy_competition(
    *,
    competition: Competition,
    name: str,
    first_day: date | None = None,
    last_day: date | None = None,
    roster: bool = False,
    by: User,
    form: Sent | None = None,
) -> Competition:
    """Create a competition with the same settings, divisions, rule sets and first stages.

    `roster`: enter the same players in the same divisions and teams, except withdrawn and banned ones.
    """
    if not owns(by, competition.league):
        raise Refused(_("Only owners of the league can copy its competitions. Ask one of them."))
    with transaction.atomic():
        reread(Register.objects.select_for_update(), pk=competition.league.register_id)
        if form is not None:
            refuse_repeat(form, by=by)  # under the register's lock, where the same form waits
        old = reread(Competition.objects.select_related("league"), pk=competition.pk)
        made = _create_competition(old, name, "", first_day=first_day, last_day=last_day)
        with change(made, by=by, form=form) as new:
            after = {"slug": made.slug, "copy_of": old.slug}
            new.log("competition.create", f"competition:{made.pk}", after=after)
            divisions = {division.pk: _create_division(new, division) for division in old.divisions.all()}
            if roster:
                entered = Entrant.objects.playing().filter(competition=old)
                free = entered.exclude(player__in=list(banned_here(made)))
                _enter_same(new, old, free, lambda each: divisions.get(each.division_id or 0))
            new.answer = {"competition": made.pk, "slug": made.slug}
        return made


def _create_competition(old: Competition, name: str, slug: str, **facts: object) -> Competition:
    slugs = set(Competition.objects.values_list("slug", flat=True))
    settings = _settings(old, NOT_OF_A_COMPETITION) | facts
    with address_taken(_("Another competition has this address. Choose another one.")):
        return Competition.objects.create(
            **settings, name=name, slug=slug or free_slug(name, slugs, fallback="season")
        )


def _fill_season(new: Change, end: SeasonEnd, old: Competition) -> None:
    after = {"slug": new.competition.slug, "previous": old.slug}
    new.log("competition.create", f"competition:{new.competition.pk}", after=after)
    divisions = {division.division.pk: _create_division(new, division.division) for division in end.divisions}
    _enter_all(new, end, old, divisions)


def _create_division(new: Change, old: Division) -> Division:
    """Create the division with its first stage and its registration form, which stays closed.

    The league's own edition is shared, a copy copied.
    """
    division = Division.objects.create(
        **_settings(old, NOT_OF_A_DIVISION),
        competition=new.competition,
        rule_set=take_to_play(old.rule_set, league_id=new.competition.league_id),
    )
    new.log(
        "division.create",
        f"division:{division.pk}",
        after={"slug": division.slug, "preset": division.rule_set.preset, "values": division.rule_set.values},
    )
    first = Stage.objects.filter(division=old).first()
    if first is not None:
        stage = Stage.objects.create(division=division, **_settings(first, NOT_OF_A_STAGE))
        new.log("stage.create", f"stage:{stage.pk}", after={"division": division.pk, "slug": stage.slug})
    for registration in Registration.objects.filter(competition=old.competition_id, division=old.slug):
        copy = Registration.objects.create(
            **_settings(registration, NOT_OF_A_REGISTRATION),
            competition=new.competition,
            kept_until=last_day_of_registrations(new.competition),
        )
        new.log("registration.set", f"registration:{copy.pk}", after={"division": division.slug})
    return division


def _enter_all(new: Change, end: SeasonEnd, old: Competition, divisions: Mapping[int, Division]) -> None:
    """Enter everyone who goes on under the same key, with substitutes and players without a division."""
    to = {player: divisions[division.pk] for player, division in end.to.items()}
    leaving = {
        line.info.player for division in end.divisions for line in division.lines if line.move.kind == LEAVES
    }
    entered = Entrant.objects.playing().filter(competition=old).exclude(player__in=leaving)
    # Substitutes have no final rank, so no decision by hand can leave them out.
    entered = entered.exclude(is_substitute=True, player__in=list(banned_here(new.competition)))
    # A ban waived in one season applies in the next.
    _refuse_banned(new.competition, entered.values_list("player", flat=True))
    _enter_same(
        new,
        old,
        entered,
        lambda each: to.get(each.player_id) or divisions.get(each.division_id or 0),
        end.previous_ranks,
    )


def _enter_same(
    new: Change,
    old: Competition,
    entered: QuerySet[Entrant],
    division_of: Callable[[Entrant], Division | None],
    ranks: Mapping[int, int | None] = {},
) -> None:
    teams = _create_teams(new, old)
    made = Entrant.objects.bulk_create(
        Entrant(
            competition=new.competition,
            player_id=each.player_id,
            key=each.key,
            division=division_of(each),
            team=teams.get(each.team_id or 0),
            is_substitute=each.is_substitute,
            is_guest=each.is_guest,
            previous_rank=ranks.get(each.player_id),
        )
        for each in entered.order_by("pk")
    )
    after = {"players": {str(each.pk): each.player_id for each in made}}
    new.log("roster.enter", f"competition:{new.competition.pk}", after=after)


def _create_teams(new: Change, old: Competition) -> dict[int, Team]:
    teams = Team.objects.filter(competition=old).order_by("pk")
    return {
        team.pk: Team.objects.create(**_settings(team, {"id", "competition"}), competition=new.competition)
        for team in teams
    }


def _keep_roles(new: Change, old: Competition) -> None:
    staff = (Role.Kind.ORGANIZER, Role.Kind.CHIEF, Role.Kind.REFEREE, Role.Kind.SCORER)
    for role in Role.objects.filter(competition=old, kind__in=staff).order_by("pk"):
        Role.objects.create(
            competition=new.competition, user_id=role.user_id, kind=role.kind, player_id=role.player_id
        )
        new.log("role.grant", f"user:{role.user_id}", after={"role": str(role.kind)})


def _describe_moves(end: SeasonEnd, made: Competition) -> dict[str, object]:
    moves = end.season.moves
    by_hand = [move.player for move in moves if move.why == BY_HAND]
    return {
        "next_season": made.slug,
        "moved_up": [move.player for move in moves if move.kind == UP],
        "moved_down": [move.player for move in moves if move.kind == DOWN],
        **({"by_hand": by_hand} if by_hand else {}),
    }
