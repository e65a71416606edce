"""gunicorn's configuration: two workers, each with four threads for Django: enough for a hall on two cores.

Threads, because a request mostly waits for the database; with WAL and IMMEDIATE transactions SQLite is safe
with them. Many more threads wait for clients (``league.core.worker``).
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the worker is ours

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "league.core.worker.Worker"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 32
timeout = 60
graceful_timeout = 10
# A worker that has grown is replaced; the jitter keeps both from going at the same moment.
max_requests = 20_000
max_requests_jitter = 2_000
control_socket_disable = True
errorlog = "-"
accesslog = None
# A proxy may pass these on from a visitor, who would then choose what our addresses begin with.
forwarder_headers = ""


def on_starting(_server: object) -> None:
    """Empties the folder of downloads (``league.core.kept_files``)."""
    for path in Path(os.environ.get("FILES_DIR", ROOT / "var" / "files")).glob("*.kept"):
        path.unlink(missing_ok=True)
