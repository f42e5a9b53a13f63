import { ApiError, type Endpoint, isJsonObject, type JsonObject, jsonResponse, type Reader, readerOf } from 'cadastre'

/** What Prometheus reads: targets and their labels (https://prometheus.io/docs/prometheus/latest/http_sd/). */
interface TargetGroup {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

type Labels = Record<string, string>

const endpointOf = (name: string, model: string, write: Writer): Endpoint => ({
  name: `Prometheus ${name}`,
  description: `Service discovery of ${name.toLowerCase()} for Prometheus.`,
  methods: {
    GET: {
      handle: async (request) => {
        const { objects: read } = readerOf(request)
        const found = await read(model, filtersOf(request.search))
        return jsonResponse(200, await write(found, read))
      },
    },
  },
})

type Read = Reader['objects']
type Writer = (objects: readonly JsonObject[], read: Read) => Promise<readonly TargetGroup[]>

/** Parameters that select a part of the list or a different form of it. */
const NOT_OURS: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'start',
  'brief',
  'fields',
  'omit',
  'exclude',
  'format',
  'export',
])

const filtersOf = (search: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...search].filter(([name]) => !NOT_OURS.has(name)))

/** Objects that one query names. */
const PAGE = 1_000

/** The objects of a model with these ids, by id. Objects that the sender may not view are missing. */
async function byId(read: Read, model: string, ids: Iterable<unknown>): Promise<ReadonlyMap<unknown, JsonObject>> {
  const objects = await readInParts(read, model, 'id', ids)
  return new Map(objects.map((object) => [object.id, object]))
}

