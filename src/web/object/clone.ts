import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { namesInBody } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Values of the object with which the form for another one starts; undefined for models that are not cloned. */
export async function cloneQuery(
  service: Service,
  model: Model,
  object: JsonObject,
): Promise<URLSearchParams | undefined> {
  if (!model.has('cloning')) return undefined
  const { cloned = [] } = service.registry.view(model)
  const query = new URLSearchParams()
  const add = (name: string, value: Json | undefined): void => {
    for (const each of [value ?? null].flat()) {
      const text = textOf(each)
      if (text !== '') query.append(name, text)
    }
  }
  for (const name of cloned.flatMap((each) => namesInBody(model, each))) add(name, object[name])
  if ('tags' in object) add('tags', object.tags)
  const custom = isJsonObject(object.custom_fields) ? object.custom_fields : {}
  for (const name of await cloneableCustomFields(service, model)) {
    add(`cf_${name}`, custom[name])
  }
  return query
}

/** A value as a form takes it: the id of an object, the value of a choice. */
function textOf(value: Json): string {
  if (isJsonObject(value)) {
    const key = value.id ?? value.value
    return key === undefined ? JSON.stringify(value) : String(key)
  }
  return value === null ? '' : String(value)
}

const cloneableCustomFields = async (
  { cache, database }: Service,
  model: Model,
): Promise<readonly string[]> =>
  model.fields.has('custom_fields')
    ? await cache.get(
        `cloned custom fields of ${model.name}`,
        async () => {
          const rows = await database.query<{ name: string }>(
            sql`select name from ${table(SYSTEM.customField)} where is_cloneable and ${model.name} = any(object_types)`,
          )
          return rows.map(({ name }) => name)
        },
        DEFINITIONS_CACHING,
      )
    : []
