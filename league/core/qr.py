"""Addresses as QR codes, to be scanned from paper or from a screen."""

import segno
from django.utils.safestring import SafeString


def qr_code(address: str) -> SafeString:
    """The address as a QR code that survives a scratch: SVG, in the colours of the page."""
    made = segno.make(address, error="q", micro=False)
    return SafeString(made.svg_inline(omitsize=True, border=2, svgclass="code", lineclass=None))
