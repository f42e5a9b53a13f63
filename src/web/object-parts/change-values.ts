import type { ApiRequest } from '../../api/api-request.ts'
import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import type { Field } from '../../schema/field.ts'
import { listFromRecord } from '../../schema/fields/list.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownTitle } from '../components/model-title.ts'
import { type DisplayOptions, EMPTY, linkToObject, valueDisplay, withUnit } from '../components/value.ts'
import { displayOptionsOf } from '../data/display-options.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { type Content, html } from '../html.ts'
import { type CustomFieldDefinition, customValue } from './custom-field-panels.ts'

/** A value of a change record, with the field that gives it its meaning. */
export interface RecordedValue {
  readonly field: Field | undefined
  readonly value: Json
  /** For a generic relation: the model in the record. */
  readonly target?: Model | undefined
  /** For a custom field. */
  readonly custom?: CustomFieldDefinition | undefined
  readonly unit?: string | undefined
}

/** Shows recorded values with the names of objects instead of their ids, read once for all values. */
interface RecordedValues {
  show(recorded: RecordedValue): Content
}

/** Reads the objects that the values refer to and that the sender may view: one read per model. */
export async function recordedValues(request: ApiRequest, values: readonly RecordedValue[]): Promise<RecordedValues> {
  const { registry } = request.service
  const idsByModel = new Map<Model, number[]>()
  for (const recorded of values) {
    const target = targetOf(registry, recorded)
    if (target) idsByModel.set(target, [...(idsByModel.get(target) ?? []), ...idsIn(recorded.value)])
  }
  const names = await typeNames(request.service)
  const objectsByModel = new Map(
    await Promise.all(
      [...idsByModel].map(
        async ([model, ids]) => [model, await visibleObjects(request, model, ids, ['id', 'url', 'display'])] as const,
      ),
    ),
  )
  const objects = [...objectsByModel.values()].flatMap((part) => [...part.values()])
  const options = await displayOptionsOf(request, objects)
  const typeTitle = (id: Json): string => {
    const name = names.get(Number(id))
    const model = registry.models.get(name ?? '')
    return model ? shownTitle(model) : (name ?? String(id))
  }
  return {
    show(recorded) {
      const { field, custom, unit } = recorded
      const value = asInApi(recorded)
      if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return EMPTY
      const target = targetOf(registry, recorded)
      if (target) return references(target, idsIn(value), objectsByModel.get(target), options)
      if (field?.kind === 'objectType' || field?.kind === 'objectTypes') return [value].flat().map(typeTitle).join(', ')
      return custom ? customValue(custom, value, options) : withUnit(plainValue(field, value, options), unit)
    },
  }
}

/** The value in the form of the API, which writes lists and decimals in another way than change records. */
function asInApi({ field, value }: RecordedValue): Json {
  if (field?.kind === 'list') return listFromRecord(field.of, value)
  return field?.kind === 'decimal' && typeof value === 'string' ? value.replace(/\.0+$|(?<=\.\d*[1-9])0+$/, '') : value
}

function references(
  target: Model,
  ids: readonly number[],
  objects: ReadonlyMap<number, JsonObject> | undefined,
  options: DisplayOptions,
): Content {
  return ids.map((id, index) => {
    const object = objects?.get(id)
    return html`${index > 0 && ', '}${object ? linkToObject(object, options) : `${shownTitle(target)} ${id}`}`
  })
}

function plainValue(field: Field | undefined, value: Json, options: DisplayOptions): Content {
  // Documents; anything else is a value or a list of values.
  if ([value].flat(2).some(isJsonObject) || field?.kind === 'json') {
    return html`<pre class="document" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
  }
  return valueDisplay(field, value, options)
}

function targetOf(registry: Registry, { field, target, custom }: RecordedValue): Model | undefined {
  if (target) return target
  if (field?.kind === 'foreignKey' || field?.kind === 'manyToMany') return registry.model(field.to)
  if (field?.kind === 'computed' && field.recorded) return registry.model(field.recorded.of)
  return registry.models.get(custom?.related ?? '')
}

const idsIn = (value: Json): readonly number[] => [value].flat().filter((part) => typeof part === 'number')

/** Names of object types by the ids with which records name them. */
export const typeNames = async ({ cache, database }: Service): Promise<ReadonlyMap<number, string>> =>
  await cache.get(
    'object types of change records',
    async () => {
      const rows = await database.query<{ id: number; name: string }>(
        sql`select t.id, t.app_label || '.' || t.model as name from ${table(SYSTEM.objectType)} t`,
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    DEFINITIONS_CACHING,
  )
