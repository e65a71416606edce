"""Downloads and uploads for tasks, in the database."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("league", "0007_versions")]
    operations: ClassVar = [
        migrations.CreateModel(
            "KeptFile",
            [
                ("id", models.BigAutoField(primary_key=True, auto_created=True, verbose_name="ID", serialize=False)),
                ("key", models.CharField(max_length=64, unique=True)),
                ("asked", models.CharField(blank=True, max_length=32)),
                ("asked_at", models.DateTimeField(null=True)),
                ("facts", models.CharField(blank=True, max_length=32)),
                ("read_at", models.DateTimeField(null=True)),
                ("published", models.JSONField(default=list)),
                ("refusal", models.CharField(blank=True, max_length=40)),
                ("content", models.BinaryField(null=True)),
                ("size", models.PositiveIntegerField(default=0)),
                (
                    "competition",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.competition"
                    ),
                ),
            ],
        ),
    ]
