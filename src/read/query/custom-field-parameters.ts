import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { type FilterableField, isFilterableType } from './filterable-field.ts'
import { type Parameter, parametersOfFilter } from './parameters.ts'

/** A custom field, as its filters need it. */
interface CustomFieldRow extends Record<string, unknown> {
  readonly name: string
  readonly type: string
  readonly filter_logic: string
  readonly object_types: readonly string[]
  readonly related_object_type: string | null
}

/**
 * Parameters of the model's custom fields, `cf_<name>` with lookups; none if no parameter of the request needs them.
 */
export async function customFieldParameters(
  service: Service,
  model: Model,
  names: readonly string[],
): Promise<ReadonlyMap<string, Parameter>> {
  const isAsked = names.some((name) => name.startsWith('cf_'))
  if (!isAsked || !model.columns.has('custom_fields')) return NONE
  return parametersOfCustomFields(model, await definitions(service))
}

/** Parameters of those custom fields that objects of the model have. */
export function parametersOfCustomFields(
  model: Model,
  rows: readonly CustomFieldRow[],
): ReadonlyMap<string, Parameter> {
  const parameters = rows
    .filter((row) => row.object_types.includes(model.name) && row.filter_logic !== 'disabled')
    .flatMap(({ name, type, filter_logic: logic, related_object_type: related }) => {
      if (!isFilterableType(type)) return []
      const isLoose = logic === 'loose'
      const field: FilterableField = { name, type, isLoose, related: related ?? undefined }
      return parametersOfFilter(`cf_${name}`, { kind: 'customField', field })
    })
  return new Map(parameters.map((parameter) => [parameter.name, parameter]))
}

const NONE: ReadonlyMap<string, Parameter> = new Map()

const definitions = ({ database, cache }: Service): Promise<readonly CustomFieldRow[]> =>
  cache.get('filters of custom fields', () => definedCustomFields(database), DEFINITIONS_CACHING)

/** All custom fields. */
export const definedCustomFields = (database: Queryable): Promise<readonly CustomFieldRow[]> =>
  database.query<CustomFieldRow>(
    sql`select name, type, filter_logic, object_types, related_object_type from ${table(SYSTEM.customField)}`,
  )
