"""Runs the lines of a test, as if they were the script."""
from django.core.exceptions import ValidationError
from django.db import transaction

from extras.scripts import Script, TextVar
from ipam.models import VLAN, VLANGroup


class Lines(Script):
    lines = TextVar()

    def run(self, data, commit):
        names = {"VLAN": VLAN, "VLANGroup": VLANGroup, "ValidationError": ValidationError, "transaction": transaction}
        exec(compile(data["lines"], "case.py", "exec"), {**names, "__script__": True})
        return sorted(VLAN.objects.values_list("name", flat=True))
