import type { Batch } from './batch.ts'
import { DEVICE_TYPES, PLATFORMS, ROLES } from './catalogue.ts'
import { customValues } from './organisation.ts'
import { DEVICES_IN_RACK, DEVICES_IN_SITE, type Plan, VLANS_IN_SITE } from './plan.ts'
import { privateAddress } from './private-address.ts'

const STATUSES = ['active', 'active', 'active', 'active', 'planned', 'staged', 'failed', 'offline']
/** Racks are filled from the bottom, with a free unit above each device. */
const UNITS_OF_DEVICE = 2
const HOSTS_IN_NETWORK = 250

/** Devices, their interfaces and addresses, with counters and cached columns filled in. */
export function* hardware(plan: Plan): Generator<Batch> {
  const { devices, interfaces, addresses } = plan.sizes
  yield plan.batch('dcim.device', devices, (index, id) => deviceRow(plan, index, id))
  let device = 0
  yield plan.batch('dcim.interface', interfaces, (index) => {
    while (plan.firstInterface(device + 1) <= index) device += 1
    return interfaceRow(plan, device, index - plan.firstInterface(device))
  })
  yield plan.batch('ipam.ipaddress', addresses, (index) => ({
    ...(index < plan.deviceAddresses ? ownAddress(plan, index) : vrfAddress(plan, index - plan.deviceAddresses)),
    status: 'active',
    assigned_object_type: 'dcim.interface',
    tenant: plan.random.oneIn(3) ? null : plan.any('tenancy.tenant', plan.tenants),
  }))
}

function deviceRow(plan: Plan, index: number, id: number): Readonly<Record<string, unknown>> {
  const place = plan.placeOf(index)
  const role = plan.random.below(ROLES.length)
  const type = plan.random.below(DEVICE_TYPES)
  // Types and platforms use the manufacturers in turn and in the same order, so a device's platform and its type are
  // from the same manufacturer.
  const platform = plan.id('dcim.platform', type % PLATFORMS)
  return {
    ...place,
    name: `r${place.rack}-${ROLES[role]}-${id}`,
    device_type: plan.id('dcim.devicetype', type),
    role: plan.id('dcim.devicerole', role),
    platform: plan.random.oneIn(4) ? null : platform,
    tenant: plan.random.oneIn(3) ? null : plan.any('tenancy.tenant', plan.tenants),
    serial: `SN${(id * 7919).toString(36).toUpperCase()}`,
    asset_tag: `A-${id}`,
    position: `${1 + (index % DEVICES_IN_RACK) * UNITS_OF_DEVICE}.0`,
    face: 'front',
    status: plan.random.pick(STATUSES),
    primary_ip4: index < plan.deviceAddresses ? plan.id('ipam.ipaddress', index) : null,
    custom_fields: customValues(plan),
    interface_count: plan.interfacesOf(index),
  }
}

function interfaceRow(plan: Plan, device: number, port: number): Readonly<Record<string, unknown>> {
  const { site, location, rack } = plan.placeOf(device)
  const link = plan.cableAt(device, port)
  const isAccess = port > 0 && plan.random.oneIn(3)
  const vlan = Math.floor(device / DEVICES_IN_SITE) * VLANS_IN_SITE + (port % VLANS_IN_SITE)
  return {
    device: plan.id('dcim.device', device),
    name: port === 0 ? 'mgmt0' : `Ethernet1/${port}`,
    type: port === 0 ? '1000base-t' : '10gbase-x-sfpp',
    mgmt_only: port === 0,
    enabled: !plan.random.oneIn(10),
    mode: isAccess ? 'access' : null,
    untagged_vlan: isAccess ? plan.id('ipam.vlan', vlan) : null,
    cable: link ? plan.id('dcim.cable', link.cable) : null,
    cable_end: link?.end ?? null,
    _site: site,
    _location: location,
    _rack: rack,
  }
}

/** The primary address of a device, by the device's index: on its first interface, in its site's network. */
function ownAddress(plan: Plan, device: number): Readonly<Record<string, unknown>> {
  const site = Math.floor(device / DEVICES_IN_SITE)
  return {
    address: `${privateAddress(site * 1024 + 1 + (device % DEVICES_IN_SITE))}/24`,
    assigned_object_id: plan.id('dcim.interface', plan.firstInterface(device)),
    dns_name: `d${plan.id('dcim.device', device)}.example.net`,
  }
}

/** Addresses rotate over VRFs and devices; every eighth is IPv6. */
function vrfAddress(plan: Plan, index: number): Readonly<Record<string, unknown>> {
  const inVrf = Math.floor(index / plan.vrfs)
  const { devices } = plan.sizes
  const port = plan.ports === 1 ? 0 : 1 + (Math.floor(index / devices) % (plan.ports - 1))
  const [network, host] = [Math.floor(inVrf / HOSTS_IN_NETWORK), 1 + (inVrf % HOSTS_IN_NETWORK)]
  return {
    address:
      index % 8 === 0
        ? `fd00:${network.toString(16)}::${host.toString(16)}/64`
        : `${privateAddress(network * 256 + host)}/24`,
    vrf: plan.id('ipam.vrf', index % plan.vrfs),
    assigned_object_id: plan.id('dcim.interface', plan.firstInterface(index % devices) + port),
    dns_name: '',
  }
}
