"""Files of rosters: the encodings of CSV, workbooks, and files that are broken or mean harm."""

import io
import random
import struct
import zipfile

import pytest
from openpyxl import Workbook

from players.files import Text, Unreadable, text_of
from players.roster import RosterLine, read_roster


def workbook(*rows) -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def with_parts(parts: dict[str, str]) -> bytes:
    """A workbook of one cell, with these parts in place of its own."""
    source, out = zipfile.ZipFile(io.BytesIO(workbook(["Zoë"]))), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in source.namelist():
            archive.writestr(name, parts.get(name) or source.read(name))
        for name in parts.keys() - set(source.namelist()):
            archive.writestr(name, parts[name])
    return out.getvalue()


CHINESE = "姓名,國家\n陳大文,香港\n黃家駒,香港\n"
SIMPLIFIED = "姓名,国家\n陈大文,中国\n刘德华,中国\n"
JAPANESE = "名前,所属\n山田太郎,赤坂ドリブンズ\n佐々木寿人,麻雀格闘倶楽部\n"
LATIN = "name;country\nÉmile;FR\nJürgen Müller;DE\n"


_EMPTY_SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>'
)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (CHINESE.encode(), Text(CHINESE, "utf-8")),
        (CHINESE.encode("utf-8-sig"), Text(CHINESE, "utf-8")),
        (CHINESE.encode("utf-16"), Text(CHINESE, "utf-16")),
        (CHINESE.encode("utf-16-be"), Text(CHINESE, "utf-16", guessed=True)),
        (CHINESE.encode("utf-16-le"), Text(CHINESE, "utf-16", guessed=True)),
        (CHINESE.encode("big5hkscs"), Text(CHINESE, "big5hkscs", guessed=True)),
        (SIMPLIFIED.encode("gbk"), Text(SIMPLIFIED, "gb18030", guessed=True)),
        (JAPANESE.encode("shift_jis"), Text(JAPANESE, "cp932", guessed=True)),
        (LATIN.encode("cp1252"), Text(LATIN, "cp1252", guessed=True)),
    ],
)
def test_a_csv_file_is_read_in_the_encoding_it_was_written_in(data, said):
    assert text_of(data) == said


def test_the_organizer_may_say_the_encoding():
    data = "陳大文".encode("big5")

    assert text_of(data, encoding="big5hkscs").text == "陳大文"
    with pytest.raises(Unreadable, match="This file is not text in UTF-8"):
        text_of(data, encoding="utf-8")


def test_rows_of_a_workbook_are_lines_of_the_text():
    data = workbook(["姓名", "EMA number"], [], ["陳大文", 4010023], ["Zoë", "007"], ["two\nlines", None])

    roster = read_roster(text_of(data).text)

    assert roster.problems == ()
    assert roster.lines == (
        RosterLine(number=3, name="陳大文", numbers=(("EMA", "04010023"),)),
        RosterLine(number=4, name="Zoë", numbers=(("EMA", "007"),)),
        RosterLine(number=5, name="two lines"),
    )


