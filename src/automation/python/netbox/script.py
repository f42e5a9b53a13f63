"""The bases of scripts and reports, from extras.scripts and extras.reports."""

import datetime
import inspect
import json
import logging

from variables import ScriptVariable

LEVELS = ("debug", "success", "info", "warning", "failure")
COUNTED = ("success", "info", "warning", "failure")


class classproperty:
    """A property that classes have too. A class that assigns the name replaces it."""

    def __init__(self, read):
        self.read = read

    def __get__(self, instance, owner):
        return self.read(owner)


def _from_meta(name, default=None):
    return classproperty(lambda cls: getattr(cls.Meta, name, default))


class BaseScript:
    """A program that users run; bases of scripts derive from this class."""

    class Meta:
        pass

    name = classproperty(lambda cls: getattr(cls.Meta, "name", cls.__name__))
    module = classproperty(lambda cls: cls.__module__)
    class_name = classproperty(lambda cls: cls.__name__)
    full_name = classproperty(lambda cls: f"{cls.__module__}.{cls.__name__}")
    description = _from_meta("description", "")
    field_order = _from_meta("field_order")
    fieldsets = _from_meta("fieldsets")
    commit_default = _from_meta("commit_default", True)
    job_timeout = _from_meta("job_timeout")
    scheduling_enabled = _from_meta("scheduling_enabled", True)
    notifications_default = _from_meta("notifications_default", "always")

    def __init__(self):
        self.messages = []
        self.output = ""
        self.failed = False
        self.request = None
        self.logger = logging.getLogger(f"netbox.scripts.{self.full_name}")
        self._current_test = None
        self.tests = {
            name: {**dict.fromkeys(COUNTED, 0), "log": []}
            for name in dir(self)
            if name.startswith("test_") and callable(getattr(self, name))
        }

    def __str__(self):
        return str(self.name)

    @classmethod
    def root_module(cls):
        return cls.module.split(".")[0]

    @property
    def filename(self):
        return inspect.getfile(type(self))

    @property
    def source(self):
        try:
            return inspect.getsource(type(self))
        except (OSError, TypeError):
            return ""

    @classmethod
    def _get_vars(cls):
        """The variables by name: those of a class before those of its bases, and those of field_order first."""
        variables = {}
        for base in cls.__mro__:
            for name, value in vars(base).items():
                if isinstance(value, ScriptVariable):
                    variables.setdefault(name, value)
        ordered = {name: variables.pop(name) for name in cls.field_order or () if name in variables}
        return ordered | variables

    def run(self, data, commit):
        """What the script does; scripts without it run their tests."""
        self.pre_run()
        self.run_tests()
        self.post_run()

    def pre_run(self):
        """Called before the tests."""

    def post_run(self):
        """Called after the tests, and after an error in one of them."""

    def run_tests(self):
        """Runs the methods whose names begin with `test_`, in alphabetical order, up to the first error."""
        try:
            for name in self.tests:
                self._current_test = name
                getattr(self, name)()
                self._current_test = None
        except Exception:
            self._current_test = None
            self.post_run()
            raise

    def get_job_data(self):
        """The results of the tests, beside the log that the host collects."""
        return {"log": self.messages, "output": self.output, "tests": self.tests}

    def _log(self, message, obj=None, level="info"):
        if level not in LEVELS:
            raise ValueError(f"Invalid logging level: {level}")
        text = str(obj) if obj else None
        url = obj.get_absolute_url() if hasattr(obj, "get_absolute_url") else None
        time = datetime.datetime.now(datetime.timezone.utc).isoformat()
        if self._current_test:
            test = self.tests[self._current_test]
            if level in COUNTED:
                test[level] += 1
            if message:
                test["log"].append((time, level, text, url, str(message)))
        elif message:
            from host import log

            log(level, str(message), text, url)
            self.messages.append({"time": time, "status": level, "message": str(message), "obj": text, "url": url})

    def log(self, message):
        """A message of level info, as older releases had it."""
        self._log(message)

    def log_debug(self, message=None, obj=None):
        self._log(message, obj, "debug")

    def log_success(self, message=None, obj=None):
        self._log(message, obj, "success")

    def log_info(self, message=None, obj=None):
        self._log(message, obj, "info")

    def log_warning(self, message=None, obj=None):
        self._log(message, obj, "warning")

    def log_failure(self, message=None, obj=None):
        self._log(message, obj, "failure")
        self.failed = True

    def load_yaml(self, filename):
        """The content of a YAML file in the directory of scripts."""
        import yaml
        from host import read_file

        return yaml.safe_load(read_file(filename))

    def load_json(self, filename):
        """The content of a JSON file in the directory of scripts."""
        from host import read_file

        return json.loads(read_file(filename))


class Script(BaseScript):
    """Classes derived from this one are listed as scripts."""


class Report(BaseScript):
    """As Script, but its logging functions take the object first."""

    def log_debug(self, obj=None, message=None):
        super().log_debug(message, obj)

    def log_success(self, obj=None, message=None):
        super().log_success(message, obj)

    def log_info(self, obj=None, message=None):
        super().log_info(message, obj)

    def log_warning(self, obj=None, message=None):
        super().log_warning(message, obj)

    def log_failure(self, obj=None, message=None):
        super().log_failure(message, obj)


def is_script(value):
    """Whether a name of a module is a script or report that is listed."""
    return isinstance(value, type) and issubclass(value, (Script, Report)) and value not in (Script, Report)


def is_report(value):
    return isinstance(value, type) and issubclass(value, Report) and value is not Report


def scripts_of(module):
    """The classes of a module by name: those of script_order first, then in alphabetical order."""
    members = [value for _, value in sorted(vars(module).items(), key=lambda item: item[0]) if is_script(value)]
    return {cls.__name__: cls for cls in dict.fromkeys([*getattr(module, "script_order", ()), *members])}
