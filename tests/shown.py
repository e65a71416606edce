"""What a page shows and asks for: its fields as a browser would send them, errors, words, messages."""

import re
import uuid
from html import unescape


def key() -> str:
    return str(uuid.uuid4())


def fields(response) -> dict[str, str]:
    """Return the values of the page's first form, hidden fields included, as a browser would send them."""
    found = {}
    html = response.content.decode()
    for tag in re.findall(r"<input[^>]*>", html):
        name, kind = _attribute(tag, "name"), _attribute(tag, "type")
        if name and (kind not in {"radio", "checkbox"} or " checked" in tag):
            ticked = "on" if kind == "checkbox" else ""
            found[name] = unescape(_attribute(tag, "value") or ticked)
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.search(r'<option value="([^"]*)"[^>]* selected', options)
        found[name] = unescape(chosen[1] if chosen else "")
    for name, text in re.findall(r'<textarea name="([^"]+)"[^>]*>\s?(.*?)</textarea>', html, re.S):
        found[name] = unescape(text)
    return found


def fields_to(response, address: str) -> dict[str, str]:
    """Return the hidden fields of the page's only form that is sent to this address."""
    _before, form = response.content.decode().split(f'action="{address}"')
    found = re.findall(r'name="(\w+)" value="([^"]*)"', form.split("</form>")[0])
    return {name: unescape(value) for name, value in found}


def ticked(response, name: str) -> list[str]:
    """Return the values of the ticked boxes of this name, of which `fields` knows the last."""
    tags = re.findall(r"<input[^>]*>", response.content.decode())
    return [_attribute(tag, "value") or "on" for tag in tags if f'name="{name}"' in tag and " checked" in tag]


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else None


def errors(response) -> dict[str, list[str]]:
    return {name: [str(each) for each in found] for name, found in response.context["form"].errors.items()}


def html(response) -> str:
    """The page as it is, white space folded."""
    return " ".join(response.content.decode().split())


def text(response) -> str:
    """Return the page's text without markup, with white space folded."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


def said(response) -> list[str]:
    """The messages on the page."""
    return [str(message) for message in response.context["messages"]]
