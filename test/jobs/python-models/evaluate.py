"""Evaluates the snippets of a test, each in a savepoint that is rolled back."""
import textwrap

from django.db import transaction
from extras.scripts import Script, TextVar

PRELUDE = """
import datetime, decimal
import netaddr
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import IntegrityError
from django.db.models import *
from django.db.models.functions import *
from dcim.choices import InterfaceTypeChoices, SiteStatusChoices
from dcim.models import Device, DeviceRole, DeviceType, Interface, Location, Manufacturer, PowerOutlet, Region, Site
from extras.models import ConfigContext, CustomField, JournalEntry, Tag
from ipam.models import IPAddress, Prefix, Service, VLAN, VLANGroup
"""


class Evaluate(Script):
    snippets = TextVar()

    def run(self, data, commit):
        import json

        return {name: self.evaluate(source) for name, source in json.loads(data["snippets"]).items()}

    def evaluate(self, source):
        names = {"script": self}
        exec(PRELUDE, names)
        names["__script__"] = True
        before = transaction.savepoint()
        try:
            with transaction.atomic():
                exec("def snippet():\n" + textwrap.indent(source, "    "), names)
                return json_of(names["snippet"]())
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        finally:
            transaction.savepoint_rollback(before)


def json_of(value):
    if isinstance(value, (list, tuple)) or hasattr(value, "iterator"):
        return [json_of(one) for one in value]
    if isinstance(value, dict):
        return {str(key): json_of(one) for key, one in value.items()}
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
