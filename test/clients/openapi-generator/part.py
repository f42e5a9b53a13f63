"""Reads an OpenAPI document and writes the part of it that the suites use, without the lookups of filters: Java allows
no method with more than 255 parameters, and compiling the whole client takes minutes."""

import json
import sys

COLLECTIONS = (
    "core/object-changes dcim/cables dcim/device-roles dcim/device-types dcim/devices dcim/interfaces dcim/racks"
    " dcim/sites extras/custom-fields extras/tags ipam/ip-addresses ipam/prefixes ipam/vlans tenancy/tenants"
    " virtualization/virtual-machines"
).split()
PATHS = [f"/api/{path}/" for name in COLLECTIONS for path in (name, f"{name}/{{id}}")]
PATHS.append("/api/ipam/prefixes/{id}/available-ips/")

document = json.load(sys.stdin)
document["paths"] = {path: document["paths"][path] for path in PATHS}
for item in document["paths"].values():
    for operation in item.values():
        parameters = operation.get("parameters", [])
        operation["parameters"] = [one for one in parameters if "__" not in one["name"]]

reached = set()


def reach(value):
    """Notes the components to which the value refers, and what these refer to."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, (dict, list)):
            reach(part)
        elif isinstance(part, str) and part.startswith("#/components/") and part not in reached:
            reached.add(part)
            _, _, kind, name = part.split("/")
            reach(document["components"][kind][name])


reach(document["paths"])
for kind in ("responses", "schemas"):
    components = document["components"][kind]
    document["components"][kind] = {name: components[name] for name in components if f"#/components/{kind}/{name}" in reached}
json.dump(document, sys.stdout)
