from django.urls import path

from league.core.urls import in_competition
from league.rules.penalty_rules.views import house_rules, published

app_name = "penalty_rules"
urlpatterns = [
    in_competition(
        path("offences/<slug:division>/", published.division, name="division"),
    ),
    path("leagues/<slug:slug>/offences/", house_rules.catalogues, name="house_rules"),
    path("leagues/<slug:slug>/offences/<slug:catalogue>/", house_rules.one, name="house_rule"),
    path("leagues/<slug:slug>/offences/<slug:catalogue>/rename/", house_rules.rename, name="rename"),
    path("leagues/<slug:slug>/offences/<slug:catalogue>/remove/", house_rules.remove, name="remove"),
    path("leagues/<slug:slug>/offences/<slug:catalogue>/entry/", house_rules.entry, name="entry"),
    path(
        "leagues/<slug:slug>/offences/<slug:catalogue>/entry/remove/",
        house_rules.entry_remove,
        name="entry_remove",
    ),
    path(
        "leagues/<slug:slug>/offences/<slug:catalogue>/entry/supersede/",
        house_rules.entry_supersede,
        name="entry_supersede",
    ),
    path("offences/", published.browse, name="index"),
    path("offences/<slug:catalogue>/", published.read, name="published"),
]
