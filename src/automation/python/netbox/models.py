"""What NetBox's models compute: their methods and properties beside the fields, as far as they need no arguments or simple ones.

A class here is the class of the objects of its model. Models without a class are plain records.
"""

import datetime
import decimal
import heapq
import itertools

import netaddr

from objects import CHUNK, QuerySet, Record

GRAMS = {"kg": 1000, "g": 1, "lb": decimal.Decimal("453.592"), "oz": decimal.Decimal("28.3495")}
METRES = {
    "km": decimal.Decimal(1000),
    "m": decimal.Decimal(1),
    "cm": decimal.Decimal("0.01"),
    "mi": decimal.Decimal("1609.344"),
    "ft": decimal.Decimal("0.3048"),
    "in": decimal.Decimal("0.0254"),
}
HALF = decimal.Decimal("0.5")


def runs(numbers):
    """The numbers as ranges of neighbours, as texts: 1-3, 7."""
    texts = []
    for _, group in itertools.groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        texts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return texts


def gaps(first, last, taken):
    """What the intervals `taken`, in the order of their starts, leave between two numbers."""
    free = first
    for start, end in taken:
        if start > last:
            break
        if start > free:
            yield free, start - 1
        free = max(free, end + 1)
    if free <= last:
        yield free, last


def percentage(used, size):
    return min(float(used) / size * 100, 100)


class Node(Record):
    """An object of a tree."""

    @property
    def level(self):
        return len(self.get_ancestors())

    def get_ancestors(self, ascending=False, include_self=False):
        found = [self] if include_self else []
        node = self
        while (node := node.parent) is not None:
            found.append(node)
        return found if ascending else found[::-1]

    def get_children(self):
        return self._objects().filter(parent=self)

    def get_descendants(self, include_self=False):
        ids = [self.id] if include_self else []
        level = [self.id]
        while level:
            level = [child.id for child in self._objects().filter(parent__in=level)]
            ids.extend(level)
        return self._objects().filter(id__in=ids)

    def get_descendant_count(self):
        return self.get_descendants().count()

    def get_family(self):
        ids = [node.id for node in (*self.get_ancestors(), *self.get_descendants(include_self=True))]
        return self._objects().filter(id__in=ids)

    def get_root(self):
        return self.get_ancestors(include_self=True)[0]

    def get_siblings(self, include_self=False):
        found = self._objects().filter(parent=self.parent)
        return found if include_self else found.exclude(id=self.id)

    def is_root_node(self):
        return self.parent is None

    def is_child_node(self):
        return self.parent is not None

    def is_leaf_node(self):
        return not self.get_children().exists()


class SiteTree(Node):
    def get_site_count(self):
        field = "region" if self._model == "dcim.region" else "group"
        return self._objects("dcim.site").filter(**{f"{field}__in": self.get_descendants(include_self=True)}).count()


class Weighed(Record):
    @property
    def abs_weight(self):
        return None if self.weight is None or not self.weight_unit else int(self.weight * GRAMS[self.weight_unit])


class Distant(Record):
    @property
    def abs_distance(self):
        if self.distance is None or not self.distance_unit:
            return None
        return round(self.distance * METRES[self.distance_unit], 4)


def total_weight(things):
    return round(sum(thing.abs_weight or 0 for thing in things) / 1000, 2)


class Typed(Weighed):
    """A type of a manufacturer."""

    @property
    def full_name(self):
        return f"{self.manufacturer} {self.model}"


def plain_values(record, names):
    """Values as files of the type library have them: related objects by name. Fields of other versions are left out."""
    described = record._inventory.models[record._model]
    known = {*described["columns"], *described["references"], *described["relations"]}
    return {name: plain_value(getattr(record, name)) for name in names if name in known}


def plain_value(value):
    if isinstance(value, Record):
        return value.name
    if isinstance(value, QuerySet):
        return [each.name for each in value]
    if isinstance(value, decimal.Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, datetime.date) else value


