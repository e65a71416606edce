"""Rename what the database keeps by the path of its code: tasks, and the backend of people who are signed in."""

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations

MOVED = {
    "league.statistics.tasks.": "league.extras.statistics.tasks.",
    "league.needs.tasks.": "league.extras.needs.tasks.",
    "league.reports.tasks.": "league.extras.reports.tasks.",
    "league.seating.services.drafts.": "league.organizing.seating.services.drafts.",
    "league.seating.views.papers.": "league.organizing.seating.views.papers.",
    "league.interchange.tasks.": "league.organizing.interchange.tasks.",
}


BACKEND = ("league.accounts.backends.Accounts", "league.people.accounts.backends.Accounts")


def keep_signed_in(apps, schema_editor):
    before, now = BACKEND
    store = SessionStore()
    for session in apps.get_model("league", "BrowserSession").objects.iterator():
        values = store.decode(session.session_data)
        if values.get(BACKEND_SESSION_KEY) == before:
            session.session_data = store.encode(values | {BACKEND_SESSION_KEY: now})
            session.save(update_fields=["session_data"])


def rename_tasks(apps, schema_editor):
    tasks = apps.get_model("django_tasks_database", "DBTaskResult")
    for before, now in MOVED.items():
        for task in tasks.objects.filter(task_path__startswith=before):
            tasks.objects.filter(pk=task.pk).update(task_path=now + task.task_path.removeprefix(before))


class Migration(migrations.Migration):
    dependencies = [("league", "0029_claims"), ("django_tasks_database", "0001_initial")]
    operations = [
        migrations.RunPython(rename_tasks, migrations.RunPython.noop),
        migrations.RunPython(keep_signed_in, migrations.RunPython.noop),
    ]
