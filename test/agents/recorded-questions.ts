import type { Document } from '../support/api.ts'
import { covers, firstFreeAddress, firstFreePrefix, freeUnits, row, rows, sorted } from './recorded-data.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** A call of a tool, whose arguments may depend on the results of the calls before. */
export type Step = readonly [tool: string, args: Arguments | ((...results: readonly Document[]) => Arguments)]

/** A question, the calls that answer it, the answer in their results, and the right answer by the recorded data. */
export interface Question {
  readonly question: string
  readonly steps: readonly Step[]
  readonly answer: (last: Document, ...results: readonly Document[]) => unknown
  readonly right: () => unknown
}

const read = (type: string, filters: Arguments, more: Arguments = {}): Step => ['read', { type, filters, ...more }]
const list = (type: string, filters: Arguments, fields: readonly string[]): Step =>
  read(type, filters, { fields, limit: 300 })
const id = (document: Document | undefined): number => Number(document?.results?.[0]?.id)
const results = (document: Document): readonly Document[] => document.results ?? []

/** A question for a number. */
const count = (question: string, type: string, filters: Arguments, right: () => number): Question => ({
  ...{ question, steps: [read(type, filters, { count: true })], right },
  answer: ({ count: number }) => Number(number),
})

/** A question for values of one field. */
const values = (
  question: string,
  [type, filters, field]: readonly [type: string, filters: Arguments, field: string],
  right: () => readonly unknown[],
): Question => ({
  ...{ question, steps: [list(type, filters, ['id', field])] },
  answer: (last) => sorted(results(last).map((object) => object[field])),
  right: () => sorted(right()),
})

const namesOf = (objects: readonly Document[]) => objects.map(({ name }) => name)
const where = (endpoint: string, test: (object: Document) => boolean) => rows(endpoint).filter(test)
const status = ({ status: choice }: Document) => String(choice?.value)
const site = (object: Document) => String(object.site?.slug)

/** Whether the region is the one with this slug, or below it. */
const inRegion = (region: Document | undefined, slug: string): boolean => {
  if (!region) return false
  const whole = row('dcim/regions', 'id', Number(region.id))
  return String(whole.slug) === slug || inRegion(whole.parent ?? undefined, slug)
}

const siteOf = (object: Document): Document => row('dcim/sites', 'id', Number(object.site?.id))

/** Recorded ends of the paths from a port: the device, or nothing, and the name. */
const farEnds = (port: Document) =>
  (port.connected_endpoints ?? []).map((end) => [end.device?.name, end.name].filter(Boolean).map(String).join(' '))

const port = (device: string, name: string) => {
  const [match] = where(
    'dcim/interfaces',
    (object) => String(object.device?.name) === device && String(object.name) === name,
  )
  if (!match) throw new Error(`There is no interface ${name} of ${device}`)
  return match
}
const ofDevice = (endpoint: string, device: string) =>
  where(endpoint, (object) => String(object.device?.name) === device && object.cable !== null)

const changes = (test: (change: Document) => boolean) => where('core/object-changes', test)

/** A time in the middle of the recorded changes. */
const HALF = '2026-11-21T05:30:00Z'

const traceFrom = (device: string, name: string): readonly Step[] => [
  list('dcim.interface', { device, name }, ['id']),
  ['trace', (result) => ({ type: 'dcim.interface', id: id(result) })],
]
const endOfTrace = (last: Document) =>
  (last.segments?.at(-1)?.[2] ?? []).map((end) => [end.device?.name, end.name].filter(Boolean).map(String).join(' '))

const freeIn = (what: string, type: string, filters: Arguments, limit = 1): readonly Step[] => [
  list(type, filters, ['id']),
  ['free_space', (result) => ({ what, id: id(result), limit })],
]