class WithComponents(Typed):
    """A type whose devices or modules get components."""

    def to_yaml(self):
        """The type with its components as a file that can be imported."""
        data = plain_values(self, TYPE_FIELDS)
        for name in COMPONENT_LISTS:
            templates = list(getattr(self, f"{name[:-1].replace('-', '')}templates", []))
            if templates:
                data[name] = [template.to_yaml() for template in templates]
        rear = {port.id: port.name for port in self.rearporttemplates}
        mappings = [mapping for port in self.frontporttemplates for mapping in port_mappings(port, rear)]
        if mappings:
            data["port-mappings"] = mappings
        return self._inventory.ask("yaml", value=data)


TYPE_FIELDS = [
    *["manufacturer", "profile", "model", "slug", "description", "default_platform", "part_number"],
    *["u_height", "is_full_depth", "subdevice_role", "airflow", "cooling_method", "weight", "weight_unit"],
    *["end_of_life", "module_bay_types", "attribute_data", "comments"],
]
COMPONENT_LISTS = [
    *["console-ports", "console-server-ports", "power-ports", "power-outlets", "cooling-intakes", "cooling-outflows"],
    *["interfaces", "rear-ports", "front-ports", "module-bays", "device-bays"],
]


def port_mappings(port, rear):
    return [
        {
            "front_port": port.name,
            "front_port_position": mapping["position"],
            "rear_port": rear[mapping["rear_port"]],
            "rear_port_position": mapping["rear_port_position"],
        }
        for mapping in port.rear_ports
        if mapping["rear_port"] in rear
    ]


class ComponentTemplate(Record):
    """A component that devices or modules of a type get."""

    def to_yaml(self):
        described = self._inventory.models[self._model]
        names = [*described["columns"], *described["references"], "module_bay_types"]
        return plain_values(self, [name for name in names if name not in NOT_IN_FILES])


NOT_IN_FILES = {"device_type", "module_type", "created", "last_updated"}


class DeviceType(WithComponents):
    @property
    def is_parent_device(self):
        return self.subdevice_role == "parent"

    @property
    def is_child_device(self):
        return self.subdevice_role == "child"


class Configured(Record):
    """A device or virtual machine."""

    def get_config_template(self):
        for holder in (self, self.role, self.platform):
            if holder is not None and holder.config_template is not None:
                return holder.config_template
        return None


class Device(Configured):
    @property
    def label(self):
        if self.name:
            return self.name
        return f"{self.virtual_chassis.name}:{self.vc_position}" if self.virtual_chassis else None

    @property
    def identifier(self):
        return self.label or f"{{{self.id}}}"

    @property
    def interfaces_count(self):
        return self.vc_interfaces().count()

    @property
    def total_weight(self):
        return total_weight([self.device_type, *(module.module_type for module in self.modules)])

    def get_vc_master(self):
        return self.virtual_chassis.master if self.virtual_chassis else None

    def vc_interfaces(self, if_master=True):
        chassis = self.virtual_chassis
        if not chassis or (if_master and chassis.master != self):
            return self.interfaces.all()
        interfaces = self._objects("dcim.interface")
        ids = [*interfaces.filter(device__virtual_chassis=chassis, mgmt_only=False), *self.interfaces]
        return interfaces.filter(id__in=ids)

    def get_cables(self, pk_list=False):
        kinds = ["consoleports", "consoleserverports", "powerports", "poweroutlets", "interfaces", "frontports", "rearports"]
        ids = [port.cable_id for kind in kinds for port in getattr(self, kind) if port.cable_id is not None]
        return ids if pk_list else self._objects("dcim.cable").filter(id__in=ids)

    def get_children(self):
        return self._objects().filter(parent_bay__device=self)


