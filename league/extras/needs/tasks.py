from django_tasks import task

from league.core.kept_files import keep_file
from league.core.tasks import FILES
from league.extras.needs.queries.race import write_chances


@task(queue_name=FILES)
def keep_chances(key: str, public: bool, *, competition: int) -> None:
    keep_file(key, lambda found: write_chances(found, public=public))
