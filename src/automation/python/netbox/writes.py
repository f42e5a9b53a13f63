"""Writes of several objects, and what Django would say of a refusal."""

import re

from errors import ProtectedError
from session import Refused, refusal_of

UNIQUE_MESSAGES = ("already exists", "must be unique", "must make a unique set")


def is_duplicate(errors):
    """Whether one of the messages says that another object has the same values."""
    return any(text in message for messages in errors.values() for message in messages for text in UNIQUE_MESSAGES)


def is_refused_by_database(error):
    """Whether NetBox could not store the object either."""
    return any(UNSTORABLE.search(message) for message in error.messages)


UNSTORABLE = re.compile(rf"{'|'.join(UNIQUE_MESSAGES)}|cannot be null|(at most|no more than) \d+ characters|must be a|valid integer")


class UniqueViolation(Exception):
    """The database's own name for the cause of an IntegrityError."""


UniqueViolation.__module__ = "psycopg.errors"


def create(records):
    """Creates objects of one model in one write."""
    model, session = records[0]._model, records[0]._session
    bodies = [record._body(everything=True) for record in records]
    one = len(records) == 1
    try:
        answer = session.request("POST", model, bodies[0] if one else bodies)
    except Refused as refused:
        for record in records:
            record._is_refused = True
        error = refusal_of(records, refused)
        raise error from error.__cause__
    for record, made in zip(records, [answer] if one else answer):
        record._is_refused = False
        record._row["id"] = made["id"]
        for name in ("created", "last_updated"):
            if name in made and name in record._row:
                record._row[name] = made[name]
        record._row["display"] = made.get("display", "")
        record._changed, record._texts = {}, {}
        record._is_stale = True
        record._read_at = session.writes


def delete(session, model, ids):
    """Deletes objects, and what depends on them. The number of rows, and the numbers by model."""
    if not ids:
        return 0, {}
    session.flush()
    answer = session.ask("delete", model=model, ids=ids)
    if answer["status"] == 409:
        raise protected_error(session, model, answer["protected"], answer["detail"])
    session._response(answer, model, "DELETE")
    return sum(answer["counts"].values()), answer["counts"]


def protected_error(session, model, protected, detail):
    objects = {record for name, ids in protected["objects"].items() for record in session.fetch(name, ids).values()}
    if not objects:
        return ProtectedError(detail, set())
    references = ", ".join(f"'{session.models[name]['class']}.{field}'" for name, field in protected["references"])
    name = session.models[model]["class"]
    return ProtectedError(
        f"Cannot delete some instances of model '{name}' because they are referenced through protected foreign keys: "
        f"{references}.",
        objects,
    )