class Rack(Weighed):
    @property
    def units(self):
        """Numbers of half units, from the top down."""
        count = int(decimal.Decimal(self.u_height) * 2)
        numbers = [self.starting_unit + HALF * index for index in range(count)]
        return numbers if self.desc_units else numbers[::-1]

    @property
    def total_weight(self):
        devices = list(self.devices)
        modules = self._objects("dcim.module").filter(device__rack=self)
        return total_weight([self, *(each.device_type for each in devices), *(each.module_type for each in modules)])

    def get_rack_units(self, user=None, face="front", exclude=None, expand_devices=True):
        units = {
            unit: {"id": unit, "name": f"U{unit.normalize():f}", "face": face, "device": None, "occupied": False}
            for unit in map(decimal.Decimal, self.units)
        }
        for device in self._mounted(exclude=[exclude]):
            if device.face != face and not device.device_type.is_full_depth:
                continue
            taken = device_units(device)
            for unit in taken if expand_devices else taken[:1]:
                if unit in units:
                    units[unit].update(device=device, occupied=True)
            if not expand_devices and taken and taken[0] in units:
                units[taken[0]]["height"] = device.device_type.u_height
        return list(units.values())

    def get_available_units(self, u_height=1, rack_face=None, exclude=None, ignore_excluded_devices=False):
        taken = set()
        for device in self._mounted(exclude=exclude or []):
            if ignore_excluded_devices and device.device_type.exclude_from_utilization:
                continue
            if rack_face is None or device.face == rack_face or device.device_type.is_full_depth:
                taken.update(device_units(device))
        free = [unit for unit in self.units if unit not in taken]
        needed = range(int(decimal.Decimal(u_height) * 2))
        return [unit for unit in free if all(unit + HALF * index in free for index in needed)][::-1]

    def get_reserved_units(self):
        return {unit: reservation for reservation in self.reservations for unit in reservation.units}

    def get_utilization(self):
        units = self.units
        reserved = {unit + half for unit in self.get_reserved_units() for half in (0, HALF)}
        free = set(self.get_available_units(u_height=HALF, ignore_excluded_devices=True)) - reserved
        return (len(units) - len(free)) / len(units) * 100

    def get_power_utilization(self):
        feeds = list(self.powerfeeds)
        available = sum(feed.available_power for feed in feeds)
        peers = [peer for feed in feeds for peer in feed.link_peers or [] if isinstance(peer, PowerPort)]
        drawn = sum(peer.get_power_draw()["allocated"] for peer in peers)
        return round(drawn / available * 100, 1) if available else 0

    def _mounted(self, exclude):
        return [device for device in self.devices if device.position is not None and device.id not in exclude]


class RackType(Typed):
    units = Rack.units


def device_units(device):
    return [device.position + HALF * index for index in range(int(device.device_type.u_height * 2))]


class RackReservation(Record):
    @property
    def unit_list(self):
        return ", ".join(runs(self.units))


class Cable(Record):
    @property
    def a_terminations(self):
        return self._ends("A")

    @property
    def b_terminations(self):
        return self._ends("B")

    def get_terminations(self):
        """Two dictionaries, one for each end: objects, and how the cable ends at them."""
        ends = list(self.terminations)
        return tuple({end.termination: end for end in ends if end.cable_end == side} for side in "AB")

    def _ends(self, side):
        return [end.termination for end in self.terminations if end.cable_end == side]


class Component(Record):
    """A part of a device or of a virtual machine."""

    @property
    def parent_object(self):
        return self.virtual_machine if self._model.startswith("virtualization.") else self.device


class ComponentNode(Component, Node):
    pass


class ModuleBay(ComponentNode):
    @property
    def parent(self):
        return self.module.module_bay if self.module else None


class CablePath:
    def __init__(self, steps, found):
        self.path_objects = steps
        self.is_active = found["is_active"]
        self.is_complete = found["is_complete"]
        self.is_split = found["is_split"]

    @property
    def origins(self):
        return self.path_objects[0]

    @property
    def destinations(self):
        return self.path_objects[-1] if self.is_complete else []

    @property
    def segment_count(self):
        return len(self.path_objects) // 3


