from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from league.people.accounts.sessions import take_person


class Accounts(ModelBackend):
    """Django's backend, but the person comes from the query of the session if that was just read."""

    def get_user(self, user_id: int) -> User | None:
        person = take_person(user_id)
        if person is None:
            return super().get_user(user_id)
        return person if self.user_can_authenticate(person) else None