/** Objects with any of these values of a parameter, read in several queries if there are many. */
async function readInParts(
  read: Read,
  model: string,
  parameter: string,
  values: Iterable<unknown>,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly JsonObject[]> {
  const all = [...new Set(values)].filter((value) => value !== undefined).map(String)
  const objects: JsonObject[] = []
  for (let start = 0; start < all.length; start += PAGE) {
    const search = new URLSearchParams(filters)
    for (const value of all.slice(start, start + PAGE)) search.append(parameter, value)
    objects.push(...(await readOrNothing(read, model, search)))
  }
  return objects
}

/** Labels about objects that the sender may not view at all are left out. */
async function readOrNothing(read: Read, model: string, search: URLSearchParams): Promise<readonly JsonObject[]> {
  try {
    return await read(model, search)
  } catch (error) {
    if (error instanceof ApiError && error.reason.kind === 'forbidden') return []
    throw error
  }
}

const objectIn = (object: JsonObject | undefined, name: string): JsonObject | undefined => {
  const value = object?.[name]
  return isJsonObject(value) ? value : undefined
}
const textOf = (object: JsonObject | undefined, name: string): string => {
  const value = object?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const partsOf = (object: JsonObject, name: string): readonly JsonObject[] => {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
const idOf = (object: JsonObject, name: string): unknown => objectIn(object, name)?.id

/** Labels about the objects related to devices and virtual machines. */
interface Surroundings {
  readonly tenants: ReadonlyMap<unknown, JsonObject>
  readonly clusters: ReadonlyMap<unknown, JsonObject>
  /** Assignments of contacts by the id of the object. */
  readonly assignments: ReadonlyMap<unknown, readonly JsonObject[]>
  readonly contacts: ReadonlyMap<unknown, JsonObject>
}

async function surroundingsOf(objects: readonly JsonObject[], read: Read, type: string): Promise<Surroundings> {
  const ids = objects.map(({ id }) => id)
  const assignments = await readInParts(read, 'tenancy.contactassignment', 'object_id', ids, { object_type: type })
  return {
    tenants: await tenantsOf(objects, read),
    clusters: await byId(
      read,
      'virtualization.cluster',
      objects.map((object) => idOf(object, 'cluster')),
    ),
    assignments: Map.groupBy(assignments, ({ object_id }) => object_id),
    contacts: await byId(
      read,
      'tenancy.contact',
      assignments.map((assignment) => idOf(assignment, 'contact')),
    ),
  }
}

const tenantsOf = (objects: readonly JsonObject[], read: Read): Promise<ReadonlyMap<unknown, JsonObject>> =>
  byId(
    read,
    'tenancy.tenant',
    objects.map((object) => idOf(object, 'tenant')),
  )

const writeHosts =
  (className: string, type: string, parameter: string): Writer =>
  async (objects, read) => {
    const surroundings = await surroundingsOf(objects, read, type)
    const services = await readInParts(
      read,
      'ipam.service',
      parameter,
      objects.map(({ id }) => id),
    )
    const servicesOf = Map.groupBy(services, (service) => idOf(service, 'parent'))
    return objects.flatMap((object) => {
      const name = textOf(object, 'name')
      // Prometheus refuses the whole list if a target has no name.
      if (name === '') return []
      const labels: Labels = { ...statusLabels(object, className), name, ...hostLabels(object, surroundings) }
      for (const key of ['platform', 'location', 'role'] as const) {
        if (key !== 'location' || className === 'Device') add(labels, key, objectIn(object, key), 'name', 'slug')
      }
      const names = (servicesOf.get(object.id) ?? []).map((service) => textOf(service, 'name'))
      if (names.length > 0) labels.services = names.join(',')
      Object.assign(labels, tagLabels(object), customLabels(object))
      if (className === 'Device') addDeviceLabels(labels, object)
      return configsOf(object).map((config) => targetOf(name, labels, config))
    })
  }

function addDeviceLabels(labels: Labels, device: JsonObject): void {
  add(labels, 'device_type', objectIn(device, 'device_type'), 'model', 'slug')
  add(labels, 'rack', objectIn(device, 'rack'), 'name')
  const description = textOf(device, 'description')
  if (description !== '') labels.description = description
  const { position } = device
  if (typeof position === 'number' && position > 0) labels.rack_u_position = position.toFixed(1)
}

/**
 * Ports and paths from the config context of this name, with one target for each; a single target if there are none.
 */
const CONTEXT = 'prometheus-plugin-prometheus-sd'

function configsOf(object: JsonObject): readonly (JsonObject | undefined)[] {
  const configured = [objectIn(object, 'config_context')?.[CONTEXT]].flat()
  const configs = configured
    .filter(isJsonObject)
    .filter((config) => 'port' in config || 'metrics_path' in config || 'scheme' in config)
  return configs.length > 0 ? configs : [undefined]
}

function targetOf(name: string, labels: Labels, config: JsonObject | undefined): TargetGroup {
  const port = config?.port
  const prefixed = withPrefix(labels)
  for (const key of ['metrics_path', 'scheme'] as const) {
    const value = config?.[key]
    if (typeof value === 'string' && value !== '') prefixed[`__${key}__`] = value
  }
  return { targets: [Number.isInteger(port) && port !== 0 ? `${name}:${port}` : name], labels: prefixed }
}

const writeServices: Writer = async (services, read) => {
  const parentsOf = async (type: string): Promise<[ReadonlyMap<unknown, JsonObject>, Surroundings]> => {
    const ids = services
      .filter((service) => service.parent_object_type === type)
      .map((service) => idOf(service, 'parent'))
    const parents = await byId(read, type, ids)
    return [parents, await surroundingsOf([...parents.values()], read, type)]
  }
  const places = new Map([
    ['dcim.device', await parentsOf('dcim.device')],
    ['virtualization.virtualmachine', await parentsOf('virtualization.virtualmachine')],
  ])
  return services.map((service) => {
    const labels: Labels = {
      ...{ id: textOf(service, 'id'), name: textOf(service, 'name'), display: textOf(service, 'display') },
      ...tagLabels(service),
      ...customLabels(service),
    }
    const addresses = partsOf(service, 'ipaddresses').map((address) => hostOf(textOf(address, 'address')))
    if (addresses.length > 0) labels.ipaddresses = addresses.join(',')
    if (Array.isArray(service.ports) && service.ports.length > 0) labels.ports = service.ports.join(',')
    labels.parent = textOf(objectIn(service, 'parent'), 'name') || textOf(objectIn(service, 'parent'), 'display')
    const [parents, surroundings] = places.get(textOf(service, 'parent_object_type')) ?? []
    const parent = parents?.get(idOf(service, 'parent'))
    if (parent && surroundings) Object.assign(labels, hostLabels(parent, surroundings))
    return { targets: [textOf(service, 'name')], labels: withPrefix(labels) }
  })
}

const writeAddresses: Writer = async (addresses, read) => {
  const tenants = await tenantsOf(addresses, read)
  return addresses.map((address) => {
    const ip = hostOf(textOf(address, 'address'))
    const labels: Labels = {
      ...{ ...statusLabels(address, 'IPAddress'), ip },
      ...tagLabels(address),
      ...tenantLabels(address, tenants),
      ...customLabels(address),
    }
    const role = textOf(objectIn(address, 'role'), 'value')
    if (role !== '') labels.role = role
    return { targets: [textOf(address, 'dns_name') || ip], labels: withPrefix(labels) }
  })
}

const statusLabels = (object: JsonObject, model: string): Labels => ({
  status: textOf(objectIn(object, 'status'), 'value'),
  model,
  id: textOf(object, 'id'),
})

/** Labels that services take from their device or virtual machine. */
function hostLabels(object: JsonObject, surroundings: Surroundings): Labels {
  const labels: Labels = { ...tenantLabels(object, surroundings.tenants) }
  for (const name of ['primary_ip', 'primary_ip4', 'primary_ip6', 'oob_ip']) {
    const address = textOf(objectIn(object, name), 'address')
    if (address !== '') labels[name] = hostOf(address)
  }
  const cluster = surroundings.clusters.get(idOf(object, 'cluster')) ?? objectIn(object, 'cluster')
  add(labels, 'cluster', cluster, 'name')
  add(labels, 'cluster_group', objectIn(cluster, 'group'), 'name')
  add(labels, 'cluster_type', objectIn(cluster, 'type'), 'name')
  add(labels, 'scope', objectIn(cluster, 'scope'), 'name', 'slug')
  add(labels, 'site', objectIn(object, 'site'), 'name', 'slug')
  for (const assignment of surroundings.assignments.get(object.id) ?? []) {
    const label = `contact_${textOf(objectIn(assignment, 'priority'), 'value')}`
    const contact = surroundings.contacts.get(idOf(assignment, 'contact')) ?? objectIn(assignment, 'contact')
    for (const name of ['name', 'email', 'comments']) add(labels, `${label}_${name}`, contact, name)
    add(labels, `${label}_role`, objectIn(assignment, 'role'), 'name')
  }
  return labels
}

function tenantLabels(object: JsonObject, tenants: ReadonlyMap<unknown, JsonObject>): Labels {
  const labels: Labels = {}
  const tenant = tenants.get(idOf(object, 'tenant')) ?? objectIn(object, 'tenant')
  add(labels, 'tenant', tenant, 'name', 'slug')
  add(labels, 'tenant_group', objectIn(tenant, 'group'), 'name', 'slug')
  return labels
}

function tagLabels(object: JsonObject): Labels {
  const tags = partsOf(object, 'tags')
  if (tags.length === 0) return {}
  const listOf = (name: string): string => tags.map((tag) => textOf(tag, name)).join(',')
  return { tags: listOf('name'), tag_slugs: listOf('slug') }
}

/** Custom fields in the plug-in's notation, which is Python's; related objects by their ids. */
const customLabels = (object: JsonObject): Labels =>
  Object.fromEntries(
    Object.entries(objectIn(object, 'custom_fields') ?? {}).map(([name, value]) => [
      `custom_field_${name.toLowerCase()}`,
      typeof value === 'string' ? value : pythonText(isReference(value) ? value.id : value),
    ]),
  )

/** A nested object as in the API, in place of the stored id. */
const isReference = (value: unknown): value is JsonObject => isJsonObject(value) && 'url' in value && 'id' in value

function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map((item) => pythonText(isReference(item) ? item.id : item)).join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${pythonText(key)}: ${pythonText(item)}`)
    .join(', ')}}`
}

/** Adds the label, and one with `_slug`, for an object that exists and has the value. */
function add(labels: Labels, label: string, object: JsonObject | undefined, name: string, slug?: string): void {
  const value = textOf(object, name)
  if (value === '') return
  labels[label] = value
  if (slug !== undefined && textOf(object, slug) !== '') labels[`${label}_slug`] = textOf(object, slug)
}

/** `10.0.0.1/24` without its length. */
const hostOf = (address: string): string => address.replace(/\/\d+$/, '')

const withPrefix = (labels: Labels): Labels =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`__meta_netbox_${name.replace(/[^\w]/g, '_')}`, value]),
  )

const ROOT = '/api/plugins/prometheus-sd'

/**
 * Endpoints for Prometheus with the paths and labels of the plug-in netbox-plugin-prometheus-sd 1.3, so that scrape
 * configurations need no change. Each returns the API's list with its filters and the sender's permissions, without
 * pages.
 */
export const PROMETHEUS_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  [`${ROOT}/devices/`, endpointOf('Devices', 'dcim.device', writeHosts('Device', 'dcim.device', 'device_id'))],
  [
    `${ROOT}/virtual-machines/`,
    endpointOf(
      'Virtual Machines',
      'virtualization.virtualmachine',
      writeHosts('VirtualMachine', 'virtualization.virtualmachine', 'virtual_machine_id'),
    ),
  ],
  [`${ROOT}/services/`, endpointOf('Services', 'ipam.service', writeServices)],
  [`${ROOT}/ip-addresses/`, endpointOf('IP Addresses', 'ipam.ipaddress', writeAddresses)],
])
