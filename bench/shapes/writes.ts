import { dryRunName, type Turn, type WriteCycle } from './shape.ts'

const SITES = '/api/dcim/sites/'
const DEVICES = '/api/dcim/devices/'
const ADDRESSES = '/api/ipam/ip-addresses/'

/** Addresses of the turn in the VRF of the fixtures: from 198.18.0.0/15 on, one block for each turn. */
const addresses =
  (count: number) =>
  ({ fixtures, number }: Turn) =>
    Array.from({ length: count }, (_, index) => ({
      address: hostAddress(number * 1024 + index),
      vrf: fixtures.vrf,
      dns_name: `host-${number}-${index}.example.net`,
    }))

/** Address in 10.0.0.0/8 by its offset; never the first or last address of a /24. */
const hostAddress = (offset: number): string => {
  const [network, host] = [Math.floor(offset / 250), 1 + (offset % 250)]
  return `10.${(network >>> 8) & 255}.${network & 255}.${host}/24`
}

const devices =
  (count: number) =>
  ({ fixtures, number }: Turn) =>
    Array.from({ length: count }, (_, index) => ({
      name: `bench-${number}-${index}`,
      device_type: fixtures.deviceType,
      role: fixtures.role,
      site: fixtures.site,
    }))

const eachCreated =
  (change: Readonly<Record<string, unknown>> = {}) =>
  ({ created }: Turn) =>
    created.map((id) => ({ id, ...change }))

/** Cycles in which every request is measured. */
const CYCLES: readonly WriteCycle[] = [
  {
    // More than a second, since the indexing for the search takes its turn every five.
    turns: 1000,
    // A service runs for days: its code for writes is compiled after some thousands of them.
    warmUp: 4000,
    isSingle: true,
    isParallel: true,
    steps: [
      {
        name: 'create a site',
        method: 'POST',
        path: SITES,
        body: ({ number }) => ({ name: `bench site ${number}`, slug: `bench-site-${number}` }),
        reference: 'create a site',
      },
      {
        name: 'change a site',
        method: 'PATCH',
        path: SITES,
        single: true,
        body: ({ number }) => ({ description: `changed ${number}`, status: 'planned' }),
        reference: 'change a site',
      },
      {
        name: 'delete a site',
        method: 'DELETE',
        path: SITES,
        single: true,
        reference: 'delete a site',
      },
    ],
  },
  {
    turns: 15,
    // As above; a bulk write runs the same code for each object.
    warmUp: 25,
    steps: [
      {
        name: 'create 200 addresses',
        method: 'POST',
        path: ADDRESSES,
        body: addresses(200),
        reference: 'bulk create 200 addresses',
      },
      {
        name: 'change 200 addresses',
        method: 'PATCH',
        path: ADDRESSES,
        body: eachCreated({ description: 'changed', status: 'reserved' }),
        reference: 'bulk change 200 addresses',
      },
      {
        name: 'delete 200 addresses',
        method: 'DELETE',
        path: ADDRESSES,
        body: eachCreated(),
        reference: 'bulk delete 200 addresses',
      },
    ],
  },
  {
    turns: 3,
    warmUp: 1,
    steps: [
      {
        name: 'create 50 devices with 48 interfaces',
        method: 'POST',
        path: DEVICES,
        body: devices(50),
        reference: 'bulk create 50 devices with 48 interfaces',
      },
      {
        name: 'change 50 devices',
        method: 'PATCH',
        path: DEVICES,
        body: eachCreated({ status: 'planned', serial: 'changed' }),
        reference: 'bulk change 50 devices',
      },
      {
        name: 'delete 50 devices',
        method: 'DELETE',
        path: DEVICES,
        body: eachCreated(),
        reference: 'bulk delete 50 devices',
      },
    ],
  },
  {
    turns: 3,
    warmUp: 1,
    steps: [
      { name: 'create 1,000 addresses', method: 'POST', path: ADDRESSES, body: addresses(1000) },
      { name: 'delete 1,000 addresses', method: 'DELETE', path: ADDRESSES, body: eachCreated() },
    ],
  },
  {
    turns: 1,
    // It is long, and follows shorter requests of its kind.
    warmUp: 0,
    steps: [
      {
        name: 'create 100 devices with 48 interfaces',
        method: 'POST',
        path: DEVICES,
        times: 4,
        body: devices(100),
      },
      {
        name: 'change 400 devices',
        method: 'PATCH',
        path: DEVICES,
        body: eachCreated({ status: 'planned', serial: 'changed' }),
      },
      { name: 'delete 400 devices', method: 'DELETE', path: DEVICES, body: eachCreated() },
    ],
  },
]

/** The same requests as dry runs, each right before the write, which is measured in a cycle of its own. */
const withDryRuns = ({ steps, isParallel: _, ...cycle }: WriteCycle): WriteCycle => ({
  ...cycle,
  steps: steps.flatMap(({ reference: __, ...step }) => [
    { ...step, name: dryRunName(step.name), isDryRun: true as const },
    { ...step, isUnmeasured: true as const },
  ]),
})

/** Names of the first steps of cycles that are also measured as dry runs. */
const TRIED: ReadonlySet<string> = new Set([
  'create a site',
  'create 200 addresses',
  'create 50 devices with 48 interfaces',
])

/** All write requests. Each cycle removes the objects that it creates. */
export const WRITES: readonly WriteCycle[] = [
  ...CYCLES,
  ...CYCLES.filter(({ steps: [first] }) => first && TRIED.has(first.name)).map(withDryRuns),
]

export const WRITE_NAMES: ReadonlySet<string> = new Set(
  WRITES.flatMap(({ steps }) =>
    steps.filter(({ isUnmeasured }) => !isUnmeasured).map(({ name }) => name),
  ),
)