def test_text_that_looks_like_a_formula_stays_text():
    book, out = Workbook(), io.BytesIO()
    book.active["A1"].value = "=1+1"
    book.active["A1"].data_type = "s"
    book.save(out)

    assert text_of(out.getvalue()).text == "=1+1\n"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"PK\x03\x04 and nothing more", "This workbook cannot be read"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This workbook cannot be read"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xff", "This is not a table"),
        (b"x" * 5_000_001, "larger than 5 MB"),
        (b"x" * 2_000_001, "This text is too long for one import"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(data, sentence):
    with pytest.raises(Unreadable, match=sentence):
        text_of(data)


def test_a_zip_file_that_is_not_a_workbook_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("hello.txt", "hello")

    with pytest.raises(Unreadable, match="This workbook cannot be read"):
        text_of(out.getvalue())


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", b"0" * 70_000_000)
    assert len(out.getvalue()) < 100_000

    with pytest.raises(Unreadable, match="This workbook is too large when unpacked"):
        text_of(out.getvalue())


def test_one_long_text_named_in_every_cell_does_not_fill_the_memory():
    namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    row = "<row>" + '<c t="s"><v>0</v></c>' * 30 + "</row>"
    strings = f"<sst {namespace}><si><t>{'名' * 30_000}</t></si></sst>"
    sheet = f"<worksheet {namespace}><sheetData>{row * 500}</sheetData></worksheet>"
    types = zipfile.ZipFile(io.BytesIO(workbook(["Zoë"]))).read("[Content_Types].xml").decode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    shared = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    data = with_parts({
        "xl/sharedStrings.xml": strings,
        "xl/worksheets/sheet1.xml": sheet,
        "[Content_Types].xml": types.replace("</Types>", shared),
    })  # fmt: skip
    assert len(data) < 20_000

    with pytest.raises(Unreadable, match="This text is too long for one import"):
        text_of(data)


def test_a_sheet_of_too_many_rows_is_refused():
    with pytest.raises(Unreadable, match="An import has at most 10,000 rows"):
        text_of(workbook(*[[f"P{i}"] for i in range(20_001)]))


def encrypted_workbook() -> bytes:
    """An xlsx with a password, as office programs save it: a compound file with two streams."""
    free, end, fat = -1, -2, -3
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHBBHH6x", 0x3E, 3, 0xFE, 0xFF, 9, 6)
    header += struct.pack("<iiiiIiiii", 0, 1, 1, 0, 4096, end, 0, end, 0) + struct.pack("<i", 0)
    sectors = (
        header + struct.pack("<i", free) * 108 + struct.pack("<ii", fat, end) + struct.pack("<i", free) * 126
    )
    for name, kind, right, child in (
        ("Root Entry", 5, free, 1),
        ("EncryptedPackage", 2, 2, free),
        ("EncryptionInfo", 2, free, free),
        ("", 0, free, free),
    ):
        text = f"{name}\0".encode("utf-16-le")
        entry = text.ljust(64, b"\0") + struct.pack("<HBBiii", len(text), kind, 1, free, right, child)
        sectors += entry + bytes(36) + struct.pack("<iQ", end, 0)
    return sectors


def test_a_workbook_with_a_password_is_refused_by_name():
    manifest = '<manifest:file-entry><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry>'

    for data in (encrypted_workbook(), with_parts({"META-INF/manifest.xml": manifest})):
        with pytest.raises(Unreadable, match=r"This workbook has a password\. Save a copy"):
            text_of(data)


def test_macros_of_a_workbook_are_not_read():
    data = with_parts({"xl/vbaProject.bin": "Sub Auto_Open()"})

    assert text_of(data).text.startswith("Zoë")


def test_a_sheet_of_pictures_has_no_players():
    data = with_parts({"xl/media/image1.png": "\x89PNG", "xl/worksheets/sheet1.xml": _EMPTY_SHEET})

    with pytest.raises(Unreadable, match="This workbook is empty"):
        text_of(data)


def test_entities_in_a_workbook_are_not_expanded():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    good = zipfile.ZipFile(io.BytesIO(workbook(["Zoë"]))).read("xl/worksheets/sheet1.xml").decode()
    cell = '<c r="B1" t="inlineStr"><is><t>&b;</t></is></c></row>'
    for sheet in (bomb + good, bomb + good.replace("</row>", cell)):
        try:
            text = text_of(with_parts({"xl/worksheets/sheet1.xml": sheet})).text
        except Unreadable:
            continue
        assert text.startswith("Zoë")
        assert "aa" not in text


def test_damaged_workbooks_only_ever_answer_with_a_sentence():
    good, random_ = workbook(["name", "country"], *[[f"P{i}", "HK"] for i in range(20)]), random.Random(7)
    refused = 0
    for _ in range(150):
        data = bytearray(good)
        for _ in range(random_.randint(1, 30)):
            data[random_.randrange(4, len(data))] = random_.randrange(256)
        try:
            text_of(bytes(data[: random_.choice([len(data), len(data) // 2])]))
        except Unreadable:
            refused += 1
    assert refused > 50


def test_random_bytes_only_ever_answer_with_a_sentence():
    random_ = random.Random(11)
    for _ in range(300):
        data = random_.randbytes(random_.randint(1, 60))
        try:
            read_roster(text_of(data).text)
        except Unreadable as refusal:
            assert str(refusal)  # noqa: PT017 - either answer is right, nothing else is
