import { mayAct } from '../../../auth/permitted-rows.ts'
import type { ImportedComponents } from '../../../schema/import-column.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { Model } from '../../../schema/registry.ts'
import { isWritable } from '../../../schema/writable.ts'
import { yamlText } from '../../../schema/yaml-text.ts'
import type { ApiRequest } from '../../api-request.ts'
import { listedIds, parsedObjects, partsOf } from './read-all.ts'

/**
 * Device types or module types with their components, one YAML document each, as an import takes them. Components
 * that the sender may not view are left out.
 */
export async function* typesAsYaml(
  request: ApiRequest,
  model: Model,
  ids: readonly number[],
): AsyncGenerator<Uint8Array> {
  const { registry } = request.service
  const { imports = [], importComponents = {} } = registry.view(model)
  const names = imports.map((path) => path.split('.')).filter(([name]) => !NEVER.has(name ?? ''))
  let isFirst = true
  for await (const texts of partsOf(request, model, ids)) {
    const objects = parsedObjects(model, texts)
    const owned = await componentsOf(request, objects, importComponents)
    for (const object of objects) {
      const own = names.map(([name = '', by]) => [name, plainValue(object[name], by)] as const)
      const document = Object.fromEntries([...own, ...(owned.get(Number(object.id)) ?? [])])
      yield Buffer.from(`${isFirst ? '' : '---\n'}${yamlText(document)}`)
      isFirst = false
    }
  }
}

const NEVER: ReadonlySet<string> = new Set(['tags', 'owner', 'attribute_data'])

type Lists = readonly (readonly [name: string, components: readonly JsonObject[]])[]

/** Components by the id of their type: one read for each kind of component. */
async function componentsOf(
  request: ApiRequest,
  objects: readonly JsonObject[],
  kinds: Readonly<Record<string, ImportedComponents>>,
): Promise<ReadonlyMap<number, Lists>> {
  const found = await Promise.all(
    Object.entries(kinds).map(async ([name, kind]) => {
      const components = await readComponents(request, objects, kind)
      return [name, kind, components] as const
    }),
  )
  const rearPorts = new Map(
    found
      .filter(([name]) => name === 'rear-ports')
      .flatMap(([, , ports]) => ports.map((port) => [port.id, port.name] as const)),
  )
  return new Map(
    objects.map(({ id }) => [
      Number(id),
      found.flatMap(([name, { model, via }, components]) => {
        const own = components.filter((component) => ownerOf(component, via) === id)
        const definition = request.service.registry.model(model)
        return own.length === 0
          ? []
          : [[name, own.map((each) => plainComponent(definition, each, rearPorts))] as const]
      }),
    ]),
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
  for await (const texts of partsOf(request, model, ids))
    components.push(...parsedObjects(model, texts))
  return components
}

const ownerOf = (component: JsonObject, via: string): Json | undefined => {
  const owner = component[via]
  return isJsonObject(owner) ? owner.id : undefined
}

function plainComponent(
  { fields }: Model,
  component: JsonObject,
  rearPorts: ReadonlyMap<Json | undefined, Json | undefined>,
): JsonObject {
  const own = [...fields]
    .filter(([name, field]) => isWritable(field) && !OWNERS.has(name) && name in component)
    .map(([name]) => [name, plainValue(component[name], 'name')] as const)
    .filter(([name]) => name !== 'rear_ports' && name !== 'front_ports')
  const mapping = Array.isArray(component.rear_ports) ? component.rear_ports[0] : undefined
  if (!isJsonObject(mapping)) return Object.fromEntries(own)
  return Object.fromEntries([
    ...own,
    ['rear_port', rearPorts.get(mapping.rear_port) ?? null],
    ['rear_port_position', mapping.rear_port_position ?? 1],
  ])
}

const OWNERS: ReadonlySet<string> = new Set(['device_type', 'module_type'])

/** A value as a body has it: values of choices, related objects by the attribute. */
function plainValue(value: Json | undefined, by = 'name'): Json {
  if (value === undefined) return null
  if (!isJsonObject(value)) return value
  if ('value' in value && 'label' in value) return value.value ?? null
  return value[by] ?? value.display ?? null
}
