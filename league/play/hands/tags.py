from django import template

from league.play.hands.panels import calculator_at
from league.play.hands.words.device import device_words

register = template.Library()
register.simple_tag(device_words)
register.filter(calculator_at)
