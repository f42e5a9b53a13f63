import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Headers } from './http-client.ts'
import type { ImportRecording } from './import-case.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { parseDocument } from './openapi-schema.ts'
import type { WebhookScenario } from './webhook-scenario.ts'

/** A list request with the rows or the refusal of its response. */
export interface FilterRecording {
  readonly path: string
  readonly kind: string
  readonly status: number
  readonly count?: number
  readonly ids?: readonly number[]
  readonly ties?: readonly (readonly [number, number])[]
  readonly ties_unknown?: boolean
  readonly dups?: boolean
  readonly error_keys?: readonly string[]
}

/** A request with its full response. */
export interface BodyRecording {
  readonly method: string
  readonly path: string
  readonly request_headers?: Headers
  readonly request_body?: Json
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  readonly body_text?: string
  readonly body_omitted?: true | string
  readonly volatile?: boolean
}

/** Expected response of a step. */
export interface Expectation {
  readonly status: number
  readonly body?: Json
  readonly text?: string
  readonly headers?: Headers
  readonly error_keys?: readonly string[]
  readonly detail?: boolean
}

export interface MultipartFile {
  readonly filename: string
  readonly content_type: string
  readonly base64: string
}

export interface Step {
  readonly method: string
  readonly path: string
  readonly headers?: Headers
  readonly json?: Json
  readonly raw?: string
  readonly multipart?: {
    readonly fields?: Readonly<Record<string, Json>>
    readonly files?: Readonly<Record<string, MultipartFile>>
  }
  /** Seconds. */
  readonly wait?: number
  readonly save?: Readonly<Record<string, string>>
  readonly setup?: boolean
  readonly cleanup?: boolean
  readonly expect: Expectation
}

export interface Scenario {
  readonly id: string
  readonly about?: string
  /** The file name without its extension: `crud-dcim`. */
  readonly file: string
  readonly steps: readonly Step[]
}

/** One object of a data set, as its collection returned it. */
export interface DatasetObject extends JsonObject {
  readonly id: number
}

/** A request of a scenario that sets off background work. */
export interface EventStep {
  readonly request: {
    readonly method: string
    readonly path: string
    readonly body?: Json
    /** Name of another user than the superuser; null: without credentials. */
    readonly user?: string | null
    /** A form with a file, instead of a body. */
    readonly multipart?: Readonly<Record<string, string>> | null
  }
  readonly response: { readonly status: number; readonly body: Json }
}

export interface EventScenario {
  readonly scenario: string
  readonly steps: readonly EventStep[]
}

/** The recorded list requests of a reference directory, in the order of the file. */
export function readFilters(directory: string): FilterRecording[] {
  // The structure is trusted; an invalid line fails its case, not the program.
  return lines(join(directory, 'oracle', 'filters.jsonl.gz')) as unknown as FilterRecording[]
}

/** A GraphQL query with its answer. */
export interface GraphqlRecording {
  readonly id: string
  readonly kind: string
  /** Name of a user of the data set; null: without credentials. */
  readonly user: string | null
  readonly query: string
  readonly variables: JsonObject | null
  readonly operationName?: string
  readonly status: number
  readonly body: Json
}

/** The recorded GraphQL queries of a reference directory, in the order of the file. */
export const readGraphql = (directory: string): GraphqlRecording[] =>
  // As for readFilters.
  lines(join(directory, 'oracle', 'graphql.jsonl.gz')) as unknown as GraphqlRecording[]

/**
 * A request to the GraphQL endpoint with its response; without these, something that was recorded inside the reference.
 */
export interface GraphqlHttpRecording {
  readonly id: string
  readonly request?: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  readonly response?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Absent if it was omitted. */
    readonly body?: Json
  }
}

/** The recorded requests to the GraphQL endpoint; none if the directory has no such file. */
export function readGraphqlHttp(directory: string): GraphqlHttpRecording[] {
  const file = join(directory, 'oracle', 'graphql-http.jsonl.gz')
  // As for readFilters.
  return existsSync(file) ? (lines(file) as unknown as GraphqlHttpRecording[]) : []
}

/** A search of the whole inventory with its first results. */
export interface SearchRecording {
  readonly q: string
  /** Name of a user of the data set. */
  readonly user: string
  readonly lookup: string
  /** Number of results, limited to 1,000 before the results that the user may not view are left out. */
  readonly count: number
  readonly results: readonly {
    readonly model: string
    readonly id: number
    readonly value: string
    readonly weight: number
  }[]
}

