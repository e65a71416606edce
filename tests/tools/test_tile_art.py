"""The tiles: one picture and one name for each."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.utils import translation

from league.extras.calculator.rules import tiles
from league.extras.calculator.words import tile_name
from tools.tile_art import sprite

SVG = "{http://www.w3.org/2000/svg}"


def symbols() -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(sprite())  # noqa: S314 - drawn by ourselves
    return {each.attrib["id"]: each for each in root.iter(f"{SVG}symbol")}


def test_the_file_is_what_is_drawn():
    file = finders.find("img/tiles.svg")
    assert Path(file).read_text(encoding="utf-8") == sprite(), "python -m tools.tile_art static/img/tiles.svg"


def test_every_tile_has_a_picture_of_its_own():
    assert set(symbols()) == {f"t{tile}" for tile in (*tiles.TILES, "back")}
    pictures = [ElementTree.tostring(symbol)[30:] for symbol in symbols().values()]
    assert len(set(pictures)) == len(pictures)


def test_a_tile_says_in_plain_letters_which_it_is():
    corners = {name: "".join(symbol.itertext()) for name, symbol in symbols().items()}
    assert [corners[f"t{number}z"] for number in range(1, 8)] == list("ESWNPFC")
    assert [corners[f"t{number}s"] for number in range(1, 10)] == list("123456789")
    assert [corners[f"t0{suit}"] for suit in "mps"] == ["5", "5", "5"]


def test_a_red_five_is_marked_by_more_than_colour():
    for suit in "mps":
        plain, red = (
            re.sub(
                r"var\([^)]*\)", "", ElementTree.tostring(symbols()[f"t{number}{suit}"], encoding="unicode")
            )
            for number in (5, 0)
        )
        assert red.count("circle") == plain.count("circle") + 1


def test_the_file_holds_nothing_that_the_policy_forbids():
    assert not re.search(r"<style|style=|<script|\son\w+=|href", sprite())


def test_every_tile_has_a_name_of_its_own():
    assert tile_name("5p") == "5 of circles"
    assert tile_name("0p") == "5 of circles, red"
    assert tile_name("6z") == "Green dragon"
    assert len({tile_name(tile) for tile in tiles.TILES}) == len(tiles.TILES)


@pytest.mark.parametrize("language", ["zh-hant", "zh-hans", "ja"])
def test_names_differ_in_every_language(language):
    with translation.override(language):
        assert len({tile_name(tile) for tile in tiles.TILES}) == len(tiles.TILES)


def rendered(text: str, **context: object) -> str:
    return Template("{% load tiles %}" + text).render(Context(context))


def test_a_tile_on_a_page_is_a_picture_with_a_name():
    assert rendered("{{ each|tile }}", each="0s") == (
        '<svg class="tile" role="img" aria-label="5 of bamboo, red" viewBox="0 0 60 84">'
        '<title>5 of bamboo, red</title><use href="/static/img/tiles.svg#t0s" /></svg>'
    )
    assert "face-down tile" in rendered("{{ each|tile }}", each="back")


def test_a_row_of_tiles_keeps_their_order():
    assert re.findall(r"#t(\w+)", rendered("{{ row|tile_row }}", row=("1m", "7z", "0p"))) == [
        "1m",
        "7z",
        "0p",
    ]


def test_the_picture_of_a_button_has_no_name_beside_the_button_s():
    assert rendered("{{ each|tile_picture }}", each="1z") == (
        '<svg class="tile" aria-hidden="true" viewBox="0 0 60 84">'
        '<use href="/static/img/tiles.svg#t1z" /></svg>'
    )
