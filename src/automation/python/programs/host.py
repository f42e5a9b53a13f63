"""Runs the jobs that the service gives to a process of scripts: describe a file, run a script, apply validators.

A job is JSON, and so is its result. While it runs, `ask` puts questions to the service and waits for the answers. The
same files run in WebAssembly, where the service's sandbox calls `start` and `work`, and in an ordinary Python, where
`main` reads and writes lines.
"""

import builtins
import datetime
import decimal
import importlib
import importlib.abc
import importlib.machinery
import io
import json
import linecache
import os
import sys
import traceback
import types

import netaddr

import errors
import orm
import query_sets
import session
from expressions import plain

PREFIX = "_netbox_script_module_"
LONGEST_TEXT = 10_000
HERE = os.path.dirname(os.path.abspath(__file__))
# Modules of this program: files of scripts may have the same names.
OWN = {name.removesuffix(".py") for folder in ("netbox", "programs") for name in os.listdir(f"{HERE}/../{folder}")}
# Packages of Django and NetBox, which files of scripts do not replace.
SHIMS = f"{HERE}/../shims"
PACKAGES = set(os.listdir(SHIMS))


class Host:
    """What a process knows: the models, and the question that it may put while a job runs."""

    def __init__(self, facts):
        self.ask_text = None
        self.connection = session.current = session.Session(facts, self.put)
        orm.build(self.connection)
        for app in PACKAGES:
            # Says in which modules NetBox declares the classes, which messages name.
            if os.path.isdir(f"{SHIMS}/{app}/models"):
                importlib.import_module(f"{app}.models")
        self.has_own_packages = facts.get("hasOwnPackages", False)
        sys.meta_path.append(Uploaded(self))

    def put(self, question, **more):
        answer = self.ask_text(json.dumps({"ask": question, **plain(more)}))
        return json.loads(answer)

    def value(self, question, **more):
        answer = self.put(question, **more)
        if "error" in answer:
            raise errors.Unsupported(answer["error"])
        return answer["value"]


host = None


def log(level, message, object_text, url):
    """Writes an entry to the log of the job."""
    host.put("log", level=level, message=message, object=object_text, url=url)


def read_file(name):
    """Text of a file in the directory of scripts."""
    text = host.value("source", name=name)
    if text is None:
        raise FileNotFoundError(f"There is no file {name} in the directory of scripts.")
    return text


