import { createRandom, type Random } from './random.ts'

/** A row by row key; what is not named gets its default. */
export type GeneratedRow = Readonly<Record<string, unknown>> & { readonly id: number }

/** Rows of one model, to be inserted before those of the batches that follow. */
export interface Batch {
  /** `app.model`. */
  readonly model: string
  readonly rows: Iterable<GeneratedRow>
}

export interface InventoryOptions {
  readonly devices: number
  /** Interfaces of each device, at least one. */
  readonly interfaces: number
  readonly seed: number
  /** First free id of a model: what is there already stays. */
  readonly firstId: (model: string) => number
}

const DEVICES_IN_SITE = 100
const DEVICES_IN_RACK = 20
const VLANS_IN_SITE = 5
/** Racks are filled from below, with a free unit above each device. */
const UNITS_OF_DEVICE = 2

const COUNTRIES = ['North', 'East', 'South', 'West', 'Centre']
const CITIES_IN_COUNTRY = 8
const MAKERS = ['Alder', 'Birch', 'Cedar', 'Elm', 'Fir', 'Hazel', 'Larch', 'Maple', 'Oak', 'Pine']
const MODELS_OF_MAKER = 5
const ROLES = ['access-switch', 'core-switch', 'router', 'firewall', 'server', 'console', 'storage']
const STATUSES = ['active', 'active', 'active', 'active', 'planned', 'staged', 'failed', 'offline']
const TAGS = 20
const COLOURS = ['aa1409', 'f44336', '2196f3', '4caf50', 'ffc107', '607d8b']

/** A large network: sites with racks, devices with interfaces and addresses, prefixes, VLANs, machines. */
export function* inventory(options: InventoryOptions): Generator<Batch> {
  const plan = new Plan(options)
  yield* plan.organisation()
  yield* plan.catalogue()
  yield* plan.places()
  yield* plan.networks()
  yield* plan.hardware()
  yield* plan.machines()
}

class Plan {
  readonly #options: InventoryOptions
  readonly #random: Random
  readonly #sites: number
  readonly #tenants: number

  constructor(options: InventoryOptions) {
    this.#options = options
    this.#random = createRandom(options.seed)
    this.#sites = Math.ceil(options.devices / DEVICES_IN_SITE)
    this.#tenants = Math.max(5, Math.ceil(options.devices / 250))
  }

