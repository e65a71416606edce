from django.urls import path

from league.core.urls import in_competition
from league.extras.webhooks import views

app_name = "webhooks"
urlpatterns = [
    in_competition(
        path("webhooks/", views.index, name="index"),
        path("webhooks/<int:pk>/", views.webhook, name="webhook"),
        path("webhooks/<int:pk>/test/", views.test, name="test"),
        path("webhooks/<int:pk>/pause/", views.pause, name="pause"),
        path("webhooks/<int:pk>/key/", views.rotate, name="rotate"),
        path("webhooks/<int:pk>/remove/", views.remove, name="remove"),
        path("webhooks/<int:pk>/deliveries/<int:delivery>/again/", views.again, name="again"),
    )
]