class Uploaded(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules in the directory of scripts, after those of Python."""

    def __init__(self, host):
        self.host = host
        self.sources = {}

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in PACKAGES or self.host.ask_text is None:
            return None
        source = self.host.put("source", name=f"{name.replace('.', '/')}.py").get("value")
        if source is None:
            source = self.host.put("source", name=f"{name.replace('.', '/')}/__init__.py").get("value")
            if source is None:
                return None
        self.sources[name] = source
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        execute(module, self.sources[module.__name__], f"{module.__name__}.py")


def import_for_script(name, globals=None, locals=None, fromlist=(), level=0):
    """What `import` finds in a script: a file of the directory of scripts before a module of this package."""
    alias = f"{PREFIX}{name}.py"
    if level == 0 and name in OWN and alias not in sys.modules and host.ask_text is not None:
        source = host.put("source", name=f"{name}.py").get("value")
        if source is not None:
            module = sys.modules[alias] = types.ModuleType(name)
            try:
                execute(module, source, f"{name}.py")
            except BaseException:
                del sys.modules[alias]
                raise
    return sys.modules.get(alias) or builtins.__import__(name, globals, locals, fromlist, level)


def execute(module, source, filename):
    module.__dict__["__file__"] = filename
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": import_for_script}
    # Marks the frames of scripts for `session.is_watched`.
    module.__dict__["__script__"] = True
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)


def load(file):
    """The module of a file: `{"name": "audit.py", "source": …}`."""
    name = PREFIX + file["name"].rsplit("/", 1)[-1].removesuffix(".py")
    module = types.ModuleType(name)
    sys.modules[name] = module
    execute(module, file["source"], file["name"])
    return module


def start(facts_text):
    """Makes the models known; called once in a process."""
    global host
    sys.modules.setdefault("host", sys.modules[__name__])
    host = sys.modules["host"].host = Host(json.loads(facts_text))


def work(job_text, ask):
    """Result of a job, as JSON text."""
    job = json.loads(job_text)
    host.ask_text = ask
    try:
        return json.dumps(JOBS[job["job"]](job))
    finally:
        host.connection.reset()


def describe(job):
    from describe import describe as description_of

    try:
        return {"described": description_of(load(job["file"]))}
    except BaseException as error:
        return {"error": failure(error)}


def run(job):
    """Runs a script up to its end. Its output, or the exception that ended it; and the results of its tests."""
    script = None
    try:
        module = load(job["file"])
        cls = getattr(module, job["className"], None)
        if cls is None:
            return {
                "error": {
                    "name": "LookupError",
                    "text": f"The file no longer has {job['className']}.",
                    "repr": "",
                    "traceback": "",
                }
            }
        script = cls()
        script.request = Request(job["request"]) if job["request"] else None
        data = {name: cleaned(job["variables"].get(name), value) for name, value in job["data"].items()}
        output = script.run(data, job["commit"])
        host.connection.finish()
        return {"output": stored(output), "tests": results(script)}
    except errors.AbortTransaction as error:
        # As in NetBox, the run ends with success, unless the script has logged a failure.
        if script is None or script.failed:
            return {"error": failure(error), "tests": results(script)}
        return {"output": stored(script.output), "tests": results(script), "isReverted": True}
    except BaseException as error:
        for _, earlier in host.connection.refused.values():
            if repr(earlier) != repr(error):
                error.add_note(f"Before that, an object was not saved: {earlier!r}. {' '.join(earlier.__notes__)}")
        return {"error": failure(error), "tests": results(script)}


def results(script):
    return json.loads(json.dumps(getattr(script, "tests", None) or {}, default=str)) if script is not None else {}


def stored(value):
    """An output as JSON: as Django writes it, and whatever JSON lacks as text."""
    text = json.dumps(value, default=as_json)
    return json.loads(text, parse_constant=str)


def as_json(value):
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    if isinstance(value, (set, frozenset)) or hasattr(value, "__next__"):
        return list(value)
    if isinstance(value, query_sets.Selection):
        return [as_json(one) if not isinstance(one, (str, int, float, dict, list, tuple, type(None))) else one for one in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def failure(error):
    """What the job shows of an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = next(
        (
            index
            for index, frame in enumerate(frames)
            if not frame.filename.endswith("host.py") and "<frozen" not in frame.filename
        ),
        0,
    )
    lines = traceback.format_list(frames[inside:]) + traceback.format_exception_only(type(error), error)
    head = "Traceback (most recent call last):\n"
    if isinstance(error, SyntaxError):
        text = f"{error.msg} ({str(error.filename).rsplit('/', 1)[-1]}, line {error.lineno})"
    else:
        text = str(error)
    return {
        "name": type(error).__name__,
        "text": text[:LONGEST_TEXT],
        "repr": repr(error)[:LONGEST_TEXT],
        "traceback": (head + "".join(lines)).rstrip("\n")[-LONGEST_TEXT:],
        "isAbort": type(error) is errors.AbortScript,
    }


def cleaned(variable, value):
    """The value that a script gets for a variable, from that of the request."""
    if variable is None or value is None:
        return value
    kind = variable["type"]
    if kind == "ObjectVar":
        if value == "null":
            return None
        record = host.connection.fetch(variable["model"], [value]).get(int(value))
        if record is None:
            raise errors.ObjectDoesNotExist(f"The {host.connection.models[variable['model']]['labels'][0]} {value} is gone.")
        return record
    if kind == "MultiObjectVar":
        if "null" in value:
            return [None if one == "null" else cleaned({**variable, "type": "ObjectVar"}, one) for one in value]
        selection = query_sets.Selection(host.connection, variable["model"])
        return selection.filter(pk__in=value) if value else selection.none()
    if kind == "FileVar":
        return UploadedFile(value)
    convert = CONVERSIONS.get(kind)
    return convert(value) if convert and value != "" else value


def moment(text):
    value = datetime.datetime.fromisoformat(text)
    return value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)