export const QUESTIONS: readonly Question[] = [
  // Sites
  count(
    'How many sites are active?',
    'dcim.site',
    { status: 'active' },
    () => where('dcim/sites', (s) => status(s) === 'active').length,
  ),
  values('Which sites are retired?', ['dcim.site', { status: 'retired' }, 'name'], () =>
    namesOf(where('dcim/sites', (s) => status(s) === 'retired')),
  ),
  values('Which sites are in Sverige?', ['dcim.site', { region: 'sverige' }, 'slug'], () =>
    where('dcim/sites', (s) => inRegion(s.region ?? undefined, 'sverige')).map(({ slug }) => slug),
  ),
  values('Which sites have no region?', ['dcim.site', { region_id: 'null' }, 'slug'], () =>
    where('dcim/sites', ({ region }) => region === null).map(({ slug }) => slug),
  ),
  {
    question: 'How many sites have no device?',
    steps: [list('dcim.site', {}, ['slug', 'device_count'])],
    answer: (last) => results(last).filter(({ device_count: devices }) => Number(devices) === 0).length,
    right: () => where('dcim/sites', (s) => rows('dcim/devices').every((d) => site(d) !== String(s.slug))).length,
  },
  values('Which sites have the tag alpha?', ['dcim.site', { tag: 'alpha' }, 'slug'], () =>
    where('dcim/sites', ({ tags }) => (tags ?? []).some(({ slug }) => String(slug) === 'alpha')).map(
      ({ slug }) => slug,
    ),
  ),
  // Racks
  count(
    'How many racks does NCSU have?',
    'dcim.rack',
    { site: 'ncsu-065' },
    () => where('dcim/racks', (r) => site(r) === 'ncsu-065').length,
  ),
  ...(['front', 'rear'] as const).map(
    (face): Question => ({
      question: `Which units of the rack in DM-Akron are free at the ${face}?`,
      steps: freeIn('units in rack', 'dcim.rack', { site: 'dm-akron' }, 100),
      answer: (last) =>
        (last.free_units?.[face] ?? [])
          .map(Number)
          .filter(Number.isInteger)
          .toSorted((a, b) => a - b),
      right: () => freeUnits(where('dcim/racks', (r) => site(r) === 'dm-akron')[0] ?? row('dcim/racks', 'id', 0), face),
    }),
  ),
  {
    question: 'How many devices are in the fullest rack?',
    steps: [read('dcim.rack', {}, { order: '-device_count', limit: 1, fields: ['name', 'device_count'] })],
    answer: (last) => Number(results(last)[0]?.device_count),
    right: () =>
      Math.max(
        ...Map.groupBy(
          where('dcim/devices', ({ rack }) => rack !== null),
          ({ rack }) => Number(rack?.id),
        )
          .values()
          .map(({ length }) => length),
      ),
  },
  {
    question: 'Which units are reserved, and in which racks?',
    steps: [list('dcim.rackreservation', {}, ['rack', 'units'])],
    answer: (last) => sorted(results(last).map(({ rack, units }) => `${rack?.id}: ${units}`)),
    right: () => sorted(rows('dcim/rack-reservations').map(({ rack, units }) => `${rack?.id}: ${units}`)),
  },
  // Devices
  count(
    'How many routers are there?',
    'dcim.device',
    { role: 'router' },
    () => where('dcim/devices', ({ role }) => String(role?.slug) === 'router').length,
  ),
  values(
    'Which devices of the site Straße are not active?',
    ['dcim.device', { site: 'x-0-strae', status__n: 'active' }, 'name'],
    () => namesOf(where('dcim/devices', (d) => site(d) === 'x-0-strae' && status(d) !== 'active')),
  ),
  count(
    'How many devices are in no rack?',
    'dcim.device',
    { rack_id: 'null' },
    () => where('dcim/devices', ({ rack }) => rack === null).length,
  ),
  count(
    'How many devices have no serial number?',
    'dcim.device',
    { serial__empty: true },
    () => where('dcim/devices', ({ serial }) => String(serial) === '').length,
  ),
  values(
    'Which core switches at NCSU are made by Juniper?',
    ['dcim.device', { site: 'ncsu-065', manufacturer: 'juniper', role: 'core-switch' }, 'name'],
    () =>
      namesOf(
        where(
          'dcim/devices',
          (d) =>
            site(d) === 'ncsu-065' &&
            String(d.role?.slug) === 'core-switch' &&
            String(d.device_type?.manufacturer?.slug) === 'juniper',
        ),
      ),
  ),
  values(
    'Which routers are in the state of New York?',
    ['dcim.device', { region: 'us-ny', role: 'router' }, 'name'],
    () =>
      namesOf(
        where(
          'dcim/devices',
          (d) => String(d.role?.slug) === 'router' && inRegion(siteOf(d).region ?? undefined, 'us-ny'),
        ),
      ),
  ),
  {
    question: 'What is the primary address of straße?',
    steps: [list('dcim.device', { name: 'straße' }, ['name', 'primary_ip4'])],
    // Filters ignore case, and there is a device STRASSE too.
    answer: (last) => String(results(last).find(({ name }) => String(name) === 'straße')?.primary_ip4?.address),
    right: () => String(row('dcim/devices', 'name', 'straße').primary_ip4?.address),
  },
  values('Which devices run Debian 12?', ['dcim.device', { platform: 'debian-12' }, 'name'], () =>
    namesOf(where('dcim/devices', ({ platform }) => String(platform?.slug) === 'debian-12')),
  ),
  {
    question: 'Which device types are not used?',
    steps: [list('dcim.devicetype', {}, ['slug', 'device_count'])],
    answer: (last) =>
      sorted(
        results(last)
          .filter(({ device_count: devices }) => Number(devices) === 0)
          .map(({ slug }) => slug),
      ),
    right: () =>
      sorted(
        where('dcim/device-types', ({ id: type }) => rows('dcim/devices').every((d) => d.device_type?.id !== type)).map(
          ({ slug }) => slug,
        ),
      ),
  },
  // Interfaces
  count(
    'How many interfaces does dmi01-akron-sw01 have?',
    'dcim.interface',
    { device: 'dmi01-akron-sw01' },
    () => where('dcim/interfaces', ({ device }) => String(device?.name) === 'dmi01-akron-sw01').length,
  ),
  count(
    'How many interfaces are disabled?',
    'dcim.interface',
    { enabled: false },
    () => where('dcim/interfaces', ({ enabled }) => String(enabled) === 'false').length,
  ),
  values(
    'Which interfaces of dmi01-akron-rtr01 have a cable?',
    ['dcim.interface', { device: 'dmi01-akron-rtr01', cabled: true }, 'name'],
    () => namesOf(ofDevice('dcim/interfaces', 'dmi01-akron-rtr01')),
  ),
  // Cables
  count(
    'How many cables are single-mode fibre?',
    'dcim.cable',
    { type: 'smf' },
    () => where('dcim/cables', ({ type }) => String(type) === 'smf').length,
  ),
  count(
    'How many cables are not connected?',
    'dcim.cable',
    { status__n: 'connected' },
    () => where('dcim/cables', (c) => status(c) !== 'connected').length,
  ),
  ...(['GigabitEthernet0/1/0', 'GigabitEthernet0/0/0'] as const).map(
    (name): Question => ({
      question: `Where does ${name} of dmi01-akron-rtr01 end?`,
      steps: traceFrom('dmi01-akron-rtr01', name),
      answer: endOfTrace,
      right: () => farEnds(port('dmi01-akron-rtr01', name)),
    }),
  ),
  {
    question: 'What is connected to dmi01-akron-rtr01?',
    steps: [
      list('dcim.device', { name: 'dmi01-akron-rtr01' }, ['id']),
      ['neighbours', (result) => ({ device: id(result) })],
    ],
    answer: (last) => sorted((last.ports ?? []).flatMap((kind) => (kind.results ?? []).map(({ name }) => name))),
    right: () =>
      sorted(
        [
          'interfaces',
          'power-ports',
          'console-ports',
          'console-server-ports',
          'power-outlets',
          'front-ports',
          'rear-ports',
        ].flatMap((kind) => namesOf(ofDevice(`dcim/${kind}`, 'dmi01-akron-rtr01'))),
      ),
  },
  {
    question: 'Which outlet feeds dmi01-akron-rtr01?',
    steps: [list('dcim.powerport', { device: 'dmi01-akron-rtr01' }, ['connected_endpoints'])],
    answer: (last) => results(last).flatMap(farEnds),
    right: () =>
      where('dcim/power-ports', ({ device }) => String(device?.name) === 'dmi01-akron-rtr01').flatMap(farEnds),
  },
  // Addresses
  {
    question: 'Which prefixes are in the VRF Alpha?',
    steps: [
      list('ipam.vrf', { name: 'Alpha' }, ['id']),
      ['read', (result) => ({ type: 'ipam.prefix', filters: { vrf_id: id(result) }, fields: ['prefix'], limit: 100 })],
    ],
    answer: (last) => sorted(results(last).map(({ prefix }) => prefix)),
    right: () => sorted(where('ipam/prefixes', ({ vrf }) => String(vrf?.name) === 'Alpha').map(({ prefix }) => prefix)),
  },
  values('Which prefixes contain 10.112.130.7?', ['ipam.prefix', { contains: '10.112.130.7' }, 'prefix'], () =>
    where('ipam/prefixes', ({ prefix }) => covers(String(prefix), '10.112.130.7')).map(({ prefix }) => prefix),
  ),
  count(
    'How many addresses are in 10.50.0.0/24?',
    'ipam.ipaddress',
    { parent: '10.50.0.0/24' },
    () =>
      where('ipam/ip-addresses', ({ address }) => covers('10.50.0.0/24', String(address).replace(/\/.*/, ''))).length,
  ),
  count(
    'How many prefixes count as full?',
    'ipam.prefix',
    { mark_utilized: true },
    () => where('ipam/prefixes', ({ mark_utilized: isFull }) => String(isFull) === 'true').length,
  ),
  {
    question: 'What is the next free address in 10.112.132.0/28?',
    steps: freeIn('addresses in prefix', 'ipam.prefix', { prefix: '10.112.132.0/28' }),
    answer: (last) => String(last.free?.[0]?.address),
    right: () =>
      firstFreeAddress(
        '10.112.132.0/28',
        where('ipam/ip-addresses', ({ vrf }) => vrf === null).map(({ address }) => String(address)),
      ),
  },
  {
    question: 'What is the first free block in 10.112.128.0/17?',
    steps: freeIn('prefixes in prefix', 'ipam.prefix', { prefix: '10.112.128.0/17' }),
    answer: (last) => String(last.free?.[0]?.prefix),
    right: () =>
      firstFreePrefix(
        '10.112.128.0/17',
        where('ipam/prefixes', ({ vrf }) => vrf === null)
          .map(({ prefix }) => String(prefix))
          .filter((prefix) => prefix !== '10.112.128.0/17' && covers('10.112.128.0/17', prefix)),
      ),
  },
  {
    question: 'Which VIDs are free for the location?',
    steps: freeIn('VIDs in VLAN group', 'ipam.vlangroup', { slug: 'loc-grp' }, 10),
    answer: (last) => (last.free ?? []).map(({ vid }) => Number(vid)),
    right: () =>
      [10, 11, 12].filter(
        (vid) => where('ipam/vlans', (v) => String(v.group?.slug) === 'loc-grp' && Number(v.vid) === vid).length === 0,
      ),
  },
  {
    question: 'Which ASN is next in private-16?',
    steps: freeIn('ASNs in ASN range', 'ipam.asnrange', { slug: 'private-16' }),
    answer: (last) => Number(last.free?.[0]?.asn),
    right: () => {
      const taken = new Set(rows('ipam/asns').map(({ asn }) => Number(asn)))
      let asn = Number(row('ipam/asn-ranges', 'slug', 'private-16').start)
      while (taken.has(asn)) asn += 1
      return asn
    },
  },
  values('Which VLANs does DM-Akron have?', ['ipam.vlan', { site: 'dm-akron' }, 'vid'], () =>
    where('ipam/vlans', (v) => site(v) === 'dm-akron').map(({ vid }) => vid),
  ),
  count(
    'How many VLANs have the VID 300?',
    'ipam.vlan',
    { vid: 300 },
    () => where('ipam/vlans', ({ vid }) => Number(vid) === 300).length,
  ),
  // Circuits
  count(
    'How many circuits does CenturyLink provide?',
    'circuits.circuit',
    { provider: 'centurylink' },
    () => where('circuits/circuits', ({ provider }) => String(provider?.slug) === 'centurylink').length,
  ),
  values('Which circuits are not active?', ['circuits.circuit', { status__n: 'active' }, 'cid'], () =>
    where('circuits/circuits', (c) => status(c) !== 'active').map(({ cid }) => cid),
  ),
  values('Which circuit ends at DM-Albany?', ['circuits.circuit', { site: 'dm-albany' }, 'cid'], () =>
    where('circuits/circuit-terminations', ({ termination }) => String(termination?.slug) === 'dm-albany').map(
      ({ circuit }) => circuit?.cid,
    ),
  ),
  // Tenants and contacts
  count(
    'How many devices does Dunder-Mifflin own?',
    'dcim.device',
    { tenant: 'dunder-mifflin' },
    () => where('dcim/devices', ({ tenant }) => String(tenant?.slug) === 'dunder-mifflin').length,
  ),
  {
    question: 'Which tenants own no device?',
    steps: [list('tenancy.tenant', {}, ['slug', 'device_count'])],
    answer: (last) =>
      sorted(
        results(last)
          .filter(({ device_count: devices }) => Number(devices) === 0)
          .map(({ slug }) => slug),
      ),
    right: () =>
      sorted(
        where('tenancy/tenants', ({ id: tenant }) => rows('dcim/devices').every((d) => d.tenant?.id !== tenant)).map(
          ({ slug }) => slug,
        ),
      ),
  },
  values('Which tenants are customers?', ['tenancy.tenant', { group: 'customers' }, 'slug'], () =>
    where('tenancy/tenants', ({ group }) => String(group?.slug) === 'customers').map(({ slug }) => slug),
  ),
  {
    question: 'Whom do I call about DM-Scranton?',
    steps: [
      list('dcim.site', { slug: 'dm-scranton' }, ['id']),
      [
        'read',
        (result) => ({
          type: 'tenancy.contactassignment',
          filters: { object_type: 'dcim.site', object_id: id(result) },
          fields: ['contact', 'role'],
        }),
      ],
    ],
    answer: (last) => sorted(results(last).map(({ contact, role }) => `${contact?.name} (${role?.name})`)),
    right: () =>
      sorted(
        where(
          'tenancy/contact-assignments',
          ({ object_type: type, object }) => String(type) === 'dcim.site' && String(object?.slug) === 'dm-scranton',
        ).map(({ contact, role }) => `${contact?.name} (${role?.name})`),
      ),
  },
  // Virtual machines
  count(
    'How many virtual machines run in DO-AMS3?',
    'virtualization.virtualmachine',
    { cluster: 'DO-AMS3' },
    () => where('virtualization/virtual-machines', ({ cluster }) => String(cluster?.name) === 'DO-AMS3').length,
  ),
  values(
    'Which virtual machines are not active?',
    ['virtualization.virtualmachine', { status__n: 'active' }, 'name'],
    () => namesOf(where('virtualization/virtual-machines', (v) => status(v) !== 'active')),
  ),
  count(
    'How many virtual machines are in no cluster?',
    'virtualization.virtualmachine',
    { cluster_id: 'null' },
    () => where('virtualization/virtual-machines', ({ cluster }) => cluster === null).length,
  ),
  values('Which services use port 443?', ['ipam.service', { port: 443 }, 'name'], () =>
    namesOf(where('ipam/services', ({ ports }) => (ports ?? []).map(Number).includes(443))),
  ),
  // History
  {
    question: 'What has bob changed?',
    steps: [['history', { user: 'bob' }]],
    answer: (last) =>
      sorted(results(last).map(({ object_repr: name, action }) => `${action?.value ?? action} ${name}`)),
    right: () =>
      sorted(
        changes(({ user_name: user }) => String(user) === 'bob').map(
          (change) => `${change.action?.value} ${change.object_repr ?? change.changed_object?.display}`,
        ),
      ),
  },
  {
    question: 'How many times were sites changed in the second half of the recording?',
    steps: [['history', { type: 'dcim.site', after: HALF, before: '2026-11-21T06:00:00Z', limit: 1 }]],
    answer: (last) => Number(last.count),
    right: () =>
      changes(({ changed_object_type: type, time }) => String(type) === 'dcim.site' && String(time) >= HALF).length,
  },
  {
    question: 'How many changes did admin make in the first half?',
    steps: [['history', { user: 'admin', before: HALF, limit: 1 }]],
    answer: (last) => Number(last.count),
    right: () => changes(({ user_name: user, time }) => String(user) === 'admin' && String(time) <= HALF).length,
  },
  count(
    'How many objects were deleted?',
    'core.objectchange',
    { action: 'delete', time_before: '2026-11-21T06:00:00Z' },
    () => changes(({ action }) => String(action?.value) === 'delete').length,
  ),
  {
    question: 'What has happened to the site DM-Akron?',
    steps: [
      list('dcim.site', { slug: 'dm-akron' }, ['id']),
      [
        'history',
        (result) => ({
          type: 'dcim.site',
          id: id(result),
          before: '2026-11-21T06:00:00Z',
          after: '2026-11-01T00:00:00Z',
        }),
      ],
    ],
    answer: (last) => results(last).map(({ action }) => String(action?.value ?? action)),
    right: () =>
      changes(
        ({ changed_object_type: type, changed_object_id: object }) =>
          String(type) === 'dcim.site' && Number(object) === Number(row('dcim/sites', 'slug', 'dm-akron').id),
      )
        .toSorted((a, b) => String(b.time).localeCompare(String(a.time)))
        .map(({ action }) => String(action?.value)),
  },
]
