import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('league', '0012_substitutes_until_further_notice'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='team_cut',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name='stageentrant',
            name='how',
            field=models.CharField(choices=[('rank', 'by rank'), ('wild_card', 'by wild card'), ('hand', 'chosen by hand'), ('team', 'with their team')], default='rank', max_length=10),
        ),
        migrations.CreateModel(
            name='TeamLots',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('teams', models.JSONField()),
                ('seed', models.BigIntegerField()),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_lots', to='league.stage')),
            ],
            options={
                'verbose_name_plural': 'team lots',
                'ordering': ['pk'],
            },
        ),
    ]
