"""Renders a template with Jinja2 in its sandbox."""

import json
import traceback

import jinja2
import netaddr
from jinja2.sandbox import SandboxedEnvironment

from errors import FieldError
from models import CLASSES
from objects import Inventory, QuerySet

UNDEFINED = {
    name: kind
    for kind in (jinja2.Undefined, jinja2.StrictUndefined, jinja2.DebugUndefined, jinja2.ChainableUndefined)
    for name in (kind.__name__, f"jinja2.{kind.__name__}")
}


class TooLong(Exception):
    pass


class Files(jinja2.BaseLoader):
    """Templates that others include: files of the same data source."""

    def __init__(self, ask, source):
        self._ask = ask
        self._source = source

    def get_source(self, environment, template):
        text = None if self._source is None else self._ask("file", source=self._source, path=template)
        if text is None:
            raise jinja2.TemplateNotFound(template)
        return text, template, lambda: True


ADDRESSES = (netaddr.IPAddress, netaddr.IPNetwork, netaddr.IPRange, netaddr.EUI)


class Environment(SandboxedEnvironment):
    def getattr(self, obj, attribute):
        """As in Jinja, but an address says that it has no such attribute, instead of rendering it as an empty text."""
        found = super().getattr(obj, attribute)
        if type(found) is jinja2.Undefined and isinstance(obj, ADDRESSES):
            return jinja2.StrictUndefined(obj=obj, name=attribute)
        return found


def environment_of(job, ask):
    parameters = {name: value for name, value in (job.get("parameters") or {}).items() if name != "enable_async"}
    if "undefined" in parameters:
        parameters["undefined"] = UNDEFINED.get(parameters["undefined"], jinja2.Undefined)
    # 0 and the like: whatever the parameter says, one rendering needs no more.
    parameters.pop("cache_size", None)
    parameters.pop("auto_reload", None)
    if job.get("singleLine"):
        parameters["finalize"] = on_one_line
    environment = Environment(loader=Files(ask, job.get("source")), **parameters)
    environment.filters["env"] = (job.get("environment") or {}).get
    environment.filters["header_safe"] = header_safe
    return environment


def header_safe(value):
    """Without the control characters that could end a header and begin another one."""
    return "".join(character for character in str(value) if character >= " " and character != "\x7f")


def compile_all(templates):
    """Messages of those that are not valid, by their texts."""
    environment = environment_of({}, None)
    errors = {}
    for template in templates:
        try:
            environment.compile(template)
        except Exception as error:
            errors[template] = describe(error, False)
    return json.dumps({"errors": errors})


def on_one_line(value):
    return " ".join(str(value).splitlines())


def describe(error, debug):
    if debug:
        return "".join(traceback.format_exception(type(error), error, error.__traceback__)[-1:]).strip() + location(error)
    return f"{type(error).__name__}: {error}{location(error)}"


def location(error):
    """Where in the template it happened, as far as that is known."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f" (line {error.lineno}{f' of {error.name}' if error.name else ''})"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return f" (line {lines[-1]})" if lines else ""


def render(models, job, ask_text):
    """JSON text in, JSON text out. `ask_text` puts a question to the service and waits for the answer."""

    def ask(question, **more):
        answer = json.loads(ask_text(json.dumps({"ask": question, **more})))
        if "error" in answer:
            raise FieldError(answer["error"])
        return answer["value"]

    job = json.loads(job)
    if "compile" in job:
        return compile_all(job["compile"])
    inventory = Inventory(models, ask, CLASSES)

    def context_of():
        context = {**inventory.namespaces(), **(job.get("context") or {})}
        for name, (model, id) in (job.get("objects") or {}).items():
            context[name] = inventory.fetch(model, [id]).get(id)
        for name, (model, base) in (job.get("querysets") or {}).items():
            context[name] = QuerySet(inventory, model, base=base)
        return context

    results = [rendered(job, ask, context_of, template) for template in job["templates"]]
    return json.dumps({"results": results})


def rendered(job, ask, context_of, template):
    """The text of one template, or what is wrong with it."""
    try:
        parts, length = [], 0
        for part in environment_of(job, ask).from_string(template).generate(context_of()):
            length += len(part)
            if length > job["longest"]:
                raise TooLong(f"the result is longer than {job['longest']} characters")
            parts.append(part)
        return {"text": "".join(parts).replace("\r\n", "\n")}
    except MemoryError:
        return {"error": "MemoryError: the template needs more memory than it may have"}
    except RecursionError:
        return {"error": "RecursionError: the template calls itself too often"}
    except Exception as error:
        return {"error": describe(error, job.get("debug"))}
