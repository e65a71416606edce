from django import template

from league.organizing.audit_log.queries import head_code

register = template.Library()
register.simple_tag(head_code)
