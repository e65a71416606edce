"""gunicorn's configuration: two workers of four threads, measured as enough for a hall on two cores.

Threads, because a request mostly waits for the database; with WAL and IMMEDIATE transactions SQLite is safe
with them.
"""

import os

bind = f"127.0.0.1:{os.environ.get('PORT', '8000')}"
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60
graceful_timeout = 10
# A worker that has grown is replaced; the jitter keeps both from going at the same moment.
max_requests = 20_000
max_requests_jitter = 2_000
errorlog = "-"
accesslog = None
# A proxy may pass these on from a visitor, who would then choose what our addresses begin with.
forwarder_headers = ""
