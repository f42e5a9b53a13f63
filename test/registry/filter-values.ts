import type { Parameter, ParameterFilter } from '../../src/read/query/parameters.ts'
import type { Model } from '../../src/schema/registry.ts'

/** Source of values for filters. */
export interface Stored {
  /** Field of an object of the model as a response shows it; undefined if there is no such object. */
  field(model: string, name: string): string | undefined
  /** Id of a type of object. */
  readonly objectTypeId: string
}

/** Stands for "no value" in filters of relations. */
const NULL = 'null'

/**
 * Whether the parameter refuses every value: a time set by the service is never empty, as recorded, the example of a
 * dynamic group has sites, and `start` is also the first id of a page, so a date is refused as in NetBox.
 */
export function isAlwaysRefused(model: Model, { name, filter, lookup }: Parameter): boolean {
  if (name === 'start' && filter.kind === 'date') return true
  if (filter.kind === 'dynamicGroup') return model.name !== 'dcim.site'
  if (lookup !== 'empty' || filter.kind !== 'dateTime') return false
  const field = model.fields.get(filter.path)
  return field?.kind === 'dateTime' && field.auto !== undefined
}

/** A value that the parameter accepts. */
export function filterValue({ filter, lookup, base }: Parameter, stored: Stored): string {
  if (lookup === 'empty') return 'true'
  const related = (to: string, by: string) => stored.field(to, by) ?? NULL
  switch (filter.kind) {
    case 'choice':
      return String(filter.choices.list[0]?.value)
    case 'related':
      return related(filter.to, filter.by)
    case 'tag':
      return related(filter.to, filter.by)
    case 'dynamicGroup':
      return related('extras.dynamicgroup', filter.by)
    case 'objectType':
      return filter.byId || base.endsWith('_id') ? stored.objectTypeId : 'dcim.site'
    case 'listContains':
      return filter.of === 'integer' ? '1' : 'x'
    case 'custom':
      if (filter.value === 'related') return related(filter.to ?? '', filter.by ?? 'id')
      if (filter.value === 'choice') return String(filter.choices?.list[0]?.value)
      return VALUES[filter.value]
    default:
      return VALUES[VALUE_OF[filter.kind]]
  }
}

type Scalar = keyof typeof VALUES

const VALUES = {
  text: 'x',
  integer: '1',
  decimal: '1.5',
  boolean: 'true',
  date: '2024-01-01',
  dateTime: '2024-01-01T00:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000001',
  hardwareAddress: '02:00:00:00:00:01',
} as const

type ScalarFilter = Exclude<
  ParameterFilter['kind'],
  'choice' | 'related' | 'tag' | 'dynamicGroup' | 'objectType' | 'listContains' | 'custom'
>

/** Object whose values are used for a filter. */
const VALUE_OF: Readonly<Record<ScalarFilter, Scalar>> = {
  text: 'text',
  hardwareAddress: 'hardwareAddress',
  integer: 'integer',
  decimal: 'decimal',
  date: 'date',
  dateTime: 'dateTime',
  boolean: 'boolean',
  presence: 'boolean',
  uuid: 'uuid',
  request: 'uuid',
  search: 'text',
  customField: 'text',
}
