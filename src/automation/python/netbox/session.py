"""The connection of a script to the service: what it asks, and the changes that wait."""

import re
import sys

from errors import DatabaseError, FieldError, PermissionDenied
from objects import CHUNK, Inventory


class Session(Inventory):
    """The connection of a script to the service: what it has read, and the changes that wait."""

    def __init__(self, facts, put):
        """`facts`: what the service tells of itself, its models and its choices."""
        self.facts = facts
        self.models = models = facts["models"]
        self.put = put
        self.by_path = {model["path"]: name for name, model in models.items() if model["path"]}
        self.classes = {}
        # Changes that were not sent yet, by object; all of one model.
        self.waiting = {}
        # Objects that `full_clean` has to try, unless they are saved before anybody could notice.
        self.untried = {}
        # Objects that the script takes for saved although they were refused, with the reason, by `id()`.
        self.refused = {}
        # Number of writes: what was read before the last one may be stale.
        self.writes = 0
        self.custom_fields = {}

    def ask(self, question, **more):
        """The answer of the service. Changes that wait are sent before, unless the question cannot concern them."""
        self.try_out()
        if self.waiting and (question not in ("rows", "related") or self._concerns(question, more)):
            self.flush()
        answer = self.put(question, **more)
        if "error" in answer:
            raise FieldError(answer["error"])
        return answer["value"]

    def _concerns(self, question, more):
        waiting = next(iter(self.waiting.values()))._model
        target = more["model"]
        if question == "related":
            target = self.models[target]["relations"].get(more["name"], "extras.tag")
        return target == waiting or question == "related" and more["model"] == waiting

    def adopt(self, model, rows):
        """New objects for rows that were read together."""
        cohort = []
        for row in rows:
            cohort.append(self.classes[model]._of_row(row, cohort, self.writes))
        return cohort

    def fetch(self, model, ids):
        wanted = list(dict.fromkeys(int(one) for one in ids))
        objects = {}
        for start in range(0, len(wanted), CHUNK):
            for record in self.adopt(model, self.ask("rows", model=model, ids=wanted[start : start + CHUNK])):
                objects[record.pk] = record
        return objects

    # Writes

    def request(self, method, model, body, tried=False):
        """Body of the response to a write. Raises what Django would raise for a refusal."""
        ids = [one.get("id") for one in body] if isinstance(body, list) else []
        answer = self.ask("write", method=method, model=model, body=body, tried=tried)
        return self._response(answer, model, method, ids)

    def _response(self, answer, model, method, ids=()):
        self.writes += 0 if answer.get("tried") else 1
        if answer["status"] < 400:
            return answer["body"]
        body = answer["body"]
        detail = body.get("detail") if isinstance(body, dict) else None
        if answer["status"] == 403:
            raise PermissionDenied(detail)
        if answer["status"] == 404:
            label = self.models[model]["labels"][1]
            raise PermissionDenied(f"The user who runs this script may not {VERBS[method]} these {label}, or they are gone.")
        if answer["status"] == 409:
            raise DatabaseError(detail)
        raise Refused(body, ids)

    def defer(self, record):
        """Sends the change of an object with others of its kind, if nothing would notice that it is late."""
        watched = is_watched()
        if self.waiting and (watched or next(iter(self.waiting.values()))._model != record._model):
            self.flush()
        self.waiting[(record._model, record.pk)] = record
        if watched:
            self.flush(record)
        elif len(self.waiting) >= CHUNK:
            self.flush()

    def try_out(self):
        while self.untried:
            try:
                self.untried.popitem()[1].try_out({})
            except Exception as error:
                self._fail_late(error)

    def flush(self, saved=None):
        """Sends the changes that wait. `saved`: the only one, if the script saves it in this moment."""
        self.try_out()
        records = list(self.waiting.values())
        self.waiting = {}
        if not records:
            return
        model = records[0]._model
        states = [record._state_of_changes() for record in records]
        bodies = [{"id": record.pk, **record._take_changes()} for record in records]
        one = len(records) == 1
        try:
            self.request("PATCH", model, bodies[0] if one else bodies)
        except Exception as error:
            for record, state in zip(records, states):
                record.__dict__.update(state)
            if isinstance(error, Refused):
                error = refusal_of(records, error)
            if saved is None:
                return self._fail_late(error)
            raise error from error.__cause__

    def _fail_late(self, error):
        """Raises the error of an earlier line, unless a handler would take it for one of the line that runs."""
        if not is_watched():
            raise error from error.__cause__
        self.keep(None, error)

    def keep(self, record, error):
        """Lets the script go on as if the object had been saved; the run ends with the error if it still is refused then."""
        place = place_in_script()
        error.add_note(
            f"Refused before {place}, by a save of an earlier line."
            if record is None
            else f"Refused in {place}: the rules of the model apply to every save here."
        )
        self.refused.setdefault(id(record), (record, error))

    def finish(self):
        """Sends what waits. Raises the error of an object that the script takes for saved."""
        self.flush()
        for _, error in self.refused.values():
            raise error from error.__cause__

    def reset(self, refused=()):
        """Forgets what was not sent, and what was refused except for these."""
        self.waiting, self.untried, self.refused = {}, {}, dict(refused)


