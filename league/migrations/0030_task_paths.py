"""Rename the tasks that wait or have failed: their functions moved with their rooms."""

from django.db import migrations

MOVED = {
    "league.statistics.tasks.": "league.extras.statistics.tasks.",
    "league.needs.tasks.": "league.extras.needs.tasks.",
    "league.reports.tasks.": "league.extras.reports.tasks.",
    "league.seating.services.drafts.": "league.organizing.seating.services.drafts.",
    "league.seating.views.papers.": "league.organizing.seating.views.papers.",
    "league.interchange.tasks.": "league.organizing.interchange.tasks.",
}


def rename(apps, schema_editor):
    tasks = apps.get_model("django_tasks_database", "DBTaskResult")
    for before, now in MOVED.items():
        for task in tasks.objects.filter(task_path__startswith=before):
            tasks.objects.filter(pk=task.pk).update(task_path=now + task.task_path.removeprefix(before))


class Migration(migrations.Migration):
    dependencies = [("league", "0029_claims"), ("django_tasks_database", "0001_initial")]
    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
