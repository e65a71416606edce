"""A competition in which everything that can be named has a bad name; for tests of all pages.

The names are written past the forms, as an older release or a file could have brought them.
"""

from league.models import Division, League, OwnCatalogue, Penalty, Round, RuleBook, RuleSet, Stage
from league.play.results.services import record_result
from players.models import Club as HomeClub
from tests.factories import as_seen
from tests.pages.things import Things, things

MARKUP = (
    "<b>x</b>",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "</title></script><script>alert(1)</script>",
    "{{ 7|add:70000000000 }}{% debug %}",
    "=1+1",
    "javascript:alert(1)",
    "\u202egnirts\u202c",
    "<!-- ",
    "&lt;b&gt;",
    "%(name)s %s {0}",
)
LONG = ("W" * 120, "龍" * 120, "x" * 60 + " " + "y" * 59, "ﷺ" * 20, "👨‍👩‍👧‍👦" * 17, "Ẉ̃" * 40)


def badly_named(names: tuple[str, ...]) -> Things:
    """``things`` with these names for everything, in turn; one more table has a sheet, and a round waits."""
    here = things("spring")
    spring, take = here.club, _turn(names)
    home = HomeClub.objects.create(register=spring.league.register, name=take())
    for player in spring.players:
        player.name, player.romanized, player.club, player.country = take(), take(), home, "HK"
        player.save()
    named = (
        *((League, spring.league.pk), (Division, spring.division.pk), (Stage, spring.stage.pk)),
        (RuleBook, here.book.pk),
        (OwnCatalogue, here.catalogue.pk),
    )
    for model, pk in named:
        model._default_manager.filter(pk=pk).update(name=take())
    type(spring.competition).objects.filter(pk=spring.competition.pk).update(name=take())
    entries = [each | {"names": {"en": take()}, "article": take()} for each in here.catalogue.entries]
    OwnCatalogue.objects.filter(pk=here.catalogue.pk).update(entries=entries)
    RuleSet.objects.filter(divisions=spring.division).update(preset=take()[:40], own_catalogue=here.catalogue)
    Penalty.objects.update(reason=take())
    for user in (spring.alice, spring.bob, spring.charlie, spring.dora):
        user.username = (take() + user.username[:1])[-150:]
        user.save()
    record_result(
        table=spring.table(1, 2), points=(45000, 35000, 25000, 15000), based_on=0, by=spring.charlie
    )
    record_result(
        **as_seen(spring.table(1, 2)), points=(44000, 36000, 25000, 15000), reason=take(), by=spring.alice
    )
    here.invitation.note = take()
    here.invitation.save()
    spring.add_round(opened=True, visibility=Round.Visibility.SEATING)
    spring.competition.refresh_from_db()
    return here


def _turn(names: tuple[str, ...]):
    given = iter(names * 100)
    return lambda: next(given)
