from django.urls import path

from league.calls import views
from league.core.urls import in_competition

app_name = "calls"
urlpatterns = [
    path("referees/calls/", views.waiting, name="waiting"),
    in_competition(
        path("calls/", views.calls, name="index"),
        path("calls/codes/renew/", views.codes_renew, name="codes_renew"),
        path("calls/<int:pk>/take/", views.call_take, name="take"),
        path("calls/<int:pk>/done/", views.call_done, name="done"),
        path("tables/<int:pk>/call/", views.call, name="call"),
        path("seat/tables/<int:pk>/", views.tell, name="tell"),
        path("tables/<int:pk>/call/back/", views.call_withdraw, name="withdraw"),
        path("rounds/<int:pk>/clock/", views.clock_start, name="clock_start"),
    ),
]
