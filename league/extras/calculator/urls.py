from django.urls import path

from league.extras.calculator.views import calculator

app_name = "calculator"
urlpatterns = [
    path("hand/", calculator.hand, name="hand"),
]
