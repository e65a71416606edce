from django import template

from league.registration.queries import announced

register = template.Library()
register.simple_tag(announced, name="announced_registrations")