  /** Id of the row with the index, counted from 0. */
  #id(model: string, index: number): number {
    return this.#options.firstId(model) + index
  }

  /** Id of any of the first `count` rows. */
  #any(model: string, count: number): number {
    return this.#id(model, this.#random.below(count))
  }

  #batch(
    model: string,
    count: number,
    row: (index: number, id: number) => Readonly<Record<string, unknown>>,
  ): Batch {
    const id = (index: number) => this.#id(model, index)
    return {
      model,
      rows: (function* () {
        for (let index = 0; index < count; index++) {
          yield { ...row(index, id(index)), id: id(index) }
        }
      })(),
    }
  }

  *organisation(): Generator<Batch> {
    yield this.#batch('extras.tag', TAGS, (_, id) => ({
      name: `label ${id}`,
      slug: `label-${id}`,
      color: this.#random.pick(COLOURS),
    }))
    yield this.#batch('tenancy.tenantgroup', 5, (_, id) => ({
      name: `Group ${id}`,
      slug: `group-${id}`,
    }))
    yield this.#batch('tenancy.tenant', this.#tenants, (_, id) => ({
      name: `Tenant ${id}`,
      slug: `tenant-${id}`,
      group: this.#any('tenancy.tenantgroup', 5),
    }))
  }

  *catalogue(): Generator<Batch> {
    yield this.#batch('dcim.manufacturer', MAKERS.length, (index, id) => ({
      name: `${MAKERS[index]} ${id}`,
      slug: `maker-${id}`,
    }))
    yield this.#batch('dcim.devicetype', MAKERS.length * MODELS_OF_MAKER, (index, id) => ({
      manufacturer: this.#id('dcim.manufacturer', index % MAKERS.length),
      model: `M-${id}`,
      slug: `m-${id}`,
      u_height: '1.0',
      weight: String(2 + (index % 9)),
      weight_unit: 'kg',
    }))
    yield this.#batch('dcim.devicerole', ROLES.length, (index, id) => ({
      name: `${ROLES[index]} ${id}`,
      slug: `${ROLES[index]}-${id}`,
      color: this.#random.pick(COLOURS),
    }))
    yield this.#batch('dcim.platform', MAKERS.length, (index, id) => ({
      name: `${MAKERS[index]} OS ${id}`,
      slug: `os-${id}`,
      manufacturer: this.#id('dcim.manufacturer', index),
    }))
  }

  *places(): Generator<Batch> {
    const cities = COUNTRIES.length * CITIES_IN_COUNTRY
    yield this.#batch('dcim.region', COUNTRIES.length + cities, (index, id) =>
      index < COUNTRIES.length
        ? { name: `${COUNTRIES[index]} ${id}`, slug: `country-${id}` }
        : {
            name: `City ${id}`,
            slug: `city-${id}`,
            parent: this.#id('dcim.region', index % COUNTRIES.length),
          },
    )
    yield this.#batch('dcim.site', this.#sites, (_, id) => ({
      name: `Site ${id}`,
      slug: `site-${id}`,
      status: 'active',
      region: this.#id('dcim.region', COUNTRIES.length + this.#random.below(cities)),
      tenant: this.#any('tenancy.tenant', this.#tenants),
      physical_address: `${1 + this.#random.below(99)} Harbour Road`,
    }))
    yield this.#batch('dcim.location', this.#sites * 2, (index, id) => ({
      name: `Room ${1 + (index % 2)}`,
      slug: `room-${id}`,
      site: this.#siteOf(index, 2),
    }))
    yield this.#batch('dcim.rack', this.#racks, (index, id) => ({
      name: `R${id}`,
      site: this.#siteOf(index, DEVICES_IN_SITE / DEVICES_IN_RACK),
      location: this.#locationOfRack(index),
      status: 'active',
      u_height: 42,
    }))
  }

  *networks(): Generator<Batch> {
    yield this.#batch('ipam.rir', 1, (_, id) => ({
      name: `Private ${id}`,
      slug: `private-${id}`,
      is_private: true,
    }))
    yield this.#batch('ipam.vrf', 10, (_, id) => ({ name: `VRF ${id}`, rd: `65000:${id}` }))
    yield this.#batch('ipam.vlangroup', this.#sites, (index, id) => ({
      name: `VLANs ${id}`,
      slug: `vlans-${id}`,
      scope_type: 'dcim.site',
      scope_id: this.#id('dcim.site', index),
    }))
    yield this.#batch('ipam.vlan', this.#sites * VLANS_IN_SITE, (index) => ({
      vid: 100 + (index % VLANS_IN_SITE),
      name: `vlan-${100 + (index % VLANS_IN_SITE)}`,
      group: this.#siteOf(index, VLANS_IN_SITE, 'ipam.vlangroup'),
      site: this.#siteOf(index, VLANS_IN_SITE),
      status: 'active',
    }))
    // A network for everything, one of /22 for each site, and its four quarters.
    yield this.#batch('ipam.prefix', 1 + this.#sites * 5, (index) => {
      if (index === 0) return { prefix: '10.0.0.0/8', status: 'container' }
      const site = Math.floor((index - 1) / 5)
      const part = (index - 1) % 5
      const scope = { scope_type: 'dcim.site', scope_id: this.#id('dcim.site', site) }
      return part === 0
        ? { prefix: `${network(site * 1024)}/22`, status: 'container', ...scope }
        : {
            prefix: `${network(site * 1024 + (part - 1) * 256)}/24`,
            status: 'active',
            vlan: this.#id('ipam.vlan', site * VLANS_IN_SITE + part),
            tenant: this.#any('tenancy.tenant', this.#tenants),
            ...scope,
          }
    })
  }

  *hardware(): Generator<Batch> {
    const { devices, interfaces } = this.#options
    yield this.#batch('dcim.device', devices, (index, id) => {
      const rack = Math.floor(index / DEVICES_IN_RACK)
      const role = this.#random.below(ROLES.length)
      return {
        name: `r${this.#id('dcim.rack', rack)}-${ROLES[role]}-${id}`,
        device_type: this.#any('dcim.devicetype', MAKERS.length * MODELS_OF_MAKER),
        role: this.#id('dcim.devicerole', role),
        platform: this.#random.oneIn(4) ? null : this.#any('dcim.platform', MAKERS.length),
        tenant: this.#random.oneIn(3) ? null : this.#any('tenancy.tenant', this.#tenants),
        serial: `SN${(id * 7919).toString(36).toUpperCase()}`,
        asset_tag: `A-${id}`,
        site: this.#siteOf(index, DEVICES_IN_SITE),
        location: this.#locationOfRack(rack),
        rack: this.#id('dcim.rack', rack),
        position: `${1 + (index % DEVICES_IN_RACK) * UNITS_OF_DEVICE}.0`,
        face: 'front',
        status: this.#random.pick(STATUSES),
        primary_ip4: this.#id('ipam.ipaddress', index),
      }
    })
    yield this.#batch('dcim.interface', devices * interfaces, (index) => {
      const port = index % interfaces
      return {
        device: this.#id('dcim.device', Math.floor(index / interfaces)),
        name: port === 0 ? 'mgmt0' : `Ethernet1/${port}`,
        type: port === 0 ? '1000base-t' : '10gbase-x-sfpp',
        mgmt_only: port === 0,
        enabled: !this.#random.oneIn(10),
      }
    })
    yield this.#batch('ipam.ipaddress', devices, (index) => ({
      address: `${network(Math.floor(index / DEVICES_IN_SITE) * 1024 + 1 + (index % DEVICES_IN_SITE))}/24`,
      status: 'active',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: this.#id('dcim.interface', index * interfaces),
      dns_name: `d${this.#id('dcim.device', index)}.example.net`,
      tenant: this.#random.oneIn(3) ? null : this.#any('tenancy.tenant', this.#tenants),
    }))
    yield this.#batch('extras.taggeditem', Math.floor(devices / 2), (index) => ({
      object_type: 'dcim.device',
      object_id: this.#id('dcim.device', index * 2),
      tag: this.#any('extras.tag', TAGS),
    }))
  }

  *machines(): Generator<Batch> {
    const machines = Math.ceil(this.#options.devices / 10)
    const clusters = Math.max(1, Math.ceil(this.#sites / 10))
    yield this.#batch('virtualization.clustertype', 1, (_, id) => ({
      name: `Hypervisor ${id}`,
      slug: `hypervisor-${id}`,
    }))
    yield this.#batch('virtualization.cluster', clusters, (index, id) => ({
      name: `Cluster ${id}`,
      type: this.#id('virtualization.clustertype', 0),
      status: 'active',
      scope_type: 'dcim.site',
      scope_id: this.#id('dcim.site', index),
    }))
    yield this.#batch('virtualization.virtualmachine', machines, (index, id) => ({
      name: `vm-${id}`,
      status: 'active',
      cluster: this.#id('virtualization.cluster', index % clusters),
      site: this.#id('dcim.site', index % clusters),
      tenant: this.#any('tenancy.tenant', this.#tenants),
      vcpus: String(1 + this.#random.below(16)),
      memory: 1024 * (1 + this.#random.below(64)),
    }))
    yield this.#batch('virtualization.vminterface', machines, (index) => ({
      virtual_machine: this.#id('virtualization.virtualmachine', index),
      name: 'eth0',
    }))
  }

  get #racks(): number {
    return Math.ceil(this.#options.devices / DEVICES_IN_RACK)
  }

  /** Id that belongs to the site of a row, of which each site has `inSite`. */
  #siteOf(index: number, inSite: number, model = 'dcim.site'): number {
    return this.#id(model, Math.floor(index / inSite))
  }

  /** Racks of a site stand in its two rooms by turns. */
  #locationOfRack(rack: number): number {
    const site = Math.floor(rack / (DEVICES_IN_SITE / DEVICES_IN_RACK))
    return this.#id('dcim.location', site * 2 + (rack % 2))
  }
}

/** Address in 10.0.0.0/8 by its distance from the first. */
const network = (offset: number): string =>
  [10, (offset >>> 16) & 255, (offset >>> 8) & 255, offset & 255].join('.')
