from collections.abc import Iterator

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    NumericPasswordValidator,
    UserAttributeSimilarityValidator,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LEAST_LENGTH = 10


class PasswordRules:
    """Django's four rules, described in one sentence instead of a list."""

    def __init__(self) -> None:
        long_enough = MinimumLengthValidator(min_length=LEAST_LENGTH)
        others = UserAttributeSimilarityValidator(), CommonPasswordValidator(), NumericPasswordValidator()
        self.rules = (long_enough, *others)

    def validate(self, password: str, user: User | None = None) -> None:
        if errors := list(self._errors(password, user)):
            raise ValidationError(errors)

    def _errors(self, password: str, user: User | None) -> Iterator[ValidationError]:
        for rule in self.rules:
            try:
                rule.validate(password, user)
            except ValidationError as error:
                yield error

    def get_help_text(self) -> str:
        return _(
            "At least %(least)s characters, not only digits, not a common password, not like your name."
        ) % {"least": LEAST_LENGTH}
