"""The forms of a page as a browser reads them."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)


@dataclass
class PageForm:
    """A form of a rendered page: where it goes, and every named field with its value.

    Of radio buttons the first is chosen when none is. ``buttons`` are those that say something when pressed.
    """

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def presses(self) -> list[dict[str, list[str]]]:
        """What is sent, for each button that could be pressed."""
        return [self.fields | {name: [value]} for name, value in self.buttons] or [self.fields]

    @property
    def page(self) -> str:
        """The name of the page that takes it; "" where that is none of ours."""
        try:
            return resolve(urlsplit(self.action).path).view_name
        except Resolver404:
            return ""


class FormReader(HTMLParser):
    """``forms_of`` at work: browsers' rules, as far as our pages need them."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.found: list[PageForm] = []
        self.form: PageForm | None = None
        self.select = ""
        self.has_option = False  # the open select has one
        self.text = ""  # the name of the open textarea

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = PageForm(urljoin(self.address, at.get("action", "")), at.get("method", "get").lower())
            self.found.append(self.form)
        elif self.form is None:
            return
        elif tag == "option" and self.select:
            self._option(at)
        elif tag == "select":
            self.select, self.has_option = at.get("name", ""), False
        elif at.get("name") and tag in {"input", "textarea", "button"}:
            self._field(tag, at)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""
        elif tag == "textarea" and self.form and self.text:
            # Browsers leave out the first line break.
            self.form.fields[self.text] = [self.form.fields[self.text][0].removeprefix("\n")]
            self.text = ""

    def handle_data(self, data: str) -> None:
        if self.text and self.form:
            self.form.fields[self.text][0] += data

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _option(self, at: dict[str, str]) -> None:
        assert self.form is not None
        values = self.form.fields.setdefault(self.select, [])
        if not self.has_option:
            values.append(at.get("value", ""))
        elif "selected" in at:
            values[-1] = at.get("value", "")
        self.has_option = True

    def _field(self, tag: str, at: dict[str, str]) -> None:
        assert self.form is not None
        name, kind = at["name"], at.get("type")
        value = at.get("value", "on" if kind == "checkbox" else "")
        if kind == "file":
            self.form.files.append(name)
        elif tag == "button":
            self.form.buttons.append((name, value))
        elif kind == "radio":
            if "checked" in at or name not in self.form.fields:
                self.form.fields[name] = [value]
        elif kind != "checkbox" or "checked" in at:
            self.form.fields.setdefault(name, []).append(value)
        if tag == "textarea":
            self.text = name


def forms_of(html: str, address: str) -> list[PageForm]:
    """The forms of a page, in order."""
    reader, parts = FormReader(address), FORM.findall(html)
    # The parser reads only forms, unless one has no end.
    for part in parts if len(parts) == html.count("<form") else [html]:
        reader.feed(part)
    return reader.found
