"""The door for extras: Django apps that an installation may leave out of ``INSTALLED_APPS``.

The core imports no extra. It asks by place. An extra says in its ``apps.py`` what it gives at which place.
``docs/extras.md`` lists the places.

The facts of extras are in ``league.models``. The core erases, merges, backs up and exports them also while
the extra is left out.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, TypeVar

from django.apps import AppConfig, apps
from django.urls import URLPattern, URLResolver, include, path
from django.utils.functional import Promise
from django.utils.module_loading import import_string

Offered = Callable[..., Any]
Given = TypeVar("Given")


@dataclass(frozen=True)
class Item:
    """A link in the menu ``place``.

    ``address``: the name of its page, which takes the slug of the competition or league whose menu it is,
    unless the page ``is_of_site``. ``query`` follows it. ``note``: what the page is for. ``also``: other
    words by which the organizer's page finds it.
    """

    place: str
    label: str | Promise
    address: str
    note: str | Promise = ""
    is_of_site: bool = False
    also: str | Promise = ""
    query: str = ""


class Extra(AppConfig):
    """An app that the core does not know. Functions are named below its package: "services.take_over".

    ``menu``: links in menus. ``panels``: place on a page → template, rendered with the page's context.
    ``offers``: place → function that the core calls. ``follows``: action of the log → function called with
    the open ``Change`` and the ``Fact``, before the transaction ends. ``below``: tab of a competition → pages
    of this extra that belong to it.

    Its ``urls`` are included if it has them, and its ``senders`` are imported at the start.
    """

    default = False  # Django takes the app's own class, and not this one that its module imports
    menu: ClassVar[Sequence[Item]] = ()
    panels: ClassVar[Mapping[str, str]] = {}
    offers: ClassVar[Mapping[str, str]] = {}
    follows: ClassVar[Mapping[str, str]] = {}
    below: ClassVar[Mapping[str, Sequence[str]]] = {}

    def __init_subclass__(cls) -> None:
        cls.default = True

    def ready(self) -> None:
        """Import what is named, so that a wrong name ends the start."""
        for named in {*self.offers.values(), *self.follows.values()}:
            self.find(named)
        if self._has("senders"):
            import_module(f"{self.name}.senders")

    def find(self, named: str) -> Offered:
        offered: Offered = import_string(f"{self.name}.{named}")
        return offered

    @property
    def addresses(self) -> list[URLPattern | URLResolver]:
        return [path("", include(f"{self.name}.urls"))] if self._has("urls") else []

    def _has(self, module: str) -> bool:
        return find_spec(f"{self.name}.{module}") is not None


def answers(place: str, *arguments: object, **named: object) -> list[Any]:
    """Call the functions that extras offer at this place, and return what they answer."""
    return [function(*arguments, **named) for function in _door().offers.get(place, ())]


def first_answer(place: str, *arguments: object, default: object = None, **named: object) -> Any:
    """Return what the first extra answers that offers a function at this place, or ``default``."""
    return next(iter(answers(place, *arguments, **named)), default)


def following(action: str) -> Sequence[Offered]:
    """Return the functions that follow this action of the log."""
    return _door().follows.get(action, ())


def menu_at(place: str) -> Sequence[Item]:
    return _door().menus.get(place, ())


def panels_at(place: str) -> Sequence[str]:
    """Return the templates that extras show at this place."""
    return _door().panels.get(place, ())


def pages_below(tab: str) -> Sequence[str]:
    """Return the pages of extras that belong to this tab of a competition."""
    return _door().below.get(tab, ())


def installed() -> tuple[Extra, ...]:
    """Return the extras of this installation, in the order of ``INSTALLED_APPS``."""
    return tuple(app for app in apps.get_app_configs() if isinstance(app, Extra))


@dataclass(frozen=True)
class _Door:
    """Hold what all extras give, by place, in the order of ``INSTALLED_APPS``."""

    offers: Mapping[str, Sequence[Offered]]
    follows: Mapping[str, Sequence[Offered]]
    menus: Mapping[str, Sequence[Item]]
    panels: Mapping[str, Sequence[str]]
    below: Mapping[str, Sequence[str]]


def _door() -> _Door:
    return _gather(installed())


@cache
def _gather(extras: Sequence[Extra]) -> _Door:
    return _Door(
        offers=_by_place(
            (place, extra.find(name)) for extra in extras for place, name in extra.offers.items()
        ),
        follows=_by_place(
            (what, extra.find(name)) for extra in extras for what, name in extra.follows.items()
        ),
        menus=_by_place((item.place, item) for extra in extras for item in extra.menu),
        panels=_by_place(pair for extra in extras for pair in extra.panels.items()),
        below=_by_place(
            (tab, page) for extra in extras for tab, pages in extra.below.items() for page in pages
        ),
    )


def _by_place(pairs: Iterable[tuple[str, Given]]) -> Mapping[str, Sequence[Given]]:
    gathered: dict[str, list[Given]] = {}
    for place, given in pairs:
        gathered.setdefault(place, []).append(given)
    return gathered
