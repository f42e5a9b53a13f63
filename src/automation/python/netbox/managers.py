"""Methods that NetBox gives to the query sets of single models. Each takes the query set first."""

from expressions import Count, F, OuterRef, Q, Subquery, Value


def within_tree(record):
    """Ids of an object of a tree and of those above it; none without an object."""
    return [] if record is None else [one.pk for one in record.get_ancestors(include_self=True)]


def of_relation(name, ids):
    """Rows that name one of the objects, or none at all."""
    return Q(**{f"{name}__isnull": True}) | (Q(**{f"{name}__in": ids}) if ids else Q())


def own_id(record):
    return [] if record is None else [record.pk]


def contexts_for(contexts, obj, aggregate_data=False):
    """The active config contexts that apply to a device or virtual machine, in the order in which they are merged."""
    cluster, tenant, site = (getattr(obj, name, None) for name in ("cluster", "tenant", "site"))
    wanted = {
        "regions": within_tree(site and site.region),
        "site_groups": within_tree(site and site.group),
        "sites": own_id(site),
        "locations": within_tree(getattr(obj, "location", None)),
        "device_types": own_id(getattr(obj, "device_type", None)),
        "roles": within_tree(obj.role),
        "platforms": within_tree(obj.platform),
        "cluster_types": own_id(cluster and cluster.type),
        "cluster_groups": own_id(cluster and cluster.group),
        "clusters": own_id(cluster),
        "tenant_groups": within_tree(tenant and tenant.group),
        "tenants": own_id(tenant),
        "tags": [tag.pk for tag in obj.tags.all()],
    }
    found = contexts.filter(*(of_relation(name, ids) for name, ids in wanted.items()), is_active=True)
    ordered = found.order_by("weight", "name")
    return [context.data for context in ordered] if aggregate_data else ordered


def vlans_at(vlans, scopes, site):
    """VLANs of groups with one of these scopes, of the site, or without a group and a site."""
    groups = vlans._session.classes["ipam.vlangroup"].objects
    in_scope = Q()
    for kind, ids in scopes.items():
        if ids:
            in_scope |= Q(scope_type=kind, scope_id__in=ids)
    group_ids = [group.pk for group in groups.filter(in_scope)] if in_scope else []
    everywhere = Q(group__scope_id__isnull=True, site__isnull=True) | Q(group__isnull=True, site__isnull=True)
    near = Q(site=site.pk) | everywhere if site is not None else everywhere
    return vlans.filter(Q(group__in=group_ids) | near)


def scopes_of_site(site):
    return {
        "dcim.region": within_tree(site and site.region),
        "dcim.sitegroup": within_tree(site and site.group),
        "dcim.site": own_id(site),
    }


def vlans_for_site(vlans, site):
    return vlans_at(vlans, scopes_of_site(site), site)


def vlans_for_device(vlans, device):
    more = {"dcim.location": within_tree(device.location), "dcim.rack": own_id(device.rack)}
    return vlans_at(vlans, {**scopes_of_site(device.site), **more}, device.site)


def vlans_for_machine(vlans, machine):
    cluster = machine.cluster
    site = machine.site or (cluster and cluster._site)
    more = {
        "virtualization.clustergroup": own_id(cluster and cluster.group),
        "virtualization.cluster": own_id(cluster),
    }
    return vlans_at(vlans, {**scopes_of_site(site), **more}, site)


def fields_for(fields, model):
    return fields.filter(object_types__contains=[model._model])


def defaults_for(fields, model):
    return {field.name: field.default for field in fields_for(fields, model) if field.default is not None}


def with_hierarchy(prefixes):
    return prefixes.annotate(hierarchy_depth=F("_depth"), hierarchy_children=F("_children"))


def with_utilization(groups):
    # Functions are known only when the service has told their names.
    from django.db.models import FloatField
    from django.db.models.functions import Cast, Round

    share = Cast(Round(F("vlan_count") * 100.0 / F("total_vlan_ids"), 2), FloatField())
    return groups.annotate(vlan_count=Count("vlans")).annotate(utilization=share)


def with_asn_counts(ranges):
    """The number of AS numbers of each range."""
    numbers = ranges._session.classes["ipam.asn"].objects.filter(asn__gte=OuterRef("start"), asn__lte=OuterRef("end"))
    # All rows are one group.
    count = numbers.annotate(all=Value(0)).values("all").annotate(count=Count("pk")).values("count")
    return ranges.annotate(asn_count=Subquery(count))


def same(objects):
    """The data of config contexts is computed by the service when a script reads it."""
    return objects.all()


def of_nodes(method):
    def related(objects, nodes, include_self=False):
        ids = {one.pk for node in nodes for one in getattr(node, method)(include_self=include_self)}
        return objects.filter(pk__in=ids)

    return related


def roots(objects):
    return objects.filter(parent__isnull=True)


TREE = {
    "root_nodes": roots,
    "get_queryset_ancestors": of_nodes("get_ancestors"),
    "get_queryset_descendants": of_nodes("get_descendants"),
}

METHODS = {
    "extras.configcontext": {"get_for_object": contexts_for},
    "extras.customfield": {"get_for_model": fields_for, "get_defaults_for_model": defaults_for},
    "ipam.vlan": {
        "get_for_site": vlans_for_site,
        "get_for_device": vlans_for_device,
        "get_for_virtualmachine": vlans_for_machine,
    },
    "ipam.vlangroup": {"annotate_utilization": with_utilization},
    "ipam.asnrange": {"annotate_asn_counts": with_asn_counts},
    "dcim.device": {"annotate_config_context_data": same},
    "virtualization.virtualmachine": {"annotate_config_context_data": same},
    "ipam.prefix": {"annotate_hierarchy": with_hierarchy},
    "extras.notification": {"unread": lambda notifications: notifications.filter(read__isnull=True)},
    **{
        name: TREE
        for name in [
            *["dcim.region", "dcim.sitegroup", "dcim.location", "dcim.devicerole", "dcim.platform", "dcim.inventoryitem"],
            *["dcim.modulebay", "tenancy.tenantgroup", "tenancy.contactgroup", "wireless.wirelesslangroup"],
        ]
    },
}
