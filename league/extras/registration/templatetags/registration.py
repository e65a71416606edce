from django import template

from league.extras.registration.queries import announced

register = template.Library()
register.simple_tag(announced, name="announced_registrations")
