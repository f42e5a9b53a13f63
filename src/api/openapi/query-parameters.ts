import { branchedModels } from '../../db/branches/branch-tables.ts'
import { hasHistory } from '../../db/versions/versioned-tables.ts'
import { BRANCH_PARAMETER } from '../../read/branches/branch-service.ts'
import { lookupOf } from '../../read/query/lookups.ts'
import { type Parameter, type ParameterKind, parametersOf } from '../../read/query/parameters.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

const TEXT: JsonObject = { type: 'string' }
const ID: JsonObject = { type: 'integer' }
const INTEGER: JsonObject = { type: 'integer', format: 'int32' }
const BOOLEAN: JsonObject = { type: 'boolean' }
const UUID: JsonObject = { type: 'string', format: 'uuid' }

/** Values of filters by kind; `valueSchema` covers those that depend on more than the kind. */
const VALUES: Readonly<Record<Exclude<ParameterKind, 'custom'>, JsonObject>> = {
  integer: INTEGER,
  decimal: { type: 'number', format: 'double' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  boolean: BOOLEAN,
  presence: BOOLEAN,
  uuid: UUID,
  request: UUID,
  related: TEXT,
  tag: TEXT,
  dynamicGroup: TEXT,
  listContains: TEXT,
  objectType: TEXT,
  text: TEXT,
  hardwareAddress: TEXT,
  choice: TEXT,
  customField: TEXT,
  search: TEXT,
}

/** One value of a filter parameter. */
function valueSchema({ filter, lookup, base }: Parameter): JsonObject {
  if (lookup === 'empty') return BOOLEAN
  switch (filter.kind) {
    case 'custom':
      return VALUES[filter.value]
    case 'related':
    case 'tag':
    case 'dynamicGroup':
      return filter.by === 'id' ? ID : TEXT
    case 'listContains':
      return filter.of === 'integer' ? INTEGER : TEXT
    case 'objectType':
      return filter.byId || base.endsWith('_id') ? ID : TEXT
    default:
      return VALUES[filter.kind]
  }
}

/** Values of filters whose form is not obvious. */
const EXAMPLES: Partial<Readonly<Record<ParameterKind, string>>> = {
  date: '2026-01-31',
  dateTime: '2026-01-31T12:00:00Z',
  hardwareAddress: '02:00:5e:10:00:01',
  objectType: SYSTEM.contact,
}

/** An example of the parameter's value, by its lookup or its filter; undefined if the form is obvious. */
function exampleOf(parameter: Parameter): string | undefined {
  const { filter, lookup } = parameter
  if (valueSchema(parameter).type !== 'string') return undefined
  if (lookup === 'regex' || lookup === 'iregex') return '^[a-z]+-[0-9]+$'
  if (lookup !== 'exact' && lookup !== 'n' && filter.kind !== 'date' && filter.kind !== 'dateTime') return undefined
  return filter.kind === 'custom' ? filter.example : EXAMPLES[filter.kind]
}

const inQuery = (name: string, schema: JsonObject, description?: string): JsonObject => ({
  in: 'query',
  name,
  ...(description && { description }),
  schema,
})

/**
 * Lists repeat the parameter: OpenAPI's default of `style` and `explode`, so that thousands of parameters need not
 * declare them.
 */
function filterParameter(parameter: Parameter): JsonObject {
  const { name, multiple } = parameter
  const schema = valueSchema(parameter)
  const example = exampleOf(parameter)
  // Not as `example`: Swagger UI would send it with every request that it tries.
  const description = [meaningOf(parameter), ...(example ? [`for example ${example}`] : [])].join('; ')
  return inQuery(name, multiple ? { type: 'array', items: schema } : schema, description)
}

/** What the parameter selects: "`name` contains the value". */
function meaningOf({ base, lookup, filter, multiple }: Parameter): string {
  if (filter.kind === 'search') return 'Words that the object contains'
  if (filter.kind === 'tag' && lookup === 'exact') return `Objects with all of these values in \`${base}\``
  if (filter.kind === 'dynamicGroup') return `Objects in ${lookup === 'n' ? 'none' : 'one'} of the dynamic groups`
  if (lookup === 'empty') return `Whether \`${base}\` is empty`
  return `\`${base}\` ${lookupOf(lookup).label} ${multiple ? 'one of the values' : 'the value'}`
}

/** Parameters that select the fields of a response, for one object and for a page. */
export const FIELD_PARAMETERS: readonly JsonObject[] = [
  inQuery('brief', BOOLEAN, 'Brief form of each object'),
  inQuery('fields', TEXT, 'Names of the fields to show, separated by commas: id,name'),
  inQuery('omit', TEXT, 'Names of the fields to omit, separated by commas: tags,custom_fields'),
]

const PAGE_PARAMETERS: readonly JsonObject[] = [
  inQuery('limit', ID, 'Number of objects on a page'),
  inQuery('offset', ID, 'Number of objects before the page'),
  inQuery('start', ID, 'Lowest id on the page; the page is then ordered by id'),
  inQuery(
    'count',
    { type: 'string', enum: ['exact', 'estimated'] },
    'Whether the number of objects may be an estimate, which is faster if there are millions',
  ),
  inQuery('ordering', TEXT, 'Fields to sort by, separated by commas; - for descending: name,-id'),
]

const SAVED_FILTERS: readonly JsonObject[] = [
  inQuery('filter', { type: 'array', items: TEXT }, 'Slugs of saved filters'),
  inQuery('filter_id', { type: 'array', items: ID }, 'Ids of saved filters'),
]

export const ID_PARAMETER: JsonObject = {
  in: 'path',
  name: 'id',
  schema: ID,
  required: true,
}

/** The query parameter that hands a request on a collection to a background job. */
export const BACKGROUND_PARAMETER = inQuery(
  'background',
  BOOLEAN,
  'Let a background job perform the request; its data then contains the response',
)

/** The query parameter that tries a write. */
export const DRY_RUN_PARAMETER = inQuery(
  'dry_run',
  BOOLEAN,
  'Store nothing: the response then shows the effects of the request, with the usual response as `result`',
)

/** The query parameter that makes the replacement of several objects an upsert. */
export const MATCH_PARAMETER = inQuery(
  'match',
  { type: 'string' },
  'Fields, separated by commas, by which objects are found: those that exist are changed, the others created. The body is an object or a list, and the response has an outcome and the object for each. For example name or site,name',
)

/** The header that makes a POST repeatable. */
export const IDEMPOTENCY_PARAMETER: JsonObject = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'A text that no other request uses: for 24 hours, repeating the request with it returns the same response, and the request is carried out only once',
  schema: { type: 'string', maxLength: 255 },
}

