from django.urls import path

from league.core.urls import in_competition
from league.referees.desk.views import calls, door

app_name = "calls"
urlpatterns = [
    path("t/", door.type_code, name="type_code"),
    path("referees/calls/", calls.waiting, name="waiting"),
    in_competition(
        path("desk/codes/", door.codes, name="codes"),
        path("t/", door.type_code_here, name="type_code_here"),
        path("t/<int:number>/", door.door, name="door"),
        path("t/<int:number>/<slug:code>/", door.door, name="door_code"),
        path("seat/tables/<int:pk>/", door.table, name="table"),
        path("seat/tables/<int:pk>/me/", door.claim, name="claim"),
        path("seat/tables/<int:pk>/round/", door.give_round_code, name="round_code"),
        path("seat/tables/<int:pk>/tell/", door.tell, name="tell"),
        path("calls/", calls.calls, name="index"),
        path("calls/codes/renew/", calls.codes_renew, name="codes_renew"),
        path("calls/<int:pk>/take/", calls.call_take, name="take"),
        path("calls/<int:pk>/done/", calls.call_done, name="done"),
        path("calls/<int:pk>/undo/", calls.call_undo, name="undo"),
        path("tables/<int:pk>/call/", calls.call, name="call"),
        path("tables/<int:pk>/call/back/", calls.call_withdraw, name="withdraw"),
        path("rounds/<int:pk>/clock/", calls.clock_start, name="clock_start"),
    ),
]
