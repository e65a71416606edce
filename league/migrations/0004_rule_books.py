"""A league's own rules in editions; which text of a contradiction was chosen; forms of no competition."""

import django.db.models.deletion
import players.text
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0003_sheet_ending'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='ruleset',
            name='created_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='created_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='number',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='edition'),
        ),
        migrations.AddField(
            model_name='ruleset',
            name='readings',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name='submission',
            name='competition',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.competition'),
        ),
        migrations.CreateModel(
            name='RuleBook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, verbose_name='address')),
                ('name', models.CharField(max_length=120, validators=[players.text.validate_visible], verbose_name='name')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rule_books', to='league.league')),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='ruleset',
            name='book',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='editions', to='league.rulebook'),
        ),
        migrations.AddConstraint(
            model_name='ruleset',
            constraint=models.UniqueConstraint(fields=('book', 'number'), name='edition_number_once_a_book', violation_error_message='These rules have an edition of this number already.'),
        ),
        migrations.AddConstraint(
            model_name='ruleset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('book__isnull', True), ('number__isnull', True)), models.Q(('book__isnull', False), ('number__gte', 1), ('number__isnull', False)), _connector='OR'), name='edition_of_a_book_has_its_number', violation_error_message="An edition of a league's own rules has a number from 1."),
        ),
        migrations.AddConstraint(
            model_name='rulebook',
            constraint=models.UniqueConstraint(fields=('league', 'slug'), name='rule_book_slug_once_a_league', violation_error_message='Other rules of this league have this address.'),
        ),
        migrations.AddConstraint(
            model_name='rulebook',
            constraint=models.UniqueConstraint(fields=('league', 'name'), name='rule_book_name_once_a_league', violation_error_message='This league has rules of this name already. Choose another one.'),
        ),
    ]
