import type { Json } from '../../schema/json.ts'

/** Objects of one model as a client would send them; related ones are named by their attributes. */
export type Chapter = readonly [model: string, bodies: readonly Json[]]

/** A place of the sample network with what is derived from it. */
interface Station {
  readonly name: string
  readonly slug: string
  readonly region: string
  readonly latitude: number
  readonly longitude: number
  readonly keeper: string
  /** Third octet of the station's addresses. */
  readonly net: number
  readonly code: string
}

const STATIONS: readonly Station[] = [
  {
    name: 'Harbour House',
    slug: 'harbour-house',
    region: 'inner-coast',
    latitude: 58.21,
    longitude: 8.09,
    keeper: 'Ada Holm',
    net: 1,
    code: 'hh',
  },
  {
    name: 'Gull Rock Lighthouse',
    slug: 'gull-rock',
    region: 'outer-skerries',
    latitude: 58.07,
    longitude: 8.24,
    keeper: 'Jonas Vik',
    net: 2,
    code: 'gr',
  },
  {
    name: 'Seal Point Lighthouse',
    slug: 'seal-point',
    region: 'outer-skerries',
    latitude: 58.02,
    longitude: 7.98,
    keeper: 'Mina Aas',
    net: 3,
    code: 'sp',
  },
]

const PORTS = ['ge-0/1', 'ge-0/2', 'ge-0/3', 'ge-0/4', 'ge-0/5', 'ge-0/6', 'ge-0/7', 'ge-0/8']
const VLANS = [
  { vid: 10, name: 'office', role: 'people' },
  { vid: 20, name: 'instruments', role: 'things' },
  { vid: 99, name: 'management', role: 'management' },
] as const

const perStation = (bodies: (station: Station) => readonly Json[]): readonly Json[] =>
  STATIONS.flatMap(bodies)