def refusal_of(records, refused):
    """What Django would raise for the first object that was refused, with the database's error as the cause of a duplicate."""
    at = next((index for index, errors in enumerate(refused.lists()) if errors), 0)
    return records[at]._refusal(refused.errors(at))


# The connection of this process, as soon as it has one.
current = None

VERBS = {"POST": "add", "PATCH": "change", "DELETE": "delete"}


class Refused(Exception):
    """The API refused a body: errors by field, or a list of those."""

    def __init__(self, body, ids=()):
        super().__init__(body)
        self.body = body
        self.ids = list(ids)

    def lists(self):
        """Errors by field, of each object of a list up to the last one that was refused."""
        if not isinstance(self.body, dict) or not isinstance(self.body.get("errors"), list):
            return self.body if isinstance(self.body, list) else [self.body]
        refused = {one.get("index", one.get("id")): one["errors"] for one in self.body["errors"]}
        positions = self.ids if self.ids and "id" in self.body["errors"][0] else range(max(refused, default=-1) + 1)
        return [refused.get(position, {}) for position in positions]

    def errors(self, index=0):
        errors = self.lists()[index] if index < len(self.lists()) else {}
        if not isinstance(errors, dict):
            return {"__all__": [str(errors)]}
        return {
            "__all__" if name in ("non_field_errors", "detail") else name: messages_of(value) for name, value in errors.items()
        }


def messages_of(value):
    if isinstance(value, dict):
        return [message for item in value.values() for message in messages_of(item)]
    return (
        [message for item in value for message in messages_of(item)] if isinstance(value, list) else [django_message(str(value))]
    )


def django_message(message):
    """A refusal of the API in the words of Django's models."""
    if message.startswith('"') and message.endswith('" is not a valid choice.'):
        return f"Value '{message[1:-24]}' is not a valid choice."
    if taken := re.fullmatch(r"(?:Another )?(.+) with this (.+) already exists\.", message):
        model, labels = taken.groups()
        *first, last = [f"{one[:1].upper()}{one[1:]}" for one in re.split(r", | and ", labels)]
        fields = f"{', '.join(first)} and {last}" if first else last
        return f"{model[:1].upper()}{model[1:]} with this {fields} already exists."
    words = {
        "This field may not be blank.": "This field cannot be blank.",
        "This field may not be null.": "This field cannot be null.",
        "This field is required.": "This field cannot be null.",
    }
    return words.get(message, message)


def is_watched():
    """Whether a handler of the script could catch an error of the statement that runs: `try`, `with`, or a caller's."""
    frame = sys._getframe(2)
    while frame is not None:
        if "__script__" in frame.f_globals and frame.f_code.co_exceptiontable and is_handled(frame):
            return True
        frame = frame.f_back
    return False


def place_in_script():
    """Where the script is: `line 12 of audit.py`."""
    frame = sys._getframe(1)
    while frame is not None and "__script__" not in frame.f_globals:
        frame = frame.f_back
    return "the script" if frame is None else f"line {frame.f_lineno} of {frame.f_code.co_filename}"


def is_handled(frame):
    """Whether the instruction that the frame executes is covered by an entry of its exception table (PEP 657)."""
    table, position = frame.f_code.co_exceptiontable, 0

    def number():
        nonlocal position
        byte = table[position]
        value = byte & 63
        while byte & 64:
            position += 1
            byte = table[position]
            value = value << 6 | byte & 63
        position += 1
        return value

    try:
        while position < len(table):
            start, length, _target, _depth = number() * 2, number() * 2, number(), number()
            if start <= frame.f_lasti < start + length:
                return True
    except IndexError:
        pass
    return False
