from django import template

from league.ranking.seasons.words import why_words

register = template.Library()
register.filter("move_why", why_words)
