from django import template

from league.extras.needs.panels.race import has_needs

register = template.Library()
register.filter(has_needs)
