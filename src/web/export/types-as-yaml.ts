import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import type { ImportedComponents } from '../../schema/import-column.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { isWritable } from '../../schema/writable.ts'
import { yamlText } from '../../schema/yaml-text.ts'
import { listedIds, parsedObjects, partsOf } from './read-all.ts'

/**
 * Device types or module types with their components, one YAML document each, which an import can turn into the same
 * types. Components that the sender may not view are left out, and so are images.
 */
export async function* typesAsYaml(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
): AsyncGenerator<Uint8Array> {
  const { registry } = request.service
  const { imports = [], importComponents = {} } = registry.view(model)
  const names = imports.map((path) => path.split('.')).filter(([name]) => name !== 'attribute_data')
  let isFirst = true
  for await (const texts of partsOf(request, model, ids)) {
    const objects = parsedObjects(model, texts)
    const owned = await componentsOf(request, objects, importComponents)
    for (const object of objects) {
      const attributes = names.flatMap(([name = '', by]) => {
        const value = plainValue(object[name], by)
        // Few types have these.
        return OPTIONAL.has(name) && isEmpty(value) ? [] : [[name, value] as const]
      })
      const document = Object.fromEntries([
        ...attributes,
        ...(object.attributes == null ? [] : [['attributes', object.attributes] as const]),
        ...customValues(object.custom_fields),
        ...(owned.get(Number(object.id)) ?? []),
      ])
      yield Buffer.from(`${isFirst ? '' : '---\n'}${yamlText(document)}`)
      isFirst = false
    }
  }
}

const OPTIONAL: ReadonlySet<string> = new Set([
  ...['tags', 'owner', 'profile', 'cooling_method', 'end_of_life', 'module_bay_types'],
])

const isEmpty = (value: Json): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** Columns of custom fields that have a value; objects by their ids. */
const customValues = (values: Json | undefined): readonly (readonly [string, Json])[] =>
  Object.entries(isJsonObject(values) ? values : {})
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [`cf_${name}`, keysOf(value)])

const keysOf = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(keysOf)
  return isJsonObject(value) && typeof value.url === 'string' ? (value.id ?? null) : value
}

type Lists = readonly (readonly [name: string, components: readonly JsonObject[]])[]

/** Components by the id of their type: one read for each kind of component. */
async function componentsOf(
  request: ApiRequest,
  objects: readonly JsonObject[],
  kinds: Readonly<Record<string, ImportedComponents>>,
): Promise<ReadonlyMap<number, Lists>> {
  const { registry } = request.service
  const loaded = await Promise.all(
    Object.entries(kinds)
      .filter(([, kind]) => !registry.model(kind.model).definition.private)
      .map(async ([name, kind]) => {
        const components = await readComponents(request, objects, kind)
        return { name, via: kind.via, model: registry.model(kind.model), components }
      }),
  )
  /** Components by `app.model id`. */
  const byKey = new Map(
    loaded.flatMap(({ model, components }) =>
      components.map((component) => [`${model.name} ${component.id}`, component] as const),
    ),
  )
  return new Map(
    objects.map(({ id }) => {
      const lists = loaded.map(({ name, via, model, components }) => {
        const owned = components.filter((component) => ownerOf(component, via) === id)
        return { name, model, owned }
      })
      const written = lists.flatMap(({ name, model, owned }) =>
        owned.length === 0 ? [] : [[name, owned.map((object) => plainComponent(model, object, owned, byKey))] as const],
      )
      const ownIn = (list: string) => lists.find(({ name }) => name === list)?.owned ?? []
      const rearPorts = ownIn('rear-ports')
      const mappings = ownIn('front-ports').flatMap((port) => mappingsOf(port, rearPorts))
      return [Number(id), mappings.length === 0 ? written : [...written, ['port-mappings', mappings] as const]]
    }),
  )
}

async function readComponents(
  request: ApiRequest,
  objects: readonly JsonObject[],
  { model: name, via }: ImportedComponents,
): Promise<readonly JsonObject[]> {
  const { service, actor } = request
  const model = service.registry.model(name)
  if (!mayAct(actor, 'view', model, service.settings)) return []
  const owners = objects.map(({ id }): [string, string] => [`${via}_id`, String(id)])
  const ids = await listedIds(request, model, new URLSearchParams(owners))
  const components: JsonObject[] = []
  for await (const texts of partsOf(request, model, ids)) components.push(...parsedObjects(model, texts))
  return components
}

const ownerOf = (component: JsonObject, via: string): Json | undefined => {
  const owner = component[via]
  return isJsonObject(owner) ? owner.id : undefined
}

type ByKey = ReadonlyMap<string, JsonObject>

function plainComponent(
  { fields }: Model,
  component: JsonObject,
  siblings: readonly JsonObject[],
  byKey: ByKey,
): JsonObject {
  const paths = [...fields]
    .filter(([name, field]) => isWritable(field) && !ELSEWHERE.has(name) && name in component)
    .map(([name]) => [name, plainValue(component[name], 'name')] as const)
  const parent = siblings.find(({ id }) => id === component.parent)
  const assigned = byKey.get(`${component.component_type} ${component.component_id}`)
  return Object.fromEntries([
    ...paths,
    ...(parent ? [['parent', nameWithin(siblings, parent)] as const] : []),
    ...(assigned
      ? [
          ['component_type', component.component_type ?? null] as const,
          ['component_name', assigned.name ?? null] as const,
        ]
      : []),
  ])
}

/** Fields that are implied or written in another form. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['device_type', 'module_type', 'rear_ports', 'front_ports', 'parent', 'component'],
])

/** The name of an item, preceded by its parents' names if another item of the type has the same name. */
function nameWithin(siblings: readonly JsonObject[], item: JsonObject): Json {
  const isUnique = siblings.every(({ id, name }) => id === item.id || name !== item.name)
  return isUnique ? (item.name ?? null) : pathOf(siblings, item)
}

function pathOf(siblings: readonly JsonObject[], item: JsonObject): JsonObject {
  const parent = siblings.find(({ id }) => id === item.parent)
  return { name: item.name ?? null, parent: parent ? pathOf(siblings, parent) : null }
}

/** The mappings of a front port to rear ports that the sender may view. */
const mappingsOf = (port: JsonObject, rearPorts: readonly JsonObject[]): readonly JsonObject[] =>
  objectsIn(port.rear_ports).flatMap(({ position, rear_port, rear_port_position }) => {
    const rear = rearPorts.find(({ id }) => id === rear_port)
    if (!rear) return []
    return [
      {
        front_port: port.name ?? null,
        front_port_position: position ?? 1,
        rear_port: rear.name ?? null,
        rear_port_position: rear_port_position ?? 1,
      },
    ]
  })

/** A value in the form of a body: values of choices, related objects by the attribute. */
function plainValue(value: Json | undefined, by = 'name'): Json {
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map((item) => plainValue(item, by))
  if (!isJsonObject(value)) return value
  if ('value' in value && 'label' in value) return value.value ?? null
  return value[by] ?? value.display ?? null
}
