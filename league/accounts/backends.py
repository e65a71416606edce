from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db.models import AutoField

from league.accounts.sessions import take_person
from league.core.prepared import Argument, Prepared

_PEOPLE = Prepared(lambda: User.objects.filter(pk=Argument("person", AutoField())))


class Accounts(ModelBackend):
    """Django's backend, but the person comes from the session's query, or from a query compiled once."""

    def get_user(self, user_id: int) -> User | None:
        found = take_person(user_id) or next(iter(_PEOPLE(person=user_id)), None)
        return found if found is not None and self.user_can_authenticate(found) else None
