import { ConfigurationError } from '../../src/base/errors.ts'

/** Numbers of objects of the main kinds in an inventory. */
export interface Sizes {
  readonly devices: number
  /** Total of all devices, spread evenly. */
  readonly interfaces: number
  /** The first ones are the devices' own, in no VRF; the others are in VRFs. */
  readonly addresses: number
  /** The first ones are the sites' networks, in no VRF; the others are nested in VRFs. */
  readonly prefixes: number
  /** Each connects two interfaces of neighbouring devices. */
  readonly cables: number
}

/** Absent sizes follow from the number of devices. */
export type SizeOptions = Partial<Sizes>

const DEFAULT_DEVICES = 1000
/** The largest number of devices whose addresses fit into 10.0.0.0/8. */
const MOST_DEVICES = 1_600_000
const MOST_INTERFACES_OF_DEVICE = 1000
const MOST_ADDRESSES = 20_000_000
const MOST_PREFIXES = 5_000_000

/** All sizes. Throws ConfigurationError with a sentence if the sizes are impossible. */
export function resolveSizes(options: SizeOptions): Sizes {
  const devices = options.devices ?? DEFAULT_DEVICES
  if (!isWithin(devices, 1, MOST_DEVICES)) {
    throw new ConfigurationError(`An inventory has 1 to ${MOST_DEVICES} devices.`)
  }
  const interfaces = options.interfaces ?? devices * 10
  const mostInterfaces = devices * MOST_INTERFACES_OF_DEVICE
  if (!isWithin(interfaces, devices, mostInterfaces)) {
    throw new ConfigurationError(`${devices} devices have ${devices} to ${mostInterfaces} interfaces.`)
  }
  const mostCables = cablesThatFit({ devices, interfaces })
  const cables = options.cables ?? Math.min(devices, mostCables)
  if (!isWithin(cables, 0, mostCables)) {
    throw new ConfigurationError(`Between these devices there can be 0 to ${mostCables} cables.`)
  }
  const addresses = options.addresses ?? devices * 5
  if (!isWithin(addresses, 0, MOST_ADDRESSES)) {
    throw new ConfigurationError(`An inventory has 0 to ${MOST_ADDRESSES} addresses.`)
  }
  const prefixes = options.prefixes ?? Math.ceil(devices / 2)
  if (!isWithin(prefixes, 0, MOST_PREFIXES)) {
    throw new ConfigurationError(`An inventory has 0 to ${MOST_PREFIXES} prefixes.`)
  }
  return { devices, interfaces, addresses, prefixes, cables }
}

/** Lowest possible number of interfaces of each device; the first of them is for management. */
export const fewestInterfaces = ({ devices, interfaces }: Pick<Sizes, 'devices' | 'interfaces'>) =>
  Math.floor(interfaces / devices)

function cablesThatFit(sizes: Pick<Sizes, 'devices' | 'interfaces'>): number {
  return Math.floor(sizes.devices / 2) * (fewestInterfaces(sizes) - 1)
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