/** The office and two lighthouses of an imagined trust: enough of everything to look around in. */
export const NETWORK: readonly Chapter[] = [
  [
    'extras.tag',
    [
      {
        name: 'unattended',
        slug: 'unattended',
        color: 'ff9800',
        description: 'Nobody lives there',
      },
      { name: 'critical', slug: 'critical', color: 'f44336', description: 'Ships depend on it' },
    ],
  ],
  [
    'extras.customfield',
    [
      {
        name: 'keeper',
        label: 'Keeper',
        type: 'text',
        object_types: ['dcim.site'],
        description: 'Who has the key',
      },
    ],
  ],
  ['tenancy.tenantgroup', [{ name: 'Lighthouses', slug: 'lighthouses' }]],
  [
    'tenancy.tenant',
    [
      { name: 'Skerry Light Trust', slug: 'skerry-light', group: { slug: 'lighthouses' } },
      { name: 'Coastal Weather', slug: 'coastal-weather', description: 'Rents space on our masts' },
    ],
  ],
  ['dcim.region', [{ name: 'Skerry Coast', slug: 'skerry-coast' }]],
  [
    'dcim.region',
    [
      { name: 'Inner coast', slug: 'inner-coast', parent: { slug: 'skerry-coast' } },
      { name: 'Outer skerries', slug: 'outer-skerries', parent: { slug: 'skerry-coast' } },
    ],
  ],
  [
    'dcim.site',
    perStation(({ name, slug, region, latitude, longitude, keeper }) => [
      {
        name,
        slug,
        status: 'active',
        region: { slug: region },
        tenant: { slug: 'skerry-light' },
        latitude,
        longitude,
        custom_fields: { keeper },
        tags: slug === 'harbour-house' ? [] : [{ slug: 'unattended' }, { slug: 'critical' }],
      },
    ]),
  ],
  [
    'dcim.location',
    perStation(({ slug }) => [
      { name: 'Equipment room', slug: `${slug}-room`, site: { slug }, status: 'active' },
    ]),
  ],
  ['dcim.rackrole', [{ name: 'Network', slug: 'network', color: '2196f3' }]],
  [
    'dcim.rack',
    perStation(({ slug, code }) => [
      {
        name: `${code.toUpperCase()}-1`,
        site: { slug },
        location: { slug: `${slug}-room` },
        role: { slug: 'network' },
        status: 'active',
        u_height: 12,
      },
    ]),
  ],
  [
    'dcim.manufacturer',
    [
      { name: 'Tidewater', slug: 'tidewater' },
      { name: 'Fresnel', slug: 'fresnel' },
    ],
  ],
  [
    'dcim.devicetype',
    [
      { manufacturer: { slug: 'tidewater' }, model: 'Ebb 2', slug: 'ebb-2', u_height: 1 },
      { manufacturer: { slug: 'tidewater' }, model: 'Flood 8', slug: 'flood-8', u_height: 1 },
      { manufacturer: { slug: 'fresnel' }, model: 'Lantern', slug: 'lantern', u_height: 2 },
    ],
  ],
  [
    'dcim.interfacetemplate',
    [
      ...['wan0', 'lan0'].map((name) => ({
        device_type: { slug: 'ebb-2' },
        name,
        type: '1000base-t',
      })),
      ...PORTS.map((name) => ({ device_type: { slug: 'flood-8' }, name, type: '1000base-t' })),
      ...['flood-8', 'ebb-2', 'lantern'].map((slug) => ({
        device_type: { slug },
        name: 'mgmt0',
        type: '1000base-t',
        mgmt_only: true,
      })),
    ],
  ],
  [
    'dcim.devicerole',
    [
      { name: 'Router', slug: 'router', color: '9c27b0', vm_role: false },
      { name: 'Switch', slug: 'switch', color: '2196f3', vm_role: false },
      { name: 'Server', slug: 'server', color: '4caf50' },
    ],
  ],
  [
    'dcim.device',
    [
      ...perStation(({ slug, code }) => {
        const place = {
          site: { slug },
          location: { slug: `${slug}-room` },
          rack: { name: `${code.toUpperCase()}-1` },
          face: 'front',
          status: 'active',
          tenant: { slug: 'skerry-light' },
        }
        return [
          {
            name: `${code}-router`,
            device_type: { slug: 'ebb-2' },
            role: { slug: 'router' },
            position: 12,
            ...place,
          },
          {
            name: `${code}-switch`,
            device_type: { slug: 'flood-8' },
            role: { slug: 'switch' },
            position: 11,
            ...place,
          },
        ]
      }),
      {
        name: 'hh-server',
        device_type: { slug: 'lantern' },
        role: { slug: 'server' },
        position: 1,
        face: 'front',
        site: { slug: 'harbour-house' },
        location: { slug: 'harbour-house-room' },
        rack: { name: 'HH-1' },
        status: 'active',
        tenant: { slug: 'skerry-light' },
      },
    ],
  ],
  ['ipam.rir', [{ name: 'Private', slug: 'private', is_private: true }]],
  ['ipam.aggregate', [{ prefix: '10.20.0.0/16', rir: { slug: 'private' } }]],
  [
    'ipam.role',
    [
      { name: 'People', slug: 'people' },
      { name: 'Things', slug: 'things' },
      { name: 'Management', slug: 'management' },
    ],
  ],
  ['ipam.vlangroup', [{ name: 'Stations', slug: 'stations' }]],
  [
    'ipam.vlan',
    VLANS.map(({ vid, name, role }) => ({
      vid,
      name,
      group: { slug: 'stations' },
      role: { slug: role },
      status: 'active',
    })),
  ],
  [
    'ipam.prefix',
    [
      { prefix: '10.20.0.0/16', status: 'container', description: 'All stations' },
      ...perStation(({ name, net }) => [
        { prefix: `10.20.${net}.0/24`, status: 'container', description: name },
        ...VLANS.map(({ vid, role }, index) => ({
          prefix: `10.20.${net}.${index * 64}/26`,
          status: 'active',
          vlan: { vid },
          role: { slug: role },
        })),
      ]),
    ],
  ],
  ['circuits.provider', [{ name: 'Island Telecom', slug: 'island-telecom' }]],
  ['circuits.circuittype', [{ name: 'Radio link', slug: 'radio-link' }]],
  [
    'circuits.circuit',
    ['gr', 'sp'].map((code) => ({
      cid: `RL-${code.toUpperCase()}`,
      provider: { slug: 'island-telecom' },
      type: { slug: 'radio-link' },
      status: 'active',
      commit_rate: 100_000,
      tenant: { slug: 'skerry-light' },
    })),
  ],
  ['virtualization.clustertype', [{ name: 'Hypervisor', slug: 'hypervisor' }]],
  ['virtualization.cluster', [{ name: 'Harbour', type: { slug: 'hypervisor' }, status: 'active' }]],
  [
    'virtualization.virtualmachine',
    ['logbook', 'tide-tables'].map((name) => ({
      name,
      cluster: { name: 'Harbour' },
      role: { slug: 'server' },
      status: 'active',
      vcpus: 2,
      memory: 4096,
    })),
  ],
  [
    'virtualization.vminterface',
    ['logbook', 'tide-tables'].map((name) => ({ virtual_machine: { name }, name: 'eth0' })),
  ],
]

/** Addresses of management interfaces: third octet by the prefix of the device's name. */
export const MANAGEMENT_NETS: Readonly<Record<string, number>> = Object.fromEntries(
  STATIONS.map(({ code, net }) => [code, net]),
)
