from django.urls import path

from league.core.urls import in_competition
from league.organizing.seating.views import by_hand, lists, papers, plan

app_name = "seating"
urlpatterns = [
    in_competition(
        path("manage/rounds/<int:pk>/seat/", by_hand.seat, name="by_hand"),
        path("manage/stages/<int:pk>/seat/", by_hand.seat_next, name="next_round"),
        path("seat/", lists.my_seat, name="my_seat"),
        path("seat/row/", lists.own_row, name="own_row"),
        path("seat/next/", lists.own_next, name="own_next"),
        path("seat/asked/", lists.own_asked, name="own_asked"),
        path("screen/", lists.seating_screen, name="screen"),
        path("rounds/<int:pk>/screen/", lists.seating_screen, name="round_screen"),
        path("rounds/<int:pk>/seating/", lists.seating_list, name="list"),
        path("rounds/<int:pk>/papers/", papers.papers, name="papers"),
        path("rounds/<int:pk>/papers.pdf", papers.papers_pdf, name="papers_pdf"),
        path("manage/stages/<int:pk>/seating/", plan.seating, name="plan"),
        path("manage/stages/<int:pk>/seating/search/", plan.seating_search, name="search"),
        path("manage/stages/<int:pk>/seating/numbers/", plan.seating_numbers, name="numbers"),
        path("manage/stages/<int:pk>/seating/accept/", plan.seating_accept, name="accept"),
        path("manage/stages/<int:pk>/seating/drop/", plan.seating_drop, name="drop"),
    ),
]
