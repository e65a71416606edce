"""gunicorn's configuration. The proxy in front reads what clients send (docs/operation.md)."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

bind = f"{os.environ.get('BIND', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
worker_class = "gthread"
# Each thread keeps a connection to the database: 8 workers take 16 of PostgreSQL's 100.
workers = int(os.environ.get("WEB_CONCURRENCY", "0")) or min(len(os.sched_getaffinity(0)), 8)
threads = 2  # more threads would interrupt each other in the middle of a page
preload_app = True
timeout = 60
graceful_timeout = 10
keepalive = 75  # longer than a proxy keeps an idle connection, so that the proxy closes it
# A worker that has grown is replaced. The jitter keeps two workers from ending at the same moment.
max_requests = 20_000
max_requests_jitter = 2_000
control_socket_disable = True
errorlog = "-"
# Page, status, bytes and seconds, but no visitor's address and no page's address, which may hold a code.
accesslog = None if os.environ.get("ACCESS_LOG", "true").lower() in {"false", "0", "off", "no"} else "-"
access_log_format = "%(t)s %(m)s %({umaoka.page}e)s %(s)s %(B)s %(L)s"
forwarder_headers = ""  # a proxy may pass on a visitor's SCRIPT_NAME and PATH_INFO

METRICS = "PROMETHEUS_MULTIPROC_DIR"  # the folder in which the workers count together
mine = f"umaoka-metrics-{os.getpid()}-"
if any(name.startswith("METRICS_TOKEN") for name in os.environ) and mine not in os.environ.get(METRICS, ""):
    os.environ[METRICS] = tempfile.mkdtemp(prefix=mine)


def when_ready(_server: object) -> None:
    """Start the worker of long work, which ends with the server, unless it is a service of its own."""

    def work() -> None:
        while True:
            command = [sys.executable, "manage.py", "work", f"--parent={os.getpid()}"]
            subprocess.run(command, cwd=ROOT, check=False)  # noqa: S603 - words of our own
            time.sleep(1)

    if os.environ.get("TASKS", "server") == "server":
        threading.Thread(target=work, daemon=True).start()


def on_exit(_server: object) -> None:
    """Remove the counts. gunicorn calls this in the master alone."""
    if METRICS in os.environ:
        shutil.rmtree(os.environ[METRICS], ignore_errors=True)
