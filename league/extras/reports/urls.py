from django.urls import path

from league.core.urls import in_competition
from league.extras.reports.views import downloads, library

app_name = "reports"
urlpatterns = [
    in_competition(
        path("downloads/", downloads.index, name="index"),
        path("downloads/ema/<slug:division>.<slug:fmt>", downloads.ema, name="ema"),
        path("downloads/forms/<int:form>/<slug:division>.xlsx", downloads.form, name="form"),
        path("downloads/certificates.pdf", downloads.certificates, name="certificates"),
    ),
    path("leagues/<slug:slug>/forms/", library.forms, name="forms"),
    path("leagues/<slug:slug>/forms/<int:form>.xlsx", library.form_file, name="form_file"),
    path("leagues/<slug:slug>/forms/<int:form>/remove/", library.form_remove, name="form_remove"),
    path("leagues/<slug:slug>/logo/", library.logo, name="logo"),
    path("leagues/<slug:slug>/logo/remove/", library.logo_remove, name="logo_remove"),
    path("leagues/<slug:slug>/logo.png", library.logo_file, name="logo_file"),
    path("forms/sample.xlsx", library.sample, name="sample"),
]
