from django.urls import path

from league.core.urls import in_competition
from league.extras.registration.views import organizer, public

app_name = "registration"
_OWN = "registration/entries/<int:pk>/<slug:secret>"
urlpatterns = [
    in_competition(
        path("registration/", public.index, name="index"),
        path("registration/sent/", public.sent_page, name="sent"),
        path("registration/participants/", public.participants, name="participants"),
        path("registration/divisions/<slug:division>/", public.form, name="form"),
        path(f"{_OWN}/", public.own, name="own"),
        path(f"{_OWN}/confirm/", public.own_decide, {"action": "confirm"}, name="own_confirm"),
        path(f"{_OWN}/withdraw/", public.own_decide, {"action": "withdraw"}, name="own_withdraw"),
        path(f"{_OWN}/erase/", public.own_erase, name="own_erase"),
        path(f"{_OWN}/file/", public.own_data, name="own_data"),
        path("manage/registration/", organizer.entries, name="entries"),
        path("manage/registration/numbers/", organizer.numbers, name="numbers"),
        path("manage/registration/decide/", organizer.decide_entries, name="decide"),
        path("manage/registration/file/<str:fmt>/", organizer.entries_file, name="file"),
        path("manage/registration/divisions/<slug:division>/", organizer.settings, name="settings"),
        path("manage/registration/entries/<int:pk>/", organizer.entry, name="entry"),
        path("manage/registration/entries/<int:pk>/enter/", organizer.enter, name="enter"),
        path("manage/registration/entries/<int:pk>/erase/", organizer.erase, name="erase"),
    )
]
