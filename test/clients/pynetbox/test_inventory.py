"""An unmodified pynetbox works with an inventory: sites, devices, prefixes and addresses.

The server's address and token come from CADASTRE_URL and CADASTRE_TOKEN; `run` starts one, which speaks
API_VERSION (4.6 by default).
"""

import os
import uuid

import pynetbox
from pynetbox.extensions import BranchingExtension
import pytest


@pytest.fixture(scope="session")
def api():
    return pynetbox.api(os.environ["CADASTRE_URL"], token=os.environ["CADASTRE_TOKEN"])


@pytest.fixture
def tag():
    """A word that nothing else in the database uses."""
    return "py" + uuid.uuid4().hex[:8]


@pytest.fixture
def parts(api, tag):
    """What a device needs: site, manufacturer, type and role; removed again afterwards."""
    site = api.dcim.sites.create(name=f"{tag} site", slug=f"{tag}-site")
    maker = api.dcim.manufacturers.create(name=f"{tag} maker", slug=f"{tag}-maker")
    kind = api.dcim.device_types.create(manufacturer=maker.id, model=f"{tag} type", slug=f"{tag}-type")
    role = api.dcim.device_roles.create(name=f"{tag} role", slug=f"{tag}-role", color="00ff00")
    yield {"site": site.id, "device_type": kind.id, "role": role.id}
    for device in api.dcim.devices.filter(site_id=site.id):
        device.delete()
    for thing in (role, kind, maker, site):
        thing.delete()


def test_version(api):
    version = os.environ.get("API_VERSION", "4.6")
    assert api.version == version
    assert api.status()["netbox-version"].startswith(version)


def test_sites(api, tag):
    site = api.dcim.sites.create(name=f"{tag} a", slug=f"{tag}-a", status="planned")
    assert site.id and site.status.value == "planned"
    assert api.dcim.sites.get(name=f"{tag} a").id == site.id
    assert [found.id for found in api.dcim.sites.filter(slug=f"{tag}-a")] == [site.id]
    assert api.dcim.sites.count(slug=f"{tag}-a") == 1

    site.facility = "Building 4"
    assert site.save() is True
    assert api.dcim.sites.get(site.id).facility == "Building 4"
    assert site.save() is False, "saving without a change sends nothing"
    assert site.update({"status": "active"}) is True
    assert site.delete() is True
    assert api.dcim.sites.get(site.id) is None


def test_refusal_names_the_field(api, tag):
    with pytest.raises(pynetbox.RequestError) as refused:
        api.dcim.sites.create(name=f"{tag} a")
    assert refused.value.req.status_code == 400
    assert "slug" in refused.value.error


def test_devices(api, tag, parts):
    device = api.dcim.devices.create(name=f"{tag}-sw1", **parts)
    assert device.site.id == parts["site"]
    assert str(device) == f"{tag}-sw1"
    by_attributes = api.dcim.devices.create(
        name=f"{tag}-sw2",
        site={"slug": f"{tag}-site"},
        device_type={"model": f"{tag} type"},
        role={"name": f"{tag} role"},
    )
    assert by_attributes.site.id == parts["site"]
    names = [found.name for found in api.dcim.devices.filter(site=f"{tag}-site")]
    assert names == [f"{tag}-sw1", f"{tag}-sw2"]
    device.serial = "ABC123"
    assert device.save()
    assert api.dcim.devices.get(serial="ABC123", site_id=parts["site"]).id == device.id


def test_bulk_devices(api, tag, parts):
    made = api.dcim.devices.create([{"name": f"{tag}-{number}", **parts} for number in range(20)])
    assert [device.name for device in made] == [f"{tag}-{number}" for number in range(20)]
    for device in made:
        device.status = "offline"
    changed = api.dcim.devices.update(made)
    assert {device.status.value for device in changed} == {"offline"}
    assert api.dcim.devices.count(site_id=parts["site"], status="offline") == 20
    assert api.dcim.devices.filter(site_id=parts["site"], status="offline").update(status="active")
    assert api.dcim.devices.delete(made) is True
    assert api.dcim.devices.count(site_id=parts["site"]) == 0


def test_paging_follows_next(api, tag):
    made = api.ipam.ip_addresses.create(
        [{"address": f"198.18.77.{host}/24", "description": tag} for host in range(1, 61)]
    )
    try:
        found = list(api.ipam.ip_addresses.filter(description=tag, limit=25))
        assert [str(address) for address in found] == [f"198.18.77.{host}/24" for host in range(1, 61)]
    finally:
        assert api.ipam.ip_addresses.delete(made)


