"""gunicorn's configuration: as many workers as there are processors, each of which runs one request at a time
(``benchmarks.workers``), while many threads wait for clients (``league.core.worker``).

The server is loaded and warm before it forks the workers (``league.core.warm_up``).
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the worker is ours

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "league.core.worker.Worker"
# More than some workers need PostgreSQL, and memory: then WEB_CONCURRENCY says how many.
workers = int(os.environ.get("WEB_CONCURRENCY", "0")) or min(len(os.sched_getaffinity(0)), 8)
preload_app = True
threads = 32
timeout = 60
graceful_timeout = 10
# A worker that has grown is replaced; the jitter keeps both from going at the same moment.
max_requests = 20_000
max_requests_jitter = 2_000
control_socket_disable = True
errorlog = "-"
# Page, status, bytes and seconds; neither the visitor's address nor that of the page, which may hold a code.
accesslog = None if os.environ.get("ACCESS_LOG", "true").lower() in {"false", "0", "off", "no"} else "-"
access_log_format = "%(t)s %(m)s %({umaoka.page}e)s %(s)s %(B)s %(L)s"
# A proxy may pass these on from a visitor, who would then choose what our addresses begin with.
forwarder_headers = ""

if any(name.startswith("METRICS_TOKEN") for name in os.environ):
    # The workers count together, in files that end with the server.
    counts = tempfile.TemporaryDirectory(prefix="umaoka-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counts.name


def child_exit(_server: object, worker: Any) -> None:
    """Ends the files of a worker that ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def when_ready(_server: object) -> None:
    """Start the worker of long work, which ends with the server, unless it is a service of its own."""

    def work() -> None:
        while True:
            subprocess.run([sys.executable, "manage.py", "work", "--with-parent"], cwd=ROOT, check=False)
            time.sleep(1)

    if os.environ.get("TASKS", "server") == "server":
        threading.Thread(target=work, daemon=True).start()
