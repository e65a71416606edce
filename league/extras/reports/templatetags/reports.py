from collections.abc import Mapping
from typing import Any

from django import template

from league.extras.reports.panels import report_files

register = template.Library()


@register.simple_tag(takes_context=True, name="report_files")
def report_files_of(context: Mapping[str, Any]) -> dict[str, Any]:
    return report_files(context["access"], context.get("form"))
