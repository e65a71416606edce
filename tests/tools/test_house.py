from tools.house import PAGE, draw, drawn, low_to_high

WALL, FLOOR, ROOF = ("play", "walls"), ("play", "floors"), ("extras", "roofs")
IMPORTS = {WALL: {FLOOR}, FLOOR: set(), ROOF: {WALL, FLOOR}}


def test_a_room_stands_after_those_that_it_imports():
    assert low_to_high([WALL, FLOOR], IMPORTS) == [FLOOR, WALL]


def test_a_wing_names_the_wings_and_a_room_the_rooms_of_its_wing_that_it_imports():
    found = draw(IMPORTS).splitlines()
    assert found[:2] == ["extras → play", "    roofs"]
    assert found[-5:-2] == ["play", "    walls → floors", "    floors"]


def test_the_page_has_the_drawing_of_today():
    """After a change of the imports, `python -m tools.house` draws it again."""
    text = PAGE.read_text(encoding="utf-8")
    assert drawn(text) == text
