from django.urls import path

from league.core.urls import in_competition
from league.rules.rule_sets.views import division_rules, house_rules, published

app_name = "rule_sets"
urlpatterns = [
    in_competition(
        path("manage/divisions/<slug:division>/rules/", division_rules.choose, name="division_rules"),
        path("manage/divisions/<slug:division>/rules/edit/", division_rules.edit, name="division_rules_edit"),
        path("manage/divisions/<slug:division>/rules/move/", division_rules.move, name="division_rules_move"),
    ),
    path("leagues/<slug:slug>/rules/", house_rules.rule_books, name="house_rules"),
    path("leagues/<slug:slug>/rules/new/", house_rules.rule_book_new, name="house_rule_new"),
    path("leagues/<slug:slug>/rules/<slug:book>/", house_rules.rule_book, name="house_rule"),
    path("leagues/<slug:slug>/rules/<slug:book>/edit/", house_rules.rule_book_edit, name="house_rule_edit"),
    path("leagues/<slug:slug>/rules/<slug:book>/<int:number>/", house_rules.rule_book, name="edition"),
    path("rules/", published.browse, name="index"),
    path("rules/compare/", published.compare, name="compare"),
    path("rules/<rule_set:key>/", published.read, name="published"),
    path("rules/<rule_set:key>/summary/", published.summary, name="summary"),
    path("rules/<rule_set:key>/scores/", published.scores, name="scores"),
]
