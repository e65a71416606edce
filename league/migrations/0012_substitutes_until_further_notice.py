from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0011_place_of_an_appointment'),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='until_back',
            field=models.BooleanField(default=False),
        ),
    ]
