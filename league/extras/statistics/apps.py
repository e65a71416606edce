from league.core.extras import Extra


class Statistics(Extra):
    name = "league.extras.statistics"
    panels = {"standings.links": "statistics/_links.html", "player.actions": "statistics/_player.html"}
    below = {
        "standings": ("statistics:race", "statistics:matrix", "statistics:records", "statistics:ratings"),
        "players": ("statistics:player", "statistics:career"),
    }