class Cabled(Record):
    """Something that a cable can end at."""

    @property
    def link(self):
        return self.cable

    @property
    def opposite_cable_end(self):
        return {"A": "B", "B": "A"}.get(self.cable_end)

    @property
    def path(self):
        """The cable path that begins here; None without one, and for a path through an object that is hidden."""
        found = self._asked("path", "path")
        if found is None:
            return None
        steps = [[node.split(":") for node in step] for step in found["path"]]
        ids = {}
        for model, id in (node for step in steps for node in step):
            ids.setdefault(model, []).append(int(id))
        known = {model: self._inventory.fetch(model, wanted) for model, wanted in ids.items()}
        objects = [[known[model].get(int(id)) for model, id in step] for step in steps]
        return None if any(each is None for step in objects for each in step) else CablePath(objects, found)

    def trace(self):
        """Segments of the path: the near ends, the links and the far ends of each."""
        steps, seen, origin = [], set(), self
        # Bridges may lead back.
        while origin is not None and origin not in seen and origin.path is not None:
            seen.add(origin)
            part = [*origin.path.path_objects]
            # A path may end at a port without a cable, or at something that is attached without one.
            if len(part) % 3 == 1:
                part += [[], []]
            elif len(part) % 3 == 2:
                part.insert(-1, [])
            steps += part
            ends = origin.path.destinations
            # A bridged interface leads on.
            origin = getattr(ends[0], "bridge", None) if len(ends) == 1 else None
        return list(zip(steps[0::3], steps[1::3], steps[2::3]))


class Port(Component, Cabled):
    pass


class PowerPort(Port):
    def get_downstream_powerports(self, leg=None):
        outlets = self.poweroutlets.filter(cable__isnull=False)
        if leg:
            outlets = outlets.filter(feed_leg=leg)
        peers = [peer.id for outlet in outlets for peer in outlet.link_peers or [] if isinstance(peer, PowerPort)]
        return self._objects().filter(id__in=peers)

    def get_power_draw(self):
        """Allocated and maximum draw in volt-amperes, that of what hangs behind the port if it has none of its own."""
        draw = {"outlet_count": self.poweroutlets.count(), "legs": []}
        if self.allocated_draw is not None or self.maximum_draw is not None:
            return {"allocated": self.allocated_draw or 0, "maximum": self.maximum_draw or 0, **draw}
        peers = self.link_peers or []
        if len(peers) == 1 and peers[0]._model == "dcim.powerfeed" and peers[0].phase == "three-phase":
            draw["legs"] = [
                {"name": name, "outlet_count": self.poweroutlets.filter(feed_leg=leg).count(), **self._behind({self.id}, leg)}
                for leg, name in self._inventory.models["dcim.poweroutlet"]["choices"]["feed_leg"].items()
            ]
        return {**self._behind({self.id}), **draw}

    def _behind(self, seen, leg=None):
        """The draw of the ports behind this one; each is counted once."""
        allocated = maximum = 0
        for port in self.get_downstream_powerports(leg):
            if port.id in seen:
                continue
            seen.add(port.id)
            if port.allocated_draw is None and port.maximum_draw is None:
                behind = port._behind(seen)
                allocated, maximum = allocated + behind["allocated"], maximum + behind["maximum"]
            else:
                allocated, maximum = allocated + (port.allocated_draw or 0), maximum + (port.maximum_draw or 0)
        return {"allocated": allocated, "maximum": maximum}


class PowerFeed(Cabled):
    @property
    def parent_object(self):
        return self.power_panel

    @property
    def available_power(self):
        """In watts."""
        single = abs(self.voltage) * self.amperage * (self.max_utilization / 100)
        return round(single * 1.732 if self.phase == "three-phase" else single)


