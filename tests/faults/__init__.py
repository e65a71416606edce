"""What is left after a fault: servers are killed, backups made and restored, while people save.

`python -m benchmarks.faults` runs each program for long and prints a table; the tests here run them short.
"""
