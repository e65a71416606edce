from django.utils.translation import gettext_lazy as _

from league.core.tables import Column, Inside, Rows


class RolesTable(Rows):
    """Roles in a competition. A role without a number is that of an owner of the league."""

    caption = _("Roles")

    person = Column(_("Person"), accessor="user__username", css="name")
    kind = Inside("members/_role.html", _("Role"))
    player = Inside("members/_role_player.html", _("Linked player"))
    actions = Inside("members/_role_actions.html", _("Action"), unseen=True, css="text-end")