def test_prefixes(api, tag):
    vrf = api.ipam.vrfs.create(name=f"{tag} vrf", rd=f"{tag}:1")
    container = api.ipam.prefixes.create(prefix="10.20.0.0/16", vrf=vrf.id, status="container")
    child = api.ipam.prefixes.create(prefix="10.20.30.0/24", vrf=vrf.id, description=tag)
    assert child.family.value == 4 and child.status.value == "active"
    assert api.ipam.prefixes.get(container.id).children == 1
    inside = api.ipam.prefixes.filter(within="10.20.0.0/16", vrf_id=vrf.id)
    assert [str(prefix) for prefix in inside] == ["10.20.30.0/24"]
    child.status = "reserved"
    assert child.save()
    assert api.ipam.prefixes.get(child.id).status.value == "reserved"
    with pytest.raises(pynetbox.RequestError):
        vrf.delete()
    assert child.delete() and container.delete() and vrf.delete()


def test_addresses_on_interfaces(api, tag, parts):
    device = api.dcim.devices.create(name=f"{tag}-rtr", **parts)
    port = api.dcim.interfaces.create(device=device.id, name="eth0", type="1000base-t")
    address = api.ipam.ip_addresses.create(
        address="198.18.78.1/24", assigned_object_type="dcim.interface", assigned_object_id=port.id
    )
    assert address.assigned_object.id == port.id
    assert device.update({"primary_ip4": address.id})
    assert api.dcim.devices.get(device.id).primary_ip.address == "198.18.78.1/24"
    assert [found.id for found in api.ipam.ip_addresses.filter(device_id=device.id)] == [address.id]
    assert address.delete()


def test_tags_and_choices(api, tag):
    label = api.extras.tags.create(name=f"{tag} tag", slug=f"{tag}-tag", color="ff0000")
    site = api.dcim.sites.create(name=f"{tag} b", slug=f"{tag}-b", tags=[{"slug": f"{tag}-tag"}])
    assert [str(each) for each in site.tags] == [f"{tag} tag"]
    assert api.dcim.sites.count(tag=f"{tag}-tag") == 1
    statuses = {choice["value"] for choice in api.dcim.sites.choices()["status"]}
    assert {"active", "planned", "retired"} <= statuses
    assert site.delete() and label.delete()


def test_change_records(api, tag):
    site = api.dcim.sites.create(name=f"{tag} c", slug=f"{tag}-c", changelog_message=f"{tag} made")
    record = api.core.object_changes.get(changed_object_id=site.id, changed_object_type="dcim.site")
    assert record.action.value == "create" and record.message == f"{tag} made"
    site.delete()


def test_token_by_password(api):
    fresh = pynetbox.api(os.environ["CADASTRE_URL"])
    token = fresh.create_token(os.environ["CADASTRE_USER"], os.environ["CADASTRE_PASSWORD"])
    assert token.id
    assert fresh.dcim.sites.count() >= 0


def test_branches(api, tag):
    branching = pynetbox.api(api.base_url.removesuffix("/api"), token=api.token, extensions=[BranchingExtension])
    branch = branching.plugins.branching.branches.create(name=f"{tag} branch")
    assert branch.status.value == "ready"
    with branching.activate_branch(branch):
        site = branching.dcim.sites.create(name=f"{tag} prepared", slug=f"{tag}-prepared")
        assert branching.dcim.sites.get(site.id).name == f"{tag} prepared"
    assert branching.dcim.sites.get(site.id) is None
    assert [change.modified_data["name"] for change in branch.changes] == [f"{tag} prepared"]
    assert "site" in [model.model for model in branching.plugins.branching.branchable_models.all()]
    tried = branch.merge(commit=False)
    assert (tried.id > 0, tried.status.value, branching.dcim.sites.get(site.id)) == (True, "completed", None)
    assert branch.sync().status.value == "completed"
    assert branch.merge().status.value == "completed"
    assert branching.dcim.sites.get(site.id).name == f"{tag} prepared"
    assert branch.revert().status.value == "completed"
    assert branching.dcim.sites.get(site.id) is None
    assert branch.archive().status.value == "archived"
    events = branching.plugins.branching.branch_events.filter(branch_id=branch.id)
    assert [event.type.value for event in events] == ["provisioned", "synced", "merged", "reverted", "archived"]
    assert branch.delete()
