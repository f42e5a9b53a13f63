import { PLAN_TOOLS } from '../../src/api/agents/plan-tools.ts'
import { READING_TOOLS } from '../../src/api/agents/reading-tools.ts'
import { describeApi } from '../../src/app/app.ts'
import { readSettings } from '../../src/config/settings.ts'
import { lookupsOf } from '../../src/read/query/lookups.ts'
import { isJsonObject, type JsonObject } from '../../src/schema/json.ts'
import { typeText } from './type-text.ts'

/**
 * The surface of the API as text, with one line for each route, field and filter, grouped by resource: everything that
 * clients can call, read, write and filter by. It is read from the OpenAPI document, which described-answers.test.ts
 * compares with real responses.
 */
export async function apiSurface(): Promise<string> {
  const texts = await describeApi(readSettings({}))
  const document: JsonObject = JSON.parse(String(texts.json().body))
  const schemas = objectAt(document, 'components', 'schemas')
  const byResource = Map.groupBy(Object.entries(objectAt(document, 'paths')), ([path]) => resourceOf(path))
  const common = commonParameters(objectAt(document, 'paths'))
  const resources = [...byResource]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, paths]) => resourceText(resource, paths, schemas, common))
  return `${[...resources, commonText(common), lookupsText(), nestedText(schemas), toolsText()].join('\n\n')}\n`
}

/** `/api/dcim/sites/{id}/` belongs to `dcim/sites`. */
const resourceOf = (path: string): string => path.split('/').slice(2, 4).join('/').replace(/\/$/, '')

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

function resourceText(
  resource: string,
  paths: readonly (readonly [string, unknown])[],
  schemas: JsonObject,
  common: Parameters,
): string {
  const routes = paths.map(([path, item]) => {
    const methods = METHODS.filter((method) => isJsonObject(item) && method in item)
    return `  route  ${path.padEnd(50)} ${methods.join(' ').toUpperCase()}`
  })
  const [list, detail] = [`/api/${resource}/`, `/api/${resource}/{id}/`].map((path) =>
    objectOf(paths.find(([each]) => each === path)?.[1]),
  )
  const lines = [
    ...routes.toSorted(),
    ...(detail ? fieldLines(detail, list, schemas) : []),
    ...(list ? filterLines(parametersOf(list), common) : []),
  ]
  return [resource, ...lines].join('\n')
}

/** Fields of responses and bodies, by name. */
function fieldLines(detail: JsonObject, list: JsonObject | undefined, schemas: JsonObject): readonly string[] {
  const shown = schemaOf(objectAt(detail, 'get', 'responses', '200'), schemas)
  const body = objectAt(detail, 'put', 'requestBody') ?? objectAt(list ?? {}, 'post', 'requestBody')
  const written = schemaOf(body, schemas)
  const required = new Set(arrayAt(written, 'required'))
  const [read, write] = [objectAt(shown, 'properties'), objectAt(written, 'properties')]
  const names = new Set([...Object.keys(read), ...Object.keys(write)])
  return [...names].toSorted().map((name) => {
    const [type, input] = [read[name], write[name]].map((each) => (each === undefined ? undefined : typeText(each)))
    const parts = [
      type ?? input,
      type === undefined && 'write-only',
      input === undefined && 'read-only',
      type !== undefined && input !== undefined && writtenAs(type, input),
      required.has(name) && 'required',
    ]
    return `  field  ${name.padEnd(32)} ${parts.filter(Boolean).join(', ')}`
  })
}

/** How a body represents a type of the response, if it does so in another way. */
function writtenAs(shown: string, input: string): string | undefined {
  if (input === shown || shown === `labelled ${input}`) return undefined
  if (/^integer( or null)? or \w+Request$/.test(input)) return 'written by id or attributes'
  if (/^\[?integer\]?( or null)?$/.test(input)) return 'written by id'
  if (/^\[\w+Request\]$/.test(input)) return 'written by attributes'
  return `written as ${input}`
}

/** Types of query parameters by name. */
type Parameters = ReadonlyMap<string, string>

/** Query parameters of the list, by name; without headers, which are not filters. */
const parametersOf = (list: JsonObject): Parameters =>
  new Map(
    arrayAt(objectAt(list, 'get'), 'parameters')
      .filter(isJsonObject)
      .filter((parameter) => parameter.in !== 'header')
      .map(({ name, schema }) => [String(name), schema ? typeText(schema) : 'any'] as const),
  )