class AnyInterface(Component):
    @property
    def mac_address(self):
        return self.primary_mac_address.mac_address if self.primary_mac_address else None

    @property
    def tunnel_termination(self):
        return self.tunnel_terminations.first()

    @property
    def l2vpn_termination(self):
        return self.l2vpn_terminations.first()


class Interface(AnyInterface, Port):
    @property
    def is_virtual(self):
        return self.type in ("virtual", "lag", "bridge")

    @property
    def is_lag(self):
        return self.type == "lag"

    @property
    def is_bridge(self):
        return self.type == "bridge"

    @property
    def is_wireless(self):
        return self.type.startswith("ieee802.1") or self.type in ("other-wireless", "gsm", "cdma", "lte", "4g", "5g")

    @property
    def is_wired(self):
        return not self.is_virtual and not self.is_wireless

    @property
    def link(self):
        return self.cable or self.wireless_link


class MacAddress(Record):
    @property
    def is_primary(self):
        return self.assigned_object is not None and self.assigned_object.primary_mac_address_id == self.id


class ImageAttachment(Record):
    @property
    def filename(self):
        return str(self.image or "").rsplit("/", 1)[-1].removeprefix(f"{self.object_type.split('.')[-1]}_{self.object_id}_")

    @property
    def size(self):
        return self.image_size


class CircuitTermination(Cabled):
    @property
    def parent_object(self):
        return self.circuit

    def get_peer_termination(self):
        return self._objects().filter(circuit=self.circuit).exclude(id=self.id).first()


class VirtualCircuit(Record):
    @property
    def provider(self):
        return self.provider_network.provider


class VirtualCircuitTermination(Record):
    @property
    def parent_object(self):
        return self.virtual_circuit

    @property
    def peer_terminations(self):
        peers = {"peer": "peer", "hub": "spoke", "spoke": "hub"}
        return self.virtual_circuit.terminations.filter(role=peers.get(self.role)).exclude(id=self.id)


class Tunnelled(Record):
    @property
    def assigned_object_parent(self):
        return getattr(self.assigned_object, "parent_object", None)

    @property
    def assigned_object_site(self):
        return getattr(self.assigned_object_parent, "site", None)


class L2Vpn(Record):
    @property
    def can_add_termination(self):
        return self.type not in ("vpws", "epl", "ep-lan", "ep-tree") or self.terminations.count() < 2


class User(Record):
    def get_full_name(self):
        return f"{self.first_name} {self.last_name}".strip()

    def get_short_name(self):
        return self.first_name


class Network(Record):
    """A prefix or an aggregate."""

    @property
    def family(self):
        return self.prefix.version

    @property
    def ipv6_full(self):
        return self.prefix.ip.format(netaddr.ipv6_full) if self.family == 6 else None

    def get_available_prefixes(self):
        """The space without prefixes, as a set of addresses."""
        inside = self._objects("ipam.prefix").filter(prefix__net_contained=str(self.prefix), **self._table())
        return netaddr.IPSet(self.prefix) - netaddr.IPSet(inside.values_list("prefix", flat=True))

    def get_first_available_prefix(self):
        return next(iter(self.get_available_prefixes().iter_cidrs()), None)

    def get_child_prefixes(self):
        return self._objects("ipam.prefix").filter(prefix__net_contained=str(self.prefix))

    def _table(self):
        return {}

    def _covered(self, prefixes):
        return percentage(netaddr.IPSet(prefixes.values_list("prefix", flat=True)).size, self.prefix.size)


class Aggregate(Network):
    def get_utilization(self):
        return self._covered(self._objects("ipam.prefix").filter(prefix__net_contained_or_equal=str(self.prefix)))


