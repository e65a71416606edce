from django.urls import path

from league.core.urls import in_competition
from league.registration.views import organizer, public

app_name = "registration"
urlpatterns = [
    in_competition(
        path("registration/", public.index, name="index"),
        path("registration/sent/", public.sent_page, name="sent"),
        path("registration/participants/", public.participants, name="participants"),
        path("registration/divisions/<slug:division>/", public.form, name="form"),
        path("registration/entries/<int:pk>/<slug:secret>/", public.own, name="own"),
        path("registration/entries/<int:pk>/<slug:secret>/confirm/", public.own_confirm, name="own_confirm"),
        path(
            "registration/entries/<int:pk>/<slug:secret>/withdraw/", public.own_withdraw, name="own_withdraw"
        ),
        path("registration/entries/<int:pk>/<slug:secret>/erase/", public.own_erase, name="own_erase"),
        path("registration/entries/<int:pk>/<slug:secret>/file/", public.own_data, name="own_data"),
        path("manage/registration/", organizer.entries, name="entries"),
        path("manage/registration/numbers/", organizer.numbers, name="numbers"),
        path("manage/registration/decide/", organizer.decide_entries, name="decide"),
        path("manage/registration/file/<str:fmt>/", organizer.entries_file, name="file"),
        path("manage/registration/divisions/<slug:division>/", organizer.settings, name="settings"),
        path("manage/registration/entries/<int:pk>/", organizer.entry, name="entry"),
        path("manage/registration/entries/<int:pk>/enter/", organizer.enter, name="enter"),
        path("manage/registration/entries/<int:pk>/withdraw/", organizer.withdraw_entry, name="withdraw"),
        path("manage/registration/entries/<int:pk>/erase/", organizer.erase, name="erase"),
    )
]
