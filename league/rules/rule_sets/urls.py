from django.urls import path

from league.rules.rule_sets.views import house_rules, published

app_name = "rule_sets"
urlpatterns = [
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