class Space(Record):
    """Addresses that can be assigned: those of a prefix or of a range."""

    def get_available_ips(self):
        sets = (netaddr.iprange_to_cidrs(*self._addresses(*gap)) for gap in self._free())
        return netaddr.IPSet(itertools.chain.from_iterable(sets))

    def iter_available_ips(self):
        for gap in self._free():
            yield from netaddr.iter_iprange(*self._addresses(*gap))

    def get_available_ip_count(self):
        return sum(last - first + 1 for first, last in self._free())

    def get_first_available_ip(self):
        gap = next(self._free(), None)
        return None if gap is None else f"{self._addresses(*gap)[0]}/{self.mask_length}"

    def _addresses(self, *numbers):
        return [netaddr.IPAddress(number, self.family) for number in numbers]

    def _hosts(self, first, last):
        """Intervals of one address that is assigned, ascending. They are read as far as they are used."""
        low, high = map(str, self._addresses(first, last))
        found = self.get_child_ips().filter(_host__range=[low, high]).order_by("_host")
        for start in itertools.count(0, CHUNK):
            part = found[start : start + CHUNK]
            for address in part:
                yield int(address.address.ip), int(address.address.ip)
            if len(part) < CHUNK:
                return

    def _taken(self, first, last, ranges):
        intervals = sorted((int(each.start_address.ip), int(each.end_address.ip)) for each in ranges)
        return heapq.merge(self._hosts(first, last), intervals)

    def _used(self, first, last, ranges):
        free = sum(end - start + 1 for start, end in gaps(first, last, self._taken(first, last, ranges)))
        return last - first + 1 - free


class Prefix(Network, Space):
    @property
    def mask_length(self):
        return self.prefix.prefixlen

    @property
    def depth(self):
        return self._shown("_depth")

    @property
    def aggregate(self):
        return self._objects("ipam.aggregate").filter(prefix__net_contains_or_equals=str(self.prefix)).first()

    def get_parents(self, include_self=False):
        return self._related_networks("net_contains_or_equals" if include_self else "net_contains")

    def get_children(self, include_self=False):
        return self._related_networks("net_contained_or_equal" if include_self else "net_contained")

    def get_duplicates(self):
        return self._objects().filter(prefix=str(self.prefix), **self._table()).exclude(id=self.id)

    def get_child_prefixes(self):
        found = super().get_child_prefixes()
        return found if self._holds_all_tables() else found.filter(**self._table())

    def get_child_ranges(self, **wanted):
        inside = {f"{end}__net_host_contained": str(self.prefix) for end in ("start_address", "end_address")}
        return self._objects("ipam.iprange").filter(**inside, **self._table(), **wanted)

    def get_child_ips(self):
        bounds = [str(netaddr.IPAddress(number, self.family)) for number in (self.prefix.first, self.prefix.last)]
        table = {} if self._holds_all_tables() else self._table()
        return self._objects("ipam.ipaddress").filter(_host__range=bounds, **table)

    @property
    def usable_ip_bounds(self):
        """First and last address that can be assigned."""
        first, last = self.prefix.first, self.prefix.last
        if not self.is_pool and last - first > 1:
            # The network's own address, or that of its routers; for IPv4 also the broadcast address.
            first, last = first + 1, last - (self.family == 4)
        return tuple(self._addresses(first, last))

    @property
    def usable_size(self):
        first, last = map(int, self.usable_ip_bounds)
        return last - first + 1

    def get_utilization(self):
        if self.mark_utilized:
            return 100
        if self.status == "container":
            return self._covered(self._objects().filter(prefix__net_contained=str(self.prefix), **self._table()))
        used = self._used(self.prefix.first, self.prefix.last, self.get_child_ranges(mark_utilized=True))
        return percentage(used, self.usable_size if self.family == 4 else self.prefix.size)

    def get_ip_usage_summary(self):
        return {"available_ip_count": self.get_available_ip_count(), "utilization": self.get_utilization()}

    def _free(self):
        first, last = map(int, self.usable_ip_bounds)
        return gaps(first, last, self._taken(first, last, self.get_child_ranges(mark_populated=True)))

    def _table(self):
        return {"vrf": self.vrf}

    def _holds_all_tables(self):
        return self.vrf is None and self.status == "container"

    def _related_networks(self, lookup):
        return self._objects().filter(**{f"prefix__{lookup}": str(self.prefix)}, **self._table())