/** The recorded searches of a reference directory, in the order of the file. */
export const readSearches = (directory: string): SearchRecording[] =>
  // As for readFilters.
  lines(join(directory, 'oracle', 'search.jsonl.gz')) as unknown as SearchRecording[]

/** Keys of the tokens of a data set, by user name. */
export function readTokens(directory: string): ReadonlyMap<string, string> {
  const read = (name: string) => lines(join(directory, 'dataset', `${name}.jsonl.gz`))
  const users = new Map<Json, string>()
  for (const token of read('users/tokens')) {
    if (!isObject(token) || !isObject(token.user ?? null)) continue
    users.set(token.id ?? null, String((token.user as JsonObject).username))
  }
  return new Map(
    read('extra/secrets').flatMap((secret) => {
      if (!isObject(secret) || secret.endpoint !== 'users/tokens') return []
      const user = users.get(secret.id ?? null)
      const fields = isObject(secret.fields ?? null) ? (secret.fields as JsonObject) : {}
      const key = fields.token ?? fields.key ?? fields.plaintext
      return user === undefined || typeof key !== 'string' ? [] : [[user, key] as const]
    }),
  )
}

/** The recorded requests with full responses of a reference directory, in the order of the file. */
export function readBodies(directory: string): BodyRecording[] {
  // As for readFilters.
  return lines(join(directory, 'oracle', 'bodies.jsonl.gz')) as unknown as BodyRecording[]
}

/** The recorded scenarios of a reference directory, by file name and order in the file. */
export function readScenarios(directory: string): Scenario[] {
  const folder = join(directory, 'oracle', 'scenarios')
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().flatMap((name) => {
    // As for readFilters.
    const document = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      scenarios: Omit<Scenario, 'file'>[]
    }
    return document.scenarios.map((scenario) => ({ ...scenario, file: basename(name, '.json') }))
  })
}

/** The recorded webhooks of a reference directory, in the order of the file. */
export const readWebhookScenarios = (directory: string): WebhookScenario[] =>
  // As for readFilters.
  lines(join(directory, 'oracle', 'webhooks.jsonl.gz')) as unknown as WebhookScenario[]

/** The recorded imports, in the order of the file: later ones name objects that earlier ones create. */
export const readImports = (directory: string): ImportRecording[] =>
  lines(join(directory, 'oracle', 'csv-import.jsonl.gz')).filter(
    (line) => isObject(line) && line.kind === 'import',
  ) as unknown as ImportRecording[] // as for readFilters

/** The recorded scenarios of data sources, in the order of the file. */
export function readDataSources(directory: string): EventScenario[] {
  // As for readFilters.
  return lines(join(directory, 'oracle', 'datasources.jsonl.gz')) as unknown as EventScenario[]
}

/** The recorded scenarios of scripts, in the order of the file. */
export function readScripts(directory: string): EventScenario[] {
  // As for readFilters.
  return lines(join(directory, 'oracle', 'scripts.jsonl.gz')) as unknown as EventScenario[]
}

/** The OpenAPI document of the reference. */
export const readReferenceDocument = (directory: string): JsonObject =>
  parseDocument(gunzipSync(readFileSync(join(directory, 'openapi.json.gz'))).toString('utf8'))

/** The collections of the data set, `app/endpoint`, sorted. */
export function datasetResources(directory: string): string[] {
  const root = join(directory, 'dataset')
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'media' && entry.name !== 'extra')
    .flatMap((app) =>
      readdirSync(join(root, app.name))
        .filter((name) => name.endsWith('.jsonl.gz'))
        .map((name) => `${app.name}/${basename(name, '.jsonl.gz')}`),
    )
    .sort()
}

/** The objects of one collection of the data set, with `{base}` for the server's URL. */
export function readCollection(directory: string, resource: string): DatasetObject[] {
  return lines(join(directory, 'dataset', `${resource}.jsonl.gz`)).map((object) => {
    if (!isObject(object) || typeof object.id !== 'number') {
      throw new Error(`dataset/${resource}.jsonl.gz: an object has no id`)
    }
    return { ...object, id: object.id }
  })
}

/** Throws an Error that names the first required file that a reference directory lacks. */
export function checkDirectory(directory: string, needed: readonly string[]): void {
  for (const name of needed) {
    if (!existsSync(join(directory, name))) {
      throw new Error(`${directory} is not a reference directory: it has no ${name}`)
    }
  }
}

function lines(path: string): Json[] {
  const text = gunzipSync(readFileSync(path)).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line))
}
