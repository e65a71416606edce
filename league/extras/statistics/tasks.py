from django_tasks import task

from league.core.kept_files import keep_file
from league.core.tasks import FILES
from league.extras.statistics.queries.hands import write_hands
from league.models import Competition


@task(queue_name=FILES)
def keep_hands(key: str, competitions: list[int], *, competition: int) -> None:
    """Count the hands of these competitions (ids) for the list of their league."""
    found = Competition.objects.select_related("league").filter(pk__in=competitions)
    keep_file(key, lambda _competition: write_hands(list(found)))
