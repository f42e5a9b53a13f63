"""Transactions of scripts: savepoints in the one transaction of a run."""

import itertools as _itertools

import session as _session
from errors import Unsupported as _Unsupported

_numbers = _itertools.count(1)
# By the name of a savepoint: objects that had been refused before it.
_refused = {}


def _mark(action, name):
    current = _session.current
    current.flush()
    current.put("savepoint", action=action, name=name)
    current.writes += 1


class _Atomic:
    def __init__(self):
        self.points = []

    def __enter__(self):
        self.points.append(savepoint())

    def __exit__(self, kind, error, traceback):
        point = self.points.pop()
        if kind is None:
            try:
                _session.current.flush()
            except BaseException:
                savepoint_rollback(point)
                raise
            savepoint_commit(point)
        else:
            savepoint_rollback(point)

    def __call__(self, function):
        def inside(*arguments, **options):
            with _Atomic():
                return function(*arguments, **options)

        return inside


class _Connection:
    in_atomic_block = True
    vendor = "postgresql"

    def cursor(self, *arguments, **options):
        raise _Unsupported("connection.cursor() is not supported: scripts read through the models.")


def atomic(using=None, savepoint=True, durable=False):
    return _Atomic()(using) if callable(using) else _Atomic()


def savepoint(using=None):
    name = f"script_{next(_numbers)}"
    _mark("begin", name)
    _refused[name] = _session.current.refused
    _session.current.refused = dict(_session.current.refused)
    return name


def savepoint_commit(name, using=None):
    _mark("release", name)


def savepoint_rollback(name, using=None):
    _session.current.reset(_refused.get(name, ()))
    _mark("rollback", name)


def on_commit(function, using=None, robust=False):
    """Called at once: a script has no time after its transaction."""
    function()


def set_rollback(rollback, using=None):
    raise _Unsupported("transaction.set_rollback() is not supported: raise AbortScript.")


def get_connection(using=None):
    return _Connection()
