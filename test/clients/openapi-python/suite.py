"""A client that openapi-python-client generates from the OpenAPI document, used as its author would use it."""

import importlib
import os
import sys
import traceback

from client import AuthenticatedClient
from client.models import (
    AvailableIPRequestRequest,
    BriefDeviceRoleRequest,
    BriefSiteRequest,
    DryRun,
    PatchedWritableDeviceWithConfigContextRequest,
    PatchedWritableSiteRequest,
    WritableDeviceRoleRequest,
    WritableDeviceWithConfigContextRequest,
    WritableInterfaceRequest,
    WritableInterfaceRequestType,
    WritablePrefixRequest,
    WritableSiteRequest,
)

URL = os.environ["CADASTRE_URL"]
api = AuthenticatedClient(base_url=URL, token=os.environ["CADASTRE_TOKEN"], prefix="Token")

# Lists with references that may be null, choices that may be null, and objects of any type.
LISTS = (
    "circuits.circuits circuits.circuit_terminations core.jobs core.object_changes dcim.cables dcim.console_ports"
    " dcim.devices dcim.device_types dcim.front_ports dcim.interfaces dcim.inventory_items dcim.locations dcim.modules"
    " dcim.power_feeds dcim.power_ports dcim.racks dcim.rear_ports dcim.sites extras.config_contexts"
    " extras.custom_fields extras.event_rules extras.journal_entries extras.tags ipam.fhrp_groups ipam.ip_addresses"
    " ipam.prefixes ipam.services ipam.vlans ipam.vrfs tenancy.contact_assignments tenancy.tenants users.permissions"
    " users.tokens users.users virtualization.clusters virtualization.interfaces virtualization.virtual_machines"
    " vpn.tunnels vpn.l2vpns wireless.wireless_lans"
).split()


def call(name, *args, **arguments):
    """The parsed response to an operation, by its id: dcim.dcim_sites_list."""
    operation = importlib.import_module(f"client.api.{name}")
    response = operation.sync_detailed(*args, client=api, **arguments)
    assert response.status_code < 300, (name, response.status_code, response.content[:500])
    return response.parsed


def has_list(name):
    app, plural = name.split(".")
    page = call(f"{app}.{app}_{plural}_list", limit=1000)
    assert page.count is not None and page.count >= len(page.results)
    for item in page.results[:5]:
        assert item.to_dict()["id"] == item.id


def has_life():
    site = call("dcim.dcim_sites_create", body=WritableSiteRequest(name="py-life", slug="py-life"))
    assert site.region is None and site.status.value == "active"
    changed = call("dcim.dcim_sites_partial_update", site.id, body=PatchedWritableSiteRequest(facility="B2"))
    assert changed.facility == "B2" and changed.tenant is None
    assert call("dcim.dcim_sites_retrieve", site.id).facility == "B2"
    call("dcim.dcim_sites_destroy", site.id)


def tries_a_write():
    tried = call("dcim.dcim_sites_create", body=WritableSiteRequest(name="py-try", slug="py-try"), dry_run=True)
    assert isinstance(tried, DryRun) and tried.dry_run and tried.counts.created == 1
    assert call("dcim.dcim_sites_list", slug=["py-try"]).count == 0


def refers_by_attributes():
    site = call("dcim.dcim_sites_create", body=WritableSiteRequest(name="py-site", slug="py-site"))
    # A body that is an object or a list, in JSON or as a form, is too much for the generator.
    kind = call("dcim.dcim_device_types_list", limit=1).results[0]
    role = call("dcim.dcim_device_roles_create", body=WritableDeviceRoleRequest(name="py-role", slug="py-role"))
    device = call(
        "dcim.dcim_devices_create",
        body=WritableDeviceWithConfigContextRequest(
            name="py-device",
            device_type=kind.id,
            role=BriefDeviceRoleRequest(slug="py-role"),
            site=BriefSiteRequest(slug="py-site"),
        ),
    )
    assert device.site.id == site.id and device.rack is None and device.primary_ip4 is None
    port = call(
        "dcim.dcim_interfaces_create",
        body=WritableInterfaceRequest(device=device.id, name="eth0", type_=WritableInterfaceRequestType("1000base-t")),
    )
    assert port.cable_end is None
    changed = call(
        "dcim.dcim_devices_partial_update",
        device.id,
        body=PatchedWritableDeviceWithConfigContextRequest(serial="S1"),
    )
    assert changed.serial == "S1"
    for name, thing in (("devices", device), ("device_roles", role), ("sites", site)):
        call(f"dcim.dcim_{name}_destroy", thing.id)


def allocates():
    prefix = call("ipam.ipam_prefixes_create", body=WritablePrefixRequest(prefix="198.51.100.0/28"))
    free = call("ipam.ipam_prefixes_available_ips_list", prefix.id)
    assert free[0].address == "198.51.100.1/28"
    taken = call("ipam.ipam_prefixes_available_ips_create", prefix.id, body=AvailableIPRequestRequest(description="py"))
    taken = taken[0] if isinstance(taken, list) else taken
    assert taken.address == "198.51.100.1/28" and taken.vrf is None
    call("ipam.ipam_ip_addresses_destroy", taken.id)
    call("ipam.ipam_prefixes_destroy", prefix.id)


tests = [*((f"lists {name}", lambda name=name: has_list(name)) for name in LISTS)]
tests += [(test.__name__, test) for test in (has_life, tries_a_write, refers_by_attributes, allocates)]
failed = 0
for label, test in tests:
    try:
        test()
    except Exception:
        failed += 1
        print(f"FAIL {label}")
        traceback.print_exc(limit=-3, file=sys.stdout)
print(f"{len(tests) - failed} passed, {failed} failed, 0 skipped")
sys.exit(1 if failed else 0)