class IPRange(Space):
    @property
    def range(self):
        return netaddr.IPRange(self.start_address.ip, self.end_address.ip)

    @property
    def family(self):
        return self.start_address.version

    @property
    def mask_length(self):
        return self.start_address.prefixlen

    @property
    def name(self):
        return str(self)

    @property
    def first_available_ip(self):
        return self.get_first_available_ip()

    @property
    def utilization(self):
        return 100 if self.mark_utilized else percentage(self._used(self.range.first, self.range.last, []), self.size)

    def get_child_ips(self):
        bounds = [str(self.start_address.ip), str(self.end_address.ip)]
        return self._objects("ipam.ipaddress").filter(_host__range=bounds, vrf=self.vrf)

    def _free(self):
        first, last = self.range.first, self.range.last
        return iter(()) if self.mark_populated else gaps(first, last, self._hosts(first, last))


class IPAddress(Record):
    @property
    def family(self):
        return self.address.version

    @property
    def ipv6_full(self):
        return self.address.ip.format(netaddr.ipv6_full) if self.family == 6 else None

    @property
    def is_oob_ip(self):
        return self._is("oob_ip_id")

    @property
    def is_primary_ip(self):
        return self._is(f"primary_ip{self.family}_id")

    def get_duplicates(self):
        return self._objects().filter(vrf=self.vrf, address__net_host=str(self.address.ip)).exclude(id=self.id)

    def get_related_ips(self):
        inside = self._objects().filter(vrf=self.vrf, address__net_contained_or_equal=str(self.address.cidr))
        return inside.exclude(address=str(self.address))

    def get_next_available_ip(self):
        """The next address of the network that is not assigned; None for networks without a broadcast address."""
        last = self.address.broadcast
        if last is None:
            return None
        bounds = [str(self.address.ip + 1), str(last)]
        found = self._objects().filter(vrf=self.vrf, _host__range=bounds).order_by("_host")
        taken = ((int(each.address.ip), int(each.address.ip)) for each in found)
        gap = next(gaps(int(self.address.ip) + 1, int(last) - 1, taken), None)
        return None if gap is None else netaddr.IPAddress(gap[0], self.family)

    def _is(self, reference):
        parent = getattr(self.assigned_object, "parent_object", None)
        return parent is not None and getattr(parent, reference, None) == self.id


def asdot(number):
    return f"{number // 65536}.{number % 65536}" if number > 65535 else str(number)


class Asn(Record):
    @property
    def asn_asdot(self):
        return asdot(self.asn)

    @property
    def asn_with_asdot(self):
        return f"{self.asn} ({self.asn_asdot})" if self.asn > 65535 else str(self.asn)

    @property
    def prefixed_name(self):
        return f"AS{self.asn_with_asdot}"


class AsnRange(Record):
    @property
    def range(self):
        return range(self.start, self.end + 1)

    @property
    def start_asdot(self):
        return asdot(self.start)

    @property
    def end_asdot(self):
        return asdot(self.end)

    def range_as_string(self):
        return f"{self.start}-{self.end}"

    def range_as_string_with_asdot(self):
        plain = self.range_as_string()
        return f"{plain} ({self.start_asdot}-{self.end_asdot})" if self.end > 65535 else plain

    def get_child_asns(self):
        return self._objects("ipam.asn").filter(asn__gte=self.start, asn__lte=self.end)

    def get_available_asns(self):
        taken = set(self.get_child_asns().values_list("asn", flat=True))
        return [number for number in self.range if number not in taken]


class Service(Record):
    @property
    def port_list(self):
        return ", ".join(runs(self.ports))


