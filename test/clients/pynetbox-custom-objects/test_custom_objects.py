"""Every call of pynetbox's extension for custom objects, against a running service."""

import os

import pynetbox
import pytest
from pynetbox.extensions import CustomObjectsExtension
from pynetbox.extensions.custom_objects import schema_apply, schema_preview


@pytest.fixture(scope="module")
def api():
    client = pynetbox.api(
        os.environ["CADASTRE_URL"], token=os.environ["CADASTRE_TOKEN"], extensions=[CustomObjectsExtension]
    )
    return client


@pytest.fixture(scope="module")
def plugin(api):
    return api.plugins.custom_objects


@pytest.fixture(scope="module")
def site(api):
    return api.dcim.sites.create(name="Custom", slug="custom")


@pytest.fixture(scope="module")
def contracts(api, plugin, site):
    choices = api.extras.custom_field_choice_sets.create(name="Tariffs", extra_choices=[["gold", "Gold"], ["lead", "Lead"]])
    kind = plugin.custom_object_types.create(name="power_contract", slug="power-contracts", verbose_name="Power contract")
    plugin.custom_object_type_fields.create(
        [
            {"custom_object_type": kind.id, "name": "number", "type": "text", "primary": True, "required": True},
            {"custom_object_type": kind.id, "name": "kwh", "type": "integer", "validation_minimum": 1},
            {"custom_object_type": kind.id, "name": "tariff", "type": "select", "choice_set": choices.id},
            {
                "custom_object_type": kind.id,
                "name": "place",
                "type": "object",
                "app_label": "dcim",
                "model": "site",
                "related_object_filter": {"status": "active"},
            },
            {
                "custom_object_type": kind.id,
                "name": "attached",
                "type": "object",
                "is_polymorphic": True,
                "related_object_types_input": [
                    {"app_label": "dcim", "model": "site"},
                    {"app_label": "custom-objects", "model": "power-contracts"},
                ],
            },
            {
                "custom_object_type": kind.id,
                "name": "covers",
                "type": "multiobject",
                "is_polymorphic": True,
                "related_object_types_input": [
                    {"app_label": "dcim", "model": "site"},
                    {"app_label": "custom-objects", "model": "power-contracts"},
                ],
            },
        ]
    )
    return plugin.power_contracts


def test_the_type_has_its_fields(plugin, contracts):
    kind = plugin.custom_object_types.get(slug="power-contracts")
    fields = {field.name: field for field in kind.fields}
    assert set(fields) == {"number", "kwh", "tariff", "place", "attached", "covers"}
    assert fields["place"].related_object_filter == {"status": "active"}
    target = fields["place"].related_object_type
    assert (target["app_label"], target["model"]) == ("dcim", "site") and target["id"] > 0
    assert [item.model for item in fields["attached"].related_object_types] == ["site", "powercontract"]
    assert kind.schema_document is None
    assert kind.object_type_name == "custom_objects.powercontract"


def test_objects_are_created_read_changed_and_deleted(contracts, site):
    one = contracts.create(number="E-1", kwh=5, place=site.id, tariff="gold")
    assert (str(one), one.kwh, one.place.name, one.tariff.value) == ("E-1", 5, "Custom", "gold")
    assert one.custom_object_type.slug == "power-contracts"
    one.kwh = 7
    assert one.save() and contracts.get(one.id).kwh == 7
    assert one.update({"kwh": 8}) and contracts.get(number="E-1").kwh == 8
    contracts.create([{"number": "E-2"}, {"number": "E-3"}])
    assert contracts.count() == 3
    assert [row.number for row in contracts.filter(kwh__gte=8)] == ["E-1"]
    assert [row.number for row in contracts.filter(place_id=site.id)] == ["E-1"]
    assert len(list(contracts.all(limit=1))) == 3
    assert contracts.filter("E-2").update(kwh=1) and contracts.get(number="E-2").kwh == 1
    rows = list(contracts.filter(number=["E-2", "E-3"]))
    for row in rows:
        row.kwh = 9
    assert [row.kwh for row in contracts.update(rows)] == [9, 9]
    assert {choice["value"] for choice in contracts.choices()["tariff"]} == {"gold", "lead"}
    assert contracts.delete([rows[0].id]) and contracts.filter(number="E-3").delete()
    assert [row.number for row in contracts.all()] == ["E-1"]


@pytest.mark.parametrize(
    "attached",
    [
        lambda site: {"app_label": "dcim", "model": "site", "object_id": site.id},
        lambda site: {"app_label": "dcim", "model": "site", "id": site.id},
    ],
)
def test_a_reference_to_several_types_is_written_as_an_object(contracts, site, attached):
    row = contracts.get(number="E-1")
    row.attached = attached(site)
    assert row.save()
    assert contracts.get(number="E-1").attached.id == site.id
    assert [found.number for found in contracts.filter(attached_dcim_site=site.id)] == ["E-1"]


