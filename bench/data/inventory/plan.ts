import { createRandom, type Random } from '../random.ts'
import { fewestInterfaces, type Sizes } from '../sizes.ts'
import type { Batch } from './batch.ts'

export interface InventoryOptions extends Sizes {
  readonly seed: number
  /** First free id of a model; existing rows are left unchanged. */
  readonly firstId: (model: string) => number
}

export const DEVICES_IN_SITE = 100
export const DEVICES_IN_RACK = 20
export const VLANS_IN_SITE = 5
export const RACKS_IN_SITE = DEVICES_IN_SITE / DEVICES_IN_RACK
/** One /22 for each site with its four quarters. */
const PREFIXES_IN_SITE = 5
const VRFS = 10
/** The tree of prefixes in one VRF ends before 10.255.0.0/16 is full. */
const PREFIXES_IN_VRF = 60_000

/** Numbers, ids and places that the parts of an inventory share. */
export class Plan {
  readonly sizes: Sizes
  readonly random: Random
  readonly sites: number
  readonly racks: number
  readonly tenants: number
  readonly vrfs: number
  /** Prefixes in no VRF; the others are in VRFs. */
  readonly sitePrefixes: number
  /** Addresses of devices' first interfaces, in no VRF; the others are in VRFs. */
  readonly deviceAddresses: number
  /** Each device has at least this number of interfaces. */
  readonly ports: number
  readonly #firstId: InventoryOptions['firstId']

  constructor(options: InventoryOptions) {
    const { devices, addresses, prefixes } = options
    this.sizes = options
    this.#firstId = options.firstId
    this.random = createRandom(options.seed)
    this.sites = Math.ceil(devices / DEVICES_IN_SITE)
    this.racks = Math.ceil(devices / DEVICES_IN_RACK)
    this.tenants = Math.max(5, Math.ceil(devices / 250))
    this.sitePrefixes = Math.min(prefixes, 1 + this.sites * PREFIXES_IN_SITE)
    this.vrfs = Math.max(VRFS, Math.ceil((prefixes - this.sitePrefixes) / PREFIXES_IN_VRF))
    this.deviceAddresses = Math.min(addresses, devices)
    this.ports = fewestInterfaces(options)
  }

  /** Id of the row with the index, counted from 0. */
  id(model: string, index: number): number {
    return this.#firstId(model) + index
  }

  /** Random id among the first `count` rows. */
  any(model: string, count: number): number {
    return this.id(model, this.random.below(count))
  }

  batch(model: string, count: number, row: (index: number, id: number) => Readonly<Record<string, unknown>>): Batch {
    const id = (index: number) => this.id(model, index)
    return {
      model,
      rows: (function* () {
        for (let index = 0; index < count; index++) {
          yield { ...row(index, id(index)), id: id(index) }
        }
      })(),
    }
  }

  /** Index of the first interface of a device, by the device's index. */
  firstInterface(device: number): number {
    // Products of these numbers stay far below 2^53.
    return Math.floor((device * this.sizes.interfaces) / this.sizes.devices)
  }

  interfacesOf(device: number): number {
    return this.firstInterface(device + 1) - this.firstInterface(device)
  }

  /** Id of a random object in the site of a row, if each site has `inSite` of them. */
  siteOf(index: number, inSite: number, model = 'dcim.site'): number {
    return this.id(model, Math.floor(index / inSite))
  }

  /** The racks of a site are alternately in its two rooms. */
  locationOfRack(rack: number): number {
    return this.id('dcim.location', Math.floor(rack / RACKS_IN_SITE) * 2 + (rack % 2))
  }

  /** Ids of the place of a device, by the device's index. */
  placeOf(device: number): { site: number; location: number; rack: number } {
    const rack = Math.floor(device / DEVICES_IN_RACK)
    return {
      site: this.siteOf(device, DEVICES_IN_SITE),
      location: this.locationOfRack(rack),
      rack: this.id('dcim.rack', rack),
    }
  }

  /**
   * The cable at a port of a device, by the indexes of both; the first port is for management. Neighbours are
   * connected by their second ports, then by their third, and so on.
   */
  cableAt(device: number, port: number): { cable: number; end: 'A' | 'B' } | undefined {
    const pairs = Math.floor(this.sizes.devices / 2)
    const pair = Math.floor(device / 2)
    if (port < 1 || pair >= pairs) return undefined
    const cable = (port - 1) * pairs + pair
    if (cable >= this.sizes.cables) return undefined
    return { cable, end: device % 2 === 0 ? 'A' : 'B' }
  }

  /** The port at an end of a cable: the reverse of `cableAt`. */
  portAt(cable: number, end: 'A' | 'B'): { device: number; port: number } {
    const pairs = Math.floor(this.sizes.devices / 2)
    return {
      device: (cable % pairs) * 2 + (end === 'A' ? 0 : 1),
      port: 1 + Math.floor(cable / pairs),
    }
  }
}
