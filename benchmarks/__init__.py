"""Measurements that anyone can repeat: `python -m benchmarks.standings`. See README.md beside this file."""
