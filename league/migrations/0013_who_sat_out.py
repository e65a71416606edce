"""Who sat out in the rounds that were seated before."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_who_sat_out(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """As lists showed it: in tournaments all players without a seat, in seasons those who got points."""
    model = apps.get_model
    made = []
    for round_ in model("league", "Round").objects.filter(tables__isnull=False).distinct():
        competition = round_.stage.division.competition
        seated = set(round_.seats.values_list("player", flat=True))
        seated |= set(round_.seats.exclude(stands_for=None).values_list("stands_for", flat=True))
        if competition.kind == "event":
            there = competition.entrants.filter(withdrawn_at=None, is_substitute=False)
            if round_.stage.cut:
                there = there.filter(player__in=round_.stage.qualified.values("player"))
            else:
                there = there.filter(division=round_.stage.division)
        else:
            there = round_.adjustments.filter(kind="sat_out", revoked_at=None)
        out = sorted(set(there.values_list("player", flat=True)) - seated)
        made += [model("league", "SittingOut")(round=round_, player_id=player) for player in out]
    model("league", "SittingOut").objects.bulk_create(made, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("league", "0012_sitting_out")]
    operations = [migrations.RunPython(keep_who_sat_out, migrations.RunPython.noop)]