CONVERSIONS = {
    "DecimalVar": lambda value: decimal.Decimal(str(value)),
    "DateVar": datetime.date.fromisoformat,
    "DateTimeVar": moment,
    "IPAddressVar": netaddr.IPAddress,
    "IPAddressWithMaskVar": netaddr.IPNetwork,
    "IPNetworkVar": netaddr.IPNetwork,
}


class UploadedFile(io.BytesIO):
    """A file that the person who runs the script has sent."""

    def __init__(self, value):
        import base64

        super().__init__(base64.b64decode(value["base64"]))
        self.name = value["name"]
        self.size = len(self.getbuffer())
        self.content_type = value.get("type") or "application/octet-stream"

    def chunks(self, size=65_536):
        self.seek(0)
        while part := self.read(size):
            yield part


class Request:
    """The request that started the script."""

    def __init__(self, request):
        self.id = request["id"]
        self.method = request["method"]
        self.path = request["path"]
        self.user = user_of(request["user"])
        self.META = {"SERVER_NAME": request["host"], "HTTP_HOST": request["host"]}
        self.GET, self.POST, self.FILES, self.COOKIES, self.headers = {}, {}, {}, {}, {}

    def build_absolute_uri(self, path="/"):
        return f"http://{self.META['HTTP_HOST']}{path}"


def user_of(values):
    """The person who runs the script, as an object of the model."""
    cls = host.connection.classes["users.user"]
    row = {**cls._defaults(), **values, "display": values["username"]}
    user = cls._of_row(row, [], 0)
    permissions = {}

    def has_perm(name, obj=None):
        key = (name, getattr(obj, "pk", None))
        if key not in permissions:
            permissions[key] = host.connection.ask("may", permission=name, id=key[1])
        return permissions[key]

    user.__dict__.update(
        is_superuser=values["is_superuser"],
        is_authenticated=True,
        is_anonymous=False,
        has_perm=has_perm,
        has_perms=lambda names, obj=None: all(has_perm(name, obj) for name in names),
    )
    return user


def validate(job):
    """Errors of the validators for each object: lists of messages by field."""
    from validators import errors_of

    try:
        return {"errors": [errors_of(host, job, item) for item in job["objects"]]}
    except Exception as error:
        name = type(error).__name__
        return {"failed": f"A validator in CUSTOM_VALIDATORS failed: {name}: {error}"[:LONGEST_TEXT]}


def check(job):
    """What in the files cannot run here."""
    from check import check as problems_by_file

    return {"problems": problems_by_file(job["files"], PACKAGES, host.has_own_packages)}


JOBS = {"describe": describe, "run": run, "validate": validate, "check": check}


def limit_memory(megabytes):
    """More than that is a MemoryError. Libraries are mapped beside what the script uses."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, ((megabytes + 1024) * 2**20,) * 2)


def main():
    """The loop of an ordinary Python: the facts come first, then jobs, a line each."""
    limit_memory(int(sys.argv[1]))
    lines, out = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(), io.StringIO()

    def write(text):
        out.write(f"{text}\n")
        out.flush()

    def ask(text):
        write(text)
        line = lines.readline()
        if not line:
            sys.exit(0)
        return line

    start(lines.readline())
    write("{}")
    for line in iter(lines.readline, ""):
        write(work(line, ask))


if __name__ == "__main__":
    sys.modules["host"] = sys.modules["__main__"]
    main()
