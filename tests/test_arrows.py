"""Who may import whom: pages → services and queries → models → scoring. Imports inside functions count."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("views", "tables", "exports", "imports", "management", "forms", "admin", "templatetags", "urls")
WRITES_AND_READS = ("services", "queries", "access")

# (who, must not import): each is a module or package, and everything below it counts.
FORBIDDEN = [
    ("scoring", "league"),
    ("scoring", "players"),
    ("players", "league"),
    *[(f"league.{low}", f"league.{page}") for low in WRITES_AND_READS for page in PAGES],
    *[("league.models", f"league.{upper}") for upper in (*PAGES, *WRITES_AND_READS)],
    *[("league.seating", f"league.{upper}") for upper in (*PAGES, *WRITES_AND_READS, "models")],
    ("league.seating", "django"),
    *[(f"league.{page}", "league.views") for page in PAGES if page not in {"views", "urls"}],
    *[("players.models", f"players.{page}") for page in PAGES],
]
DJANGO_IN_SCORING = {"scoring.apps", "scoring.models"}


def below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def imported(source: str, module: str, is_package: bool) -> Iterator[str]:
    """Every module that the source imports, `from a import b` as both a and a.b, since b may be a module."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def wrong_arrows(source: str, module: str, is_package: bool = False) -> list[str]:
    """The arrows of one module that point the wrong way: "scoring.rules -> league.models"."""
    targets = list(dict.fromkeys(imported(source, module, is_package)))
    wrong = [t for t in targets for who, whom in FORBIDDEN if below(module, who) and below(t, whom)]
    if below(module, "scoring") and module not in DJANGO_IN_SCORING:
        wrong += [t for t in targets if below(t, "django")]
    return [f"{module} -> {target}" for target in dict.fromkeys(wrong)]


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("scoring", "players", "league"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_every_arrow_points_down():
    found = list(modules())
    assert {"scoring.apps", "players.models", "league.settings"} <= {name for name, _ in found}

    wrong = [
        arrow
        for name, path in found
        for arrow in wrong_arrows(path.read_text(encoding="utf-8"), name, path.name == "__init__.py")
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("module", "source", "targets"),
    [
        ("scoring.rules", "from league.models import Table", ["league.models", "league.models.Table"]),
        ("scoring.rules", "import django.db", ["django.db"]),
        ("players.models", "from league import models", ["league", "league.models"]),
        ("players.pages", "def page():\n    import league.queries", ["league.queries"]),
        ("league.services.results", "from league import forms", ["league.forms"]),
        ("league.services.results", "from ..views import site", ["league.views", "league.views.site"]),
        ("league.models.play", "import league.services.results", ["league.services.results"]),
        ("league.exports.excel", "import league.views.site", ["league.views.site"]),
        ("league.seating.random", "from django.db import models", ["django.db", "django.db.models"]),
    ],
)
def test_a_wrong_arrow_is_caught(module, source, targets):
    assert wrong_arrows(source, module) == [f"{module} -> {target}" for target in targets]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("scoring.apps", "from django.apps import AppConfig"),
        ("scoring.rules", "from scoring.units import Score"),
        (
            "league.views.results",
            "from league.services import results\nfrom scoring.checks import check_sheet",
        ),
        ("league.services.results", "from league.models import Table"),
        ("league.models.play", "from players.models import Player\nfrom django.db import models"),
        ("leagues", "import league"),
    ],
)
def test_a_right_arrow_passes(module, source):
    assert wrong_arrows(source, module) == []


def test_relative_imports_of_a_package_are_read_from_the_package():
    assert list(imported("from .play import Table", "league.models", is_package=True)) == [
        "league.models.play",
        "league.models.play.Table",
    ]
