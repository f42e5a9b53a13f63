import { hasHistory } from '../../db/versions/versioned-tables.ts'
import { type Parameter, parametersOf } from '../../read/query/parameters.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'

const TEXT: JsonObject = { type: 'string' }
const UUID: JsonObject = { type: 'string', format: 'uuid' }
const INTEGER: JsonObject = { type: 'integer', format: 'int32' }

/** One value of a filter parameter. */
function valueSchema({ filter, lookup, base }: Parameter): JsonObject {
  if (lookup === 'empty') return { type: 'boolean' }
  switch (filter.kind) {
    case 'integer':
      return INTEGER
    case 'decimal':
      return { type: 'number', format: 'double' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'dateTime':
      return { type: 'string', format: 'date-time' }
    case 'boolean':
    case 'presence':
      return { type: 'boolean' }
    case 'uuid':
    case 'request':
      return UUID
    case 'related':
    case 'tag':
      return filter.by === 'id' ? { type: 'integer' } : TEXT
    case 'listContains':
      return filter.of === 'integer' ? INTEGER : TEXT
    case 'objectType':
      return filter.byId || base.endsWith('_id') ? { type: 'integer' } : TEXT
    case 'custom':
      return CUSTOM[filter.value]
    case 'text':
    case 'hardwareAddress':
    case 'choice':
    case 'customField':
    case 'search':
      return TEXT
  }
}

const CUSTOM = {
  text: TEXT,
  uuid: UUID,
  integer: INTEGER,
  boolean: { type: 'boolean' },
  related: TEXT,
  choice: TEXT,
} as const satisfies Record<string, JsonObject>

const inQuery = (name: string, schema: JsonObject, description?: string): JsonObject => ({
  in: 'query',
  name,
  ...(description && { description }),
  schema,
})

/** Lists repeat the parameter: OpenAPI's default of `style` and `explode`, so that thousands of parameters need not say so. */
const filterParameter = (parameter: Parameter): JsonObject =>
  inQuery(
    parameter.name,
    parameter.multiple ? { type: 'array', items: valueSchema(parameter) } : valueSchema(parameter),
  )

/** Parameters that select the fields of a response, for one object and for a page. */
export const FIELD_PARAMETERS: readonly JsonObject[] = [
  inQuery('brief', { type: 'boolean' }, 'Brief form of each object'),
  inQuery('fields', TEXT, 'Names of the fields to show, separated by commas'),
  inQuery('omit', TEXT, 'Names of the fields to omit, separated by commas'),
]

const PAGE_PARAMETERS: readonly JsonObject[] = [
  inQuery('limit', { type: 'integer' }, 'Number of objects on a page'),
  inQuery('offset', { type: 'integer' }, 'Number of objects before the page'),
  inQuery('start', { type: 'integer' }, 'Lowest id on the page; the page is then ordered by id'),
  inQuery(
    'count',
    { type: 'string', enum: ['exact', 'estimated'] },
    'Whether the number of objects may be an estimate, which is faster where there are millions',
  ),
  inQuery('ordering', TEXT, 'Fields to sort by, separated by commas; - for descending'),
]

const SAVED_FILTERS: readonly JsonObject[] = [
  inQuery('filter', { type: 'array', items: TEXT }, 'Slugs of saved filters'),
  inQuery('filter_id', { type: 'array', items: { type: 'integer' } }, 'Ids of saved filters'),
]

export const ID_PARAMETER: JsonObject = {
  in: 'path',
  name: 'id',
  schema: { type: 'integer' },
  required: true,
}

const AS_OF_PARAMETER = inQuery(
  'as_of',
  TEXT,
  'Time, or position of the stream of events, as of which to read',
)

/** The parameter that selects a point in time, for models with history. */
export const timeParameters = (model: Model): readonly JsonObject[] =>
  hasHistory(model) ? [AS_OF_PARAMETER] : []

/** Query parameters of a collection, by name. */
export function listParameters(registry: Registry, model: Model): readonly JsonObject[] {
  const filters = [...parametersOf(registry, model).values()].map(filterParameter)
  const filterNames = new Set(filters.map(({ name }) => name))
  const common = [
    ...FIELD_PARAMETERS,
    ...PAGE_PARAMETERS,
    ...SAVED_FILTERS,
    ...timeParameters(model),
  ].filter(({ name }) => !filterNames.has(String(name)))
  return [...filters, ...common].toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}
