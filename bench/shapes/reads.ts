import { GRAPHQL } from './graphql.ts'
import type { ReadShape } from './shape.ts'

/** Path with a query; undefined without one. */
const list =
  (path: string, query = '') =>
  () =>
    `${path}?limit=50${query}`

const whole = (path: string) => () => `${path}?limit=1000`

const DEVICES = '/api/dcim/devices/'
const INTERFACES = '/api/dcim/interfaces/'
const SITES = '/api/dcim/sites/'
const ADDRESSES = '/api/ipam/ip-addresses/'
const PREFIXES = '/api/ipam/prefixes/'

/** `text` with values of the data set; undefined if one of them is missing. */
function query(
  path: string,
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string | undefined {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) return undefined
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  return `${path}?${search}`
}

const one = (path: string, id: number | undefined): string | undefined =>
  id === undefined ? undefined : `${path}${id}/`

/** All read requests. A new one is one more row. */
export const READS: readonly ReadShape[] = [
  { name: 'API root', path: () => '/api/', reference: 'API root' },

  { name: 'sites, 50', path: list(SITES), reference: 'sites 50', grows: true },
  { name: 'sites, 1,000', path: whole(SITES) },
  { name: 'devices, 50', path: list(DEVICES), reference: 'devices 50', grows: true, hasPast: true },
  { name: 'devices, 1,000', path: whole(DEVICES), reference: 'devices 1000 (all)' },
  {
    name: 'interfaces, 50',
    path: list(INTERFACES),
    reference: 'interfaces 50',
    grows: true,
    hasPast: true,
  },
  { name: 'interfaces, 1,000', path: whole(INTERFACES), reference: 'interfaces 1000' },
  { name: 'addresses, 50', path: list(ADDRESSES), reference: 'addresses 50', grows: true },
  { name: 'addresses, 1,000', path: whole(ADDRESSES) },
  { name: 'prefixes, 50', path: list(PREFIXES), reference: 'prefixes 50', grows: true },
  { name: 'prefixes, 1,000', path: whole(PREFIXES) },
  { name: 'VLANs, 50', path: list('/api/ipam/vlans/'), reference: 'vlans 50', grows: true },
  { name: 'cables, 50', path: list('/api/dcim/cables/'), reference: 'cables 50', grows: true },
  {
    name: 'object changes, 50',
    path: list('/api/core/object-changes/'),
    reference: 'object changes 50',
  },

  {
    name: 'one device',
    path: ({ device }) => one(DEVICES, device),
    reference: 'one device',
    grows: true,
    hasPast: true,
  },
  {
    name: 'one interface',
    path: (dataset) => one(INTERFACES, dataset.interface),
    grows: true,
    hasPast: true,
  },
  { name: 'one site', path: ({ site }) => one(SITES, site), reference: 'one site' },
  { name: 'one address', path: ({ address }) => one(ADDRESSES, address), reference: 'one address' },
  { name: 'one prefix', path: ({ prefix }) => one(PREFIXES, prefix) },

  {
    name: 'devices, 50, brief',
    path: list(DEVICES, '&brief=1'),
    reference: 'devices 50 brief',
    grows: true,
  },
  {
    name: 'devices, 50, no context',
    path: list(DEVICES, '&exclude=config_context'),
    reference: 'devices 50 no context',
    grows: true,
  },

  {
    name: 'devices, name contains, of a site',
    path: ({ namePart, siteSlug }) =>
      query(DEVICES, { limit: 50, name__ic: namePart, site: siteSlug }),
    reference: 'devices filtered (name ic, site)',
    grows: true,
  },
  {
    name: 'devices, search and status',
    path: ({ namePart }) => query(DEVICES, { limit: 50, q: namePart, status: 'active' }),
    reference: 'devices 50, q + status',
    grows: true,
  },
  {
    name: 'devices, by name',
    path: ({ deviceName }) => query(DEVICES, { limit: 50, name: deviceName }),
    grows: true,
    hasPast: true,
  },
  {
    name: 'devices, name contains',
    path: ({ namePart }) => query(DEVICES, { limit: 50, name__ic: namePart }),
    grows: true,
  },
  {
    name: 'devices, of a site',
    path: ({ siteSlug }) => query(DEVICES, { limit: 50, site: siteSlug }),
    grows: true,
    hasPast: true,
  },
  {
    name: 'devices, with two tags',
    path: ({ tags }) => query(DEVICES, { limit: 50, tag: tags }),
    grows: true,
  },
  {
    name: 'devices, by custom field',
    path: ({ customField }) =>
      customField && query(DEVICES, { limit: 50, [`cf_${customField.name}`]: customField.value }),
    grows: true,
  },
  {
    name: 'devices, of a region and below',
    path: ({ regionSlug }) => query(DEVICES, { limit: 50, region: regionSlug }),
    grows: true,
  },
  {
    name: 'interfaces, of a device',
    path: ({ device }) => query(INTERFACES, { limit: 50, device_id: device }),
    grows: true,
    hasPast: true,
  },
  {
    name: 'prefixes, within',
    path: ({ container }) => query(PREFIXES, { limit: 50, within: container }),
    reference: 'prefixes within',
    grows: true,
  },
  {
    name: 'addresses, in a prefix',
    path: ({ container }) => query(ADDRESSES, { limit: 50, parent: container }),
    grows: true,
  },

  {
    name: 'devices, 50, in the middle',
    path: ({ counts }) => query(DEVICES, { limit: 50, offset: middle(counts.devices) }),
  },
  {
    name: 'interfaces, 50, in the middle',
    path: ({ counts }) => query(INTERFACES, { limit: 50, offset: middle(counts.interfaces) }),
    hasPast: true,
  },
  {
    name: 'devices, 50, by cursor',
    path: ({ lastDevice }) => query(DEVICES, { limit: 50, start: lastDevice }),
    grows: true,
    hasPast: true,
  },
  { name: 'devices, by name downwards', path: list(DEVICES, '&ordering=-name'), grows: true },
  { name: 'devices, by site', path: list(DEVICES, '&ordering=site,name'), grows: true },
  { name: 'interfaces, by name', path: list(INTERFACES, '&ordering=name'), grows: true },
  { name: 'interfaces, number', path: () => `${INTERFACES}?limit=1&brief=1&fields=id` },
  {
    name: 'interfaces, number of the enabled',
    path: () => `${INTERFACES}?limit=1&brief=1&fields=id&enabled=true`,
  },

  { name: 'OPTIONS of devices', method: 'OPTIONS', path: () => DEVICES },
  { name: 'OpenAPI document', path: () => '/api/schema/?format=json' },

  ...GRAPHQL,
]

const middle = (count: number | undefined): number => Math.floor((count ?? 0) / 2)