/** Parameters that every list of objects has: those of pages and projections. */
function commonParameters(paths: JsonObject): Parameters {
  const lists = Object.values(paths)
    .map((item) => parametersOf(objectOf(item) ?? {}))
    .filter((parameters) => parameters.has('ordering'))
  return new Map([...(lists[0] ?? [])].filter(([name, type]) => lists.every((list) => list.get(name) === type)))
}

/** The lookups that filters have together, by their name: a new one changes a line here, not one of each filter. */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  (['text', 'number'] as const).flatMap((family) => {
    const lookups = lookupsOf(family).toSorted()
    return [
      [`${family} lookups`, lookups],
      [`${family} lookups without empty`, lookups.filter((name) => name !== 'empty')],
    ]
  }),
)

const lookupsText = (): string =>
  ['lookups', ...[...FAMILIES].map(([name, lookups]) => `  ${name.padEnd(32)} ${lookups.join(' ')}`)].join('\n')

/** The family of the lookups, or their names. */
const namesOf = (lookups: readonly string[]): string =>
  [...FAMILIES].find(([, family]) => family.join() === lookups.join())?.[0] ?? lookups.join(' ')

const commonText = (common: Parameters): string =>
  ['every list of objects', ...filterLines(common, new Map())].join('\n')

/** Query parameters of a list by name, without lookups and without those that all lists have. */
function filterLines(parameters: Parameters, common: Parameters): readonly string[] {
  const baseOf = (name: string): string => {
    const base = name.replace(/__[a-z]+$/, '')
    return parameters.has(base) ? base : name
  }
  const own = [...parameters.keys()].filter((name) => !common.has(name))
  return [...Map.groupBy(own, baseOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, names]) => {
      const lookups = names.filter((name) => name !== base).map((name) => name.slice(base.length + 2))
      const also = lookups.length > 0 ? `; ${namesOf(lookups.toSorted())}` : ''
      return `  filter ${base.padEnd(32)} ${parameters.get(base)}${also}`
    })
}

/** Fields of nested objects. */
function nestedText(schemas: JsonObject): string {
  const nested = Object.entries(schemas).filter(([name]) => /^(Brief|Nested)(?!.*Request$)/.test(name))
  const lines = nested.map(
    ([name, schema]) => `  ${name}: ${Object.keys(objectAt(objectOf(schema) ?? {}, 'properties')).join(' ')}`,
  )
  return ['nested objects', ...lines.toSorted()].join('\n')
}

/** The tools of agents with their arguments. */
const toolsText = (): string =>
  [
    'tools of agents',
    ...[...READING_TOOLS, ...PLAN_TOOLS].flatMap(({ name, isWriting, inputSchema }) => [
      `  tool   ${name}${isWriting ? ' (writing)' : ''}`,
      ...argumentLines(inputSchema, ''),
    ]),
  ].join('\n')

/** The arguments of a tool by name, and those within them. */
function argumentLines(schema: JsonObject, path: string): readonly string[] {
  const required = new Set(arrayAt(schema, 'required'))
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, argument]) => {
    const described = objectOf(argument) ?? {}
    const inner = objectAt(described, 'items')
    const isList = 'properties' in inner
    const type = isList ? '[object]' : typeText(described)
    const line = `    ${`${path}${name}`.padEnd(32)} ${type}${required.has(name) ? ', required' : ''}`
    return [line, ...argumentLines(isList ? inner : described, `${path}${name}.`)]
  })
}

/** The object schema of a response or a body in JSON; empty if there is none. */
function schemaOf(described: JsonObject | undefined, schemas: JsonObject): JsonObject {
  const { schema } = objectAt(described ?? {}, 'content', 'application/json')
  const one = isJsonObject(schema) && Array.isArray(schema.oneOf) ? schema.oneOf[0] : schema
  const reference = isJsonObject(one) ? String(one.$ref) : ''
  return objectOf(schemas[reference.split('/').at(-1) ?? '']) ?? objectOf(one) ?? {}
}

const objectOf = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined)

/** The object at the end of the names; an empty one if there is none. */
function objectAt(object: JsonObject, ...names: readonly string[]): JsonObject {
  let found: JsonObject = object
  for (const name of names) found = objectOf(found[name]) ?? {}
  return found
}

const arrayAt = (object: JsonObject, name: string): readonly unknown[] => {
  const value = object[name]
  return Array.isArray(value) ? value : []
}
