"""Pages for the referees' work in the hall: their desk and day, calls and tables' doors, disputes, and bans.

They show what rooms of other wings keep, so they are above them, in namespaces and templates of ``calls``,
``disputes``, ``bans`` and ``penalties``.
"""
