"""Set the screens in the hall and hold the award ceremony.

Visitors see them on pages with versions of their own, so that a press raises no revision.
"""

from collections.abc import Mapping
from functools import partial

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.changes import Sent, change, reread
from league.core.errors import Refused
from league.core.slugs import free_slug
from league.extras.hall.queries.screens import ceremony_steps
from league.models import Ceremony, Competition, Screen, Stage

MOST_SCREENS = 40
_change = partial(change, even_finished=True, public=False)


def add_screen(*, competition: Competition, name: str, by: User, form: Sent | None = None) -> Screen:
    with _change(competition, by=by, form=form) as done:
        taken = set(Screen.objects.filter(competition=competition).values_list("slug", flat=True))
        if len(taken) >= MOST_SCREENS:
            raise Refused(_("This competition has many screens. Delete one first."))
        slug = free_slug(name, taken, fallback="screen")
        screen = Screen.objects.create(competition=competition, slug=slug, name=name)
        done.log("screen.add", f"screen:{screen.pk}", after={"slug": slug})
        done.answer = {"screen": screen.pk}
        return screen


def set_screen(*, screen: Screen, values: Mapping[str, object], by: User, form: Sent | None = None) -> Screen:
    """Set fields of the screen. A message without a text, or a stream without a table, is refused."""
    with _change(screen.competition, by=by, form=form) as done:
        screen = reread(Screen.objects.all(), pk=screen.pk)
        for name, value in values.items():
            setattr(screen, name, value)
        if screen.shows == Screen.Shows.MESSAGE and not screen.text:
            raise Refused(_("Enter the message first, in the settings of this screen."), field="text")
        if screen.shows == Screen.Shows.STREAM and screen.table is None:
            words = _("Enter the number of the table first, in the settings of this screen.")
            raise Refused(words, field="table")
        screen.version += 1
        screen.save()
        done.log("screen.set", f"screen:{screen.pk}", after={"slug": screen.slug, "shows": screen.shows})
        done.answer = {"screen": screen.pk}
        return screen


def remove_screen(*, screen: Screen, by: User, form: Sent | None = None) -> None:
    with _change(screen.competition, by=by, form=form) as done:
        reread(Screen.objects.all(), pk=screen.pk).delete()
        done.log("screen.remove", f"screen:{screen.pk}", before={"slug": screen.slug})


def start_ceremony(*, stage: Stage, places: int, by: User, form: Sent | None = None) -> Ceremony:
    """Show the ceremony on all screens, with nothing revealed. `places`: see `Ceremony`."""
    competition = stage.competition
    steps = ceremony_steps(stage, places=places)
    with _change(competition, by=by, form=form) as done:
        if Ceremony.objects.filter(competition=competition).exists():
            raise Refused(_("A ceremony has already started. End it first."))
        if not steps:
            raise Refused(_("No results yet. Play a round first."))
        made = Ceremony.objects.create(competition=competition, stage=stage, places=places)
        done.log("ceremony.start", f"stage:{stage.pk}", after={"places": places})
        done.answer = {"ceremony": made.pk}
        return made


def reveal(*, ceremony: Ceremony, seen: int, back: bool = False, by: User, form: Sent | None = None) -> None:
    """Reveal the next place, or hide the last one again. `seen`: the number of steps on the page, so that of
    two people who press at once only one does.
    """
    # Before the change, since what is computed in a refused one would stay in the cache.
    steps = len(ceremony_steps(ceremony.stage, places=ceremony.places))
    with _change(ceremony.competition, by=by, form=form) as done:
        row = reread(Ceremony.objects.all(), pk=ceremony.pk)
        if row.revealed != seen:
            raise Refused(_("Someone else pressed a moment ago. Look at the screen, then press."))
        row.revealed += -1 if back else 1
        if not 0 <= row.revealed <= steps:
            raise Refused(_("No place is revealed yet.") if back else _("All places are revealed."))
        row.save(update_fields=["revealed"])
        action, after = "ceremony.undo" if back else "ceremony.reveal", {"revealed": row.revealed}
        done.log(action, f"stage:{row.stage_id}", before={"revealed": seen}, after=after)
        done.answer = {**after}


def end_ceremony(*, ceremony: Ceremony, by: User, form: Sent | None = None) -> None:
    with _change(ceremony.competition, by=by, form=form) as done:
        row = reread(Ceremony.objects.all(), pk=ceremony.pk)
        row.delete()
        done.log("ceremony.end", f"stage:{row.stage_id}", before={"revealed": row.revealed})
