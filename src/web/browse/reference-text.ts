import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { splitLookup } from '../forms/fields/lookup-labels.ts'
import type { FieldRow, OperationText, ResourceText } from './reference-page.ts'
import { constraintsText, resolve, type Schemas, typeText } from './schema-text.ts'

/** The parts of an OpenAPI document that the API reference reads. */
export interface ReferenceDocument {
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly schemas: Schemas
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const VERBS: Readonly<Record<string, string>> = {
  'get many': 'List, one page at a time',
  'post many': 'Create one object, or all of a list',
  'put many': 'Replace all objects of a list',
  'patch many': 'Change all objects of a list',
  'delete many': 'Delete all objects of a list',
  'get one': 'Read',
  'put one': 'Replace',
  'patch one': 'Change',
  'delete one': 'Delete',
}

/** The resource that a path belongs to: `dcim/racks` for everything below /api/dcim/racks/. */
export const resourceOf = (path: string): string =>
  path
    .replace(/^.*?\/api\//, '')
    .split('/')
    .filter(Boolean)
    .slice(0, 2)
    .join('/')

/** Description of a resource; undefined where the document has none of that name. */
export function resourceText(
  { paths, schemas }: ReferenceDocument,
  resource: string,
  title: string,
): ResourceText | undefined {
  const own = Object.keys(paths).filter((path) => resourceOf(path) === resource)
  const [collection = ''] = own
  if (own.length === 0) return undefined
  const isCrud = (path: string) => path === collection || path === `${collection}{id}/`
  const textsAt = (path: string) =>
    METHODS.flatMap((method) => {
      const operation = paths[path]?.[method]
      return isJsonObject(operation) ? [operationText(schemas, { path, method, operation })] : []
    })
  const operations = own.filter(isCrud).flatMap(textsAt)
  const at = (path: string, method: string) =>
    operations.find((operation) => operation.path === path && operation.method === method)
  const one = `${collection}{id}/`
  return {
    title,
    address: collection,
    operations: operations.map((operation) => ({
      ...operation,
      description:
        VERBS[`${operation.method.toLowerCase()} ${operation.path === one ? 'one' : 'many'}`] ?? '',
    })),
    filters: withLookups(at(collection, 'GET')?.parameters ?? []),
    body: at(collection, 'POST')?.body ?? at(one, 'PATCH')?.body ?? [],
    answer: (at(one, 'GET') ?? at(collection, 'GET'))?.answer ?? [],
    actions: own.filter((path) => !isCrud(path)).flatMap(textsAt),
  }
}

/** Each filter once, with its lookups as a note. */
function withLookups(parameters: readonly FieldRow[]): FieldRow[] {
  const groups = Map.groupBy(parameters, ({ name }) => splitLookup(name)[0])
  return [...groups].flatMap(([base, rows]) => {
    const plain = rows.find(({ name }) => name === base) ?? rows[0]
    if (!plain) return []
    const lookups = rows.flatMap(({ name }) => (name === base ? [] : [name.slice(base.length)]))
    const notes = [plain.notes, lookups.length > 0 && `Lookups ${lookups.join(', ')}`]
    return [{ ...plain, name: base, notes: notes.filter(Boolean).join('. ') }]
  })
}

function operationText(
  schemas: Schemas,
  {
    path,
    method,
    operation,
  }: { readonly path: string; readonly method: string; readonly operation: JsonObject },
): OperationText {
  const { description, parameters, requestBody, responses } = operation
  const success = isJsonObject(responses) ? (responses['200'] ?? responses['201']) : undefined
  return {
    method: method.toUpperCase(),
    path,
    description: typeof description === 'string' ? description : '',
    parameters: Array.isArray(parameters)
      ? parameters.flatMap((parameter) => parameterRow(schemas, parameter))
      : [],
    body: rowsOf(schemas, contentOf(requestBody)),
    // Every field is present in a response.
    answer: rowsOf(schemas, contentOf(success)).map((row) => ({ ...row, isRequired: false })),
  }
}

function parameterRow(schemas: Schemas, parameter: Json): FieldRow[] {
  if (!isJsonObject(parameter) || parameter.in !== 'query') return []
  const { name, schema, required, description } = parameter
  const notes = [constraintsText(schema), typeof description === 'string' ? description : '']
  return [
    {
      name: String(name),
      type: typeText(schemas, schema),
      isRequired: required === true,
      notes: notes.filter((note) => note !== '').join('. '),
    },
  ]
}

/** The schema of a body's JSON. */
function contentOf(holder: Json | undefined): Json | undefined {
  const content = isJsonObject(holder) ? holder.content : undefined
  const json = isJsonObject(content) ? content['application/json'] : undefined
  return isJsonObject(json) ? json.schema : undefined
}

/** Fields of an object schema; for a list or a page, the fields of its objects. */
function rowsOf(schemas: Schemas, schema: Json | undefined): FieldRow[] {
  if (isJsonObject(schema) && Array.isArray(schema.oneOf)) return rowsOf(schemas, schema.oneOf[0])
  const object = resolve(schemas, schema)
  if (object.type === 'array') return rowsOf(schemas, object.items)
  const { properties, required } = object
  if (!isJsonObject(properties)) return []
  if ('results' in properties && 'count' in properties) return rowsOf(schemas, properties.results)
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).map(([name, each]) => ({
    name,
    type: typeText(schemas, each),
    isRequired: needed.has(name),
    notes: constraintsText(each),
  }))
}
