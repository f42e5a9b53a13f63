import type { PageShape } from './page-shape.ts'

/** An object's page below its own address. */
const ofObject =
  (collection: string, tab = ''): PageShape['paths'] =>
  (ids) =>
    ids.map((id) => `/${collection}/${id}/${tab}`)

/** A page that objects are named to by its query. */
const byQuery =
  (path: string, query: (id: number) => string): PageShape['paths'] =>
  (ids) =>
    ids.map((id) => `${path}?${query(id)}`)

const ROWS = 50

/** Pages that are made by hand, beside those that every model has. */
export const HAND_MADE_PAGES: readonly PageShape[] = [
  {
    name: 'page: row of racks',
    collection: 'dcim/sites',
    paths: byQuery('/dcim/rack-elevations/', (id) => `site_id=${id}`),
  },
  {
    name: 'page: large prefix',
    collection: 'ipam/prefixes',
    filters: 'mask_length=8',
    paths: ofObject('ipam/prefixes'),
  },
  {
    name: 'page: one of VLAN groups',
    collection: 'ipam/vlan-groups',
    paths: ofObject('ipam/vlan-groups'),
  },
  {
    name: 'page: one of locations',
    collection: 'dcim/locations',
    paths: ofObject('dcim/locations'),
  },
  {
    name: 'page: one of clusters',
    collection: 'virtualization/clusters',
    paths: ofObject('virtualization/clusters'),
  },
  {
    name: 'page: one of tenants',
    collection: 'tenancy/tenants',
    paths: ofObject('tenancy/tenants'),
  },
  {
    name: 'page: connect a port',
    collection: 'dcim/interfaces',
    filters: 'cabled=false',
    paths: byQuery(
      '/dcim/cables/add/',
      (id) => `a_terminations_type=dcim.interface&a_terminations=${id}`,
    ),
  },
  {
    name: 'page: connect two devices',
    collection: 'dcim/devices',
    paths: byQuery(
      '/dcim/cables/connect/',
      (id) => `a_device=${id}&a_type=dcim.interface&b_device=${id + 1}&b_type=dcim.interface`,
    ),
  },
  {
    name: 'page: trace',
    collection: 'dcim/interfaces',
    filters: 'cabled=true',
    isOfFixtures: true,
    paths: ofObject('dcim/interfaces', 'trace/'),
  },
  {
    name: 'page: patch panel',
    collection: 'dcim/devices',
    filters: 'pass_through_ports=true',
    isOfFixtures: true,
    paths: ofObject('dcim/devices', 'panel/'),
  },
  {
    name: 'page: interfaces of a device',
    collection: 'dcim/devices',
    paths: ofObject('dcim/devices', 'interfaces/'),
  },
  {
    name: 'page: power of a device',
    collection: 'dcim/devices',
    filters: 'power_ports=true',
    isOfFixtures: true,
    paths: ofObject('dcim/devices', 'power/'),
  },
  {
    name: 'page: topology of a site',
    collection: 'dcim/sites',
    paths: byQuery('/dcim/topology/', (id) => `site_id=${id}`),
  },
  { name: 'page: dashboard', collection: 'dcim/sites', paths: () => ['/'] },
  {
    name: 'page: live changes',
    collection: 'dcim/sites',
    // The fixtures are the latest changes.
    isOfFixtures: true,
    paths: () => ['/core/events/'],
  },
  {
    name: `page: grid of ${ROWS} devices`,
    collection: 'dcim/devices',
    paths: (ids) =>
      ids
        .filter((_, index) => index % ROWS === 0)
        .map((id) => `/dcim/devices/grid/?id__gte=${id}&limit=${ROWS}`),
  },
  {
    name: 'page: config context',
    collection: 'dcim/devices',
    paths: ofObject('dcim/devices', 'config-context/'),
  },
  {
    name: 'page: rendered configuration',
    collection: 'dcim/devices',
    filters: 'interfaces=true',
    isOfFixtures: true,
    paths: ofObject('dcim/devices', 'render-config/'),
  },
]
