from league.core.extras import Extra


class Demo(Extra):
    name = "league.extras.demo"