const AS_OF_PARAMETER = inQuery(
  'as_of',
  TEXT,
  'Time, or position of the stream of events, as of which to read; for example 2026-01-31T12:00:00Z',
)

/** The parameter that selects a point in time, for models with history. */
export const timeParameters = (model: Model): readonly JsonObject[] => (hasHistory(model) ? [AS_OF_PARAMETER] : [])

/** The header that makes a write depend on the version of the object. */
export const IF_MATCH_PARAMETER: JsonObject = {
  in: 'header',
  name: 'If-Match',
  description: 'The ETag with which the object was read: if it has been changed since, the write is refused with 412',
  schema: TEXT,
}

const BRANCH_IN_QUERY = inQuery(
  BRANCH_PARAMETER,
  TEXT,
  'Name or schema_id of the branch to read and write; without it main',
)
const BRANCH_IN_HEADER: JsonObject = {
  in: 'header',
  name: 'X-NetBox-Branch',
  description: 'As the parameter `branch`',
  schema: TEXT,
}

/** The parameters that select a branch, for models of which branches have their own objects. */
export const branchParameters = (registry: Registry, { name }: Model): readonly JsonObject[] =>
  branchedModels(registry).has(name) ? [BRANCH_IN_QUERY, BRANCH_IN_HEADER] : []

/** Query parameters of a collection, by name. */
export function listParameters(registry: Registry, model: Model): readonly JsonObject[] {
  const filters = [...parametersOf(registry, model).values()].map(filterParameter)
  const filterNames = new Set(filters.map(({ name }) => name))
  const common = [
    ...FIELD_PARAMETERS,
    ...PAGE_PARAMETERS,
    ...SAVED_FILTERS,
    ...timeParameters(model),
    ...branchParameters(registry, model),
  ].filter(({ name }) => !filterNames.has(String(name)))
  return [...filters, ...common].toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
}
