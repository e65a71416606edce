from django.urls import path

from league.core.urls import in_competition
from league.play.calendar.views import calendar, feeds, table_times

app_name = "calendar"
urlpatterns = [
    in_competition(
        path("calendar/", calendar.calendar, name="calendar"),
        path("manage/stages/<int:stage>/matchdays/", calendar.matchdays, name="matchdays"),
        path("rounds/<int:pk>/dates/", calendar.round_dates, name="round_dates"),
        path("calendar/feeds/", feeds.feeds, name="feeds"),
        path("calendar/feeds/renew/", feeds.feed_renew, name="feed_renew"),
        path("calendar.ics", feeds.competition_feed, name="competition_feed"),
        path("divisions/<slug:division>/calendar.ics", feeds.division_feed, name="division_feed"),
        path("players/<int:pk>/calendar.ics", feeds.player_feed, name="player_feed"),
        path("tables/<int:pk>/time/", table_times.table_time, name="table_time"),
        path("tables/<int:pk>/time/set/", table_times.table_set_time, name="set_time"),
        path("tables/<int:pk>/time/agree/", table_times.table_agree, name="agree"),
        path("tables/<int:pk>/time/disagree/", table_times.table_disagree, name="disagree"),
        path("tables/<int:pk>/time/postpone/", table_times.table_postpone, name="postpone"),
        path("tables/<int:pk>/time/restore/", table_times.table_restore, name="restore"),
    ),
    path("calendars/<slug:feed>.ics", feeds.own_feed, name="own_feed"),
]