def test_a_list_of_references_to_several_types_is_written_and_read(contracts, site):
    row = contracts.get(number="E-1")
    assert row.update(
        {
            "covers": [
                {"app_label": "dcim", "model": "site", "object_id": site.id},
                {"app_label": "custom_objects", "model": "powercontract", "id": row.id},
            ]
        }
    )
    covers = contracts.get(number="E-1").covers
    assert [(item.app_label, item.model, item.id) for item in covers] == [
        ("dcim", "site", site.id),
        ("custom_objects", "powercontract", row.id),
    ]
    assert [item.number for item in contracts.filter(covers_dcim_site=site.id)] == ["E-1"]
    assert row.update({"covers": []}) and contracts.get(number="E-1").covers == []


def test_linked_objects(plugin, contracts, site):
    hits = list(plugin.linked_objects.filter(object_type="dcim.site", object_id=site.id))
    assert {hit.field_name for hit in hits} == {"place", "attached"}
    assert {hit.object["display"] for hit in hits} == {"E-1"}
    assert {hit.custom_object_type["slug"] for hit in hits} == {"power-contracts"}


SCHEMA = {
    "schema_version": "1",
    "types": [
        {
            "name": "vendor",
            "slug": "vendors",
            "version": "1.0",
            "fields": [
                {"id": 1, "name": "name", "type": "text", "primary": True, "required": True},
                {"id": 2, "name": "level", "type": "select", "choice_set": "Tariffs"},
                {"id": 4, "name": "rooms", "type": "multiobject", "related_object_type": "dcim/location"},
                {"id": 5, "name": "parent", "type": "object", "related_object_type": "custom-objects/vendors"},
            ],
        }
    ],
}


def test_the_portable_schema(api, plugin, contracts):
    diff = schema_preview(api, SCHEMA)["diffs"][0]
    assert diff["is_new"] and [change["op"] for change in diff["field_changes"]] == ["add"] * 4
    assert list(plugin.custom_object_types.filter(slug="vendors")) == []
    assert schema_apply(api, SCHEMA)["applied"]
    plugin.vendors.create(name="Acme", level="gold")
    kind = plugin.custom_object_types.get(slug="vendors")
    assert kind.schema_document["name"] == "vendor" and kind.version == "1.0"
    assert not schema_preview(api, SCHEMA)["diffs"][0]["has_changes"]

    changed = {"schema_version": "1", "types": [dict(SCHEMA["types"][0])]}
    kind = changed["types"][0]
    kind["fields"] = [{**field, "name": "title"} if field["id"] == 1 else field for field in kind["fields"][:2]]
    kind["removed_fields"] = [{"id": 4, "name": "rooms", "type": "multiobject", "removed_in": "1.1"}]
    diff = schema_preview(api, changed)["diffs"][0]
    assert diff["has_destructive_changes"] and len(diff["warnings"]) == 1
    # The client takes every 409 of a POST for a failed allocation.
    with pytest.raises(pynetbox.AllocationError) as refused:
        schema_apply(api, changed)
    assert refused.value.req.status_code == 409
    assert refused.value.req.json()["destructive_slugs"] == ["vendors"]
    assert schema_apply(api, changed, allow_destructive=True)["applied"]
    assert plugin.vendors.get(title="Acme").level.value == "gold"


@pytest.mark.parametrize(
    "field",
    [
        {"id": 1, "name": "a", "type": "object", "related_object_type": "dcim/nothing"},
        {"id": 1, "name": "a", "type": "select", "choice_set": "Nothing"},
        {"id": 1, "name": "a", "type": "nothing"},
    ],
)
def test_a_schema_with_an_unknown_reference_is_refused(api, contracts, field):
    with pytest.raises(pynetbox.RequestError) as refused:
        schema_apply(api, {"schema_version": "1", "types": [{"name": "x", "slug": "x", "fields": [field]}]})
    assert refused.value.req.status_code == 400
    assert refused.value.req.json()["error"] == "unresolvable_reference"


def test_definitions_are_changed_and_deleted(plugin, contracts):
    field = plugin.custom_object_type_fields.get(name="kwh", custom_object_type="power-contracts")
    field.label = "Energy"
    assert field.save() and plugin.custom_object_type_fields.get(field.id).label == "Energy"
    assert field.delete()
    kind = plugin.custom_object_types.get(slug="power-contracts")
    assert kind.delete()
    with pytest.raises(pynetbox.RequestError) as missing:
        contracts.count()
    assert missing.value.req.status_code == 404