class Vlan(Record):
    @property
    def l2vpn_termination(self):
        return self.l2vpn_terminations.first()

    def get_interfaces(self):
        return self._carriers("dcim.interface", "interfaces")

    def get_vminterfaces(self):
        return self._carriers("virtualization.vminterface", "vminterfaces")

    def _carriers(self, model, prefix):
        ids = [*getattr(self, f"{prefix}_as_untagged"), *getattr(self, f"{prefix}_as_tagged")]
        return self._objects(model).filter(id__in=ids)


class VlanGroup(Record):
    @property
    def vid_ranges_items(self):
        return [str(first) if first == last else f"{first}-{last}" for first, last in self._ranges()]

    @property
    def vid_ranges_list(self):
        return ",".join(self.vid_ranges_items)

    def get_child_vlans(self):
        return self._objects("ipam.vlan").filter(group=self).order_by("vid")

    def get_available_vids(self):
        taken = set(self.get_child_vlans().values_list("vid", flat=True))
        numbers = {number for first, last in self._ranges() for number in range(first, last + 1)}
        return sorted(numbers - taken)

    def get_next_available_vid(self):
        return next(iter(self.get_available_vids()), None)

    def _ranges(self):
        return self._shown("vid_ranges")


CLASSES = {
    **dict.fromkeys(
        [
            "dcim.devicerole",
            "dcim.location",
            "dcim.platform",
            "tenancy.contactgroup",
            "tenancy.tenantgroup",
            "wireless.wirelesslangroup",
            "dcim.inventoryitemtemplate",
        ],
        Node,
    ),
    **dict.fromkeys(["dcim.region", "dcim.sitegroup"], SiteTree),
    **dict.fromkeys(["dcim.consoleport", "dcim.consoleserverport", "dcim.poweroutlet", "dcim.frontport", "dcim.rearport"], Port),
    **dict.fromkeys(["ipam.service", "ipam.servicetemplate"], Service),
    **dict.fromkeys(["circuits.circuit", "wireless.wirelesslink"], Distant),
    **dict.fromkeys(
        [
            "dcim.consoleporttemplate",
            "dcim.consoleserverporttemplate",
            "dcim.powerporttemplate",
            "dcim.poweroutlettemplate",
            "dcim.coolingintaketemplate",
            "dcim.coolingoutflowtemplate",
            "dcim.interfacetemplate",
            "dcim.rearporttemplate",
            "dcim.frontporttemplate",
            "dcim.modulebaytemplate",
            "dcim.devicebaytemplate",
        ],
        ComponentTemplate,
    ),
    "circuits.circuittermination": CircuitTermination,
    "circuits.virtualcircuit": VirtualCircuit,
    "circuits.virtualcircuittermination": VirtualCircuitTermination,
    "dcim.cable": Cable,
    "dcim.device": Device,
    "dcim.devicebay": Component,
    "dcim.devicetype": DeviceType,
    "dcim.interface": Interface,
    "dcim.inventoryitem": ComponentNode,
    "dcim.macaddress": MacAddress,
    "dcim.modulebay": ModuleBay,
    "dcim.moduletype": WithComponents,
    "dcim.powerfeed": PowerFeed,
    "dcim.powerport": PowerPort,
    "dcim.rack": Rack,
    "dcim.rackreservation": RackReservation,
    "dcim.racktype": RackType,
    "extras.imageattachment": ImageAttachment,
    "ipam.aggregate": Aggregate,
    "ipam.asn": Asn,
    "ipam.asnrange": AsnRange,
    "ipam.ipaddress": IPAddress,
    "ipam.iprange": IPRange,
    "ipam.prefix": Prefix,
    "ipam.vlan": Vlan,
    "ipam.vlangroup": VlanGroup,
    "users.user": User,
    "virtualization.virtualdisk": Component,
    "virtualization.virtualmachine": Configured,
    "virtualization.vminterface": AnyInterface,
    "vpn.l2vpn": L2Vpn,
    "vpn.l2vpntermination": Tunnelled,
}
