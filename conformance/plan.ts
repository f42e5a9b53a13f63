import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bodyId, runBody } from './body-case.ts'
import { checkCollection } from './dataset-check.ts'
import type { Difference } from './difference.ts'
import { runEventScenario } from './event-scenario.ts'
import { filterContext, runFilter } from './filter-case.ts'
import { runGraphql } from './graphql-case.ts'
import { isReplayable, runGraphqlHttp } from './graphql-http-case.ts'
import type { Host } from './hosting.ts'
import { type Client, createClient, jsonOf } from './http-client.ts'
import { createNamed, importId, runImport } from './import-case.ts'
import { isObject, type Json } from './json.ts'
import { comparePromises, promisesOf } from './openapi-promises.ts'
import { parseDocument } from './openapi-schema.ts'
import type { Options } from './options.ts'
import type { Outcome, Part } from './outcome.ts'
import { inParallel } from './parallel.ts'
import {
  checkDirectory,
  datasetResources,
  readBodies,
  readDataSources,
  readFilters,
  readGraphql,
  readGraphqlHttp,
  readImports,
  readReferenceDocument,
  readScenarios,
  readScripts,
  readSearches,
  readTokens,
  readWebhookScenarios,
} from './recordings.ts'
import { resourceOf } from './resources.ts'
import { runScenario, whoAmI } from './scenario.ts'
import { runScriptScenario } from './script-scenario.ts'
import { runSearch, searchId } from './search-case.ts'
import { wantsRead, wantsScenario } from './selection.ts'
import type { Variables } from './variables.ts'
import { startReceiver } from './webhook-receiver.ts'
import { runWebhookScenario } from './webhook-scenario.ts'

/** Receives the progress of a plan: finished cases, all cases. */
export type Progress = (done: number, all: number) => void

/** One part of a run: the selected recordings, and how to replay them against a server. */
export interface Plan {
  readonly part: Part
  /** Number of selected cases: requests, steps, collections of the data set. */
  readonly cases: number
  /** Number of cases of this part that the options exclude. */
  readonly leftOut: number
  /** Runs all cases against the server. Never throws for errors of the server. */
  run(host: Host, progress: Progress): Promise<Outcome[]>
}

/** The plan of each part. Throws an Error if the directory lacks files that the part needs. */
export const PLANS: Readonly<Record<Part, (directory: string, options: Options) => Plan>> = {
  filters: planFilters,
  bodies: planBodies,
  scenarios: planScenarios,
  webhooks: planWebhooks,
  dataset: planDataset,
  openapi: planOpenApi,
  'data-sources': planDataSources,
  scripts: planScripts,
  imports: planImports,
  graphql: planGraphql,
  search: planSearch,
}

/** Requests that were recorded one by one and do not depend on each other: each is a case. */
interface SingleRequests<Recording> {
  readonly part: Part
  readonly all: readonly Recording[]
  readonly isWanted: (recording: Recording) => boolean
  readonly accept?: string
  readonly run: (recording: Recording, client: Client) => Promise<Omit<Outcome, 'part'>>
}

function planRequests<Recording>(
  options: Options,
  { part, all, isWanted, accept, run }: SingleRequests<Recording>,
): Plan {
  const { connections } = options
  const chosen = all.filter(isWanted)
  return {
    part,
    cases: chosen.length,
    leftOut: all.length - chosen.length,
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections, ...(accept && { accept }) })
      return withClient(client, () =>
        inParallel(chosen, connections, progress, async (recording) => ({
          part,
          ...(await run(recording, client)),
        })),
      )
    },
  }
}

function planFilters(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/filters.jsonl.gz'])
  return planRequests(options, {
    part: 'filters',
    all: readFilters(directory),
    isWanted: ({ path }) => wantsRead(path, resourceOf(path), options),
    run: async (recording, client) => ({
      id: recording.path,
      resource: resourceOf(recording.path),
      kind: recording.kind,
      context: filterContext(recording),
      differences: await runFilter(recording, client),
    }),
  })
}

function planBodies(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/bodies.jsonl.gz'])
  return planRequests(options, {
    part: 'bodies',
    all: readBodies(directory),
    isWanted: ({ path }) => wantsRead(path, resourceOf(path), options),
    accept: '*/*',
    run: async (recording, client) => ({
      id: bodyId(recording),
      resource: resourceOf(recording.path),
      kind: recording.method,
      context: `body ${recording.method}`,
      ...(await runBody(recording, client)),
    }),
  })
}

function planGraphql(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/graphql.jsonl.gz'])
  const tokens = readTokens(directory)
  const queries = readGraphql(directory).map(
    (recording): SingleCase => ({
      ...{ name: recording.id, kind: recording.kind },
      run: (client) => runGraphql(recording, client, tokens),
    }),
  )
  const requests = readGraphqlHttp(directory).map(
    (recording): SingleCase => ({
      ...{ name: `http/${recording.id}`, kind: 'http' },
      ...(isReplayable(recording) && { run: (client) => runGraphqlHttp(recording, client) }),
    }),
  )
  return planRequests(options, {
    part: 'graphql',
    all: [...queries, ...requests],
    isWanted: ({ name, run }) => run !== undefined && name.includes(options.match ?? ''),
    run: async ({ name, kind, run }, client) => ({
      id: `graphql ${name}`,
      resource: 'graphql',
      kind,
      context: `graphql ${kind}`,
      differences: (await run?.(client)) ?? [],
    }),
  })
}

/** A recorded query or request; without `run` it cannot be replayed. */
interface SingleCase {
  readonly name: string
  readonly kind: string
  readonly run?: (client: Client) => Promise<Difference[]>
}

function planSearch(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/search.jsonl.gz'])
  const tokens = readTokens(directory)
  return planRequests(options, {
    part: 'search',
    all: readSearches(directory),
    isWanted: (recording) => searchId(recording).includes(options.match ?? ''),
    run: async (recording, client) => ({
      id: searchId(recording),
      resource: 'search',
      kind: recording.lookup,
      context: `search ${recording.lookup}`,
      differences: await runSearch(recording, client, tokens),
    }),
  })
}

function planScenarios(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/scenarios'])
  const all = readScenarios(directory)
  const chosen = all.filter((scenario) => wantsScenario(scenario, options))
  return {
    part: 'scenarios',
    cases: stepsOf(chosen),
    leftOut: stepsOf(all) - stepsOf(chosen),
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections: 1 })
      const salt = options.salt ?? randomBytes(4).toString('hex')
      return withClient(client, async () => {
        const caller = await callerOrNobody(client)
        // Sequentially: some scenarios define required custom fields, which would affect others.
        const outcomes = await inParallel(chosen, 1, progress, (scenario) =>
          runScenario(scenario, { client, salt, caller }),
        )
        return outcomes.flat()
      })
    },
  }
}

function planWebhooks(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/webhooks.jsonl.gz'])
  const all = readWebhookScenarios(directory)
  const chosen = all.filter(({ scenario }) => scenario.includes(options.match ?? ''))
  return {
    part: 'webhooks',
    cases: stepsOf(chosen),
    leftOut: stepsOf(all) - stepsOf(chosen),
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections: 1 })
      const receiver = await startReceiver()
      try {
        return await withClient(client, async () => {
          const outcomes = await inParallel(chosen, 1, progress, (scenario) =>
            runWebhookScenario(scenario, { client, receiver }),
          )
          return outcomes.flat()
        })
      } finally {
        receiver.close()
      }
    },
  }
}

/**
 * Variables of the calling user, or none if the request fails: the steps that need them then fail, and the others still
 * run.
 */
async function callerOrNobody(client: Client): Promise<Variables> {
  try {
    return await whoAmI(client)
  } catch {
    return new Map()
  }
}

function planDataset(directory: string, options: Options): Plan {
  checkDirectory(directory, ['dataset'])
  const all = datasetResources(directory)
  const chosen = all.filter((resource) => wantsRead(resource, resource, options))
  return {
    part: 'dataset',
    cases: chosen.length,
    leftOut: all.length - chosen.length,
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections: options.connections })
      return withClient(client, async () => {
        const outcomes = await inParallel(chosen, options.connections, progress, (resource) =>
          checkCollection(directory, resource, client, options.withoutFields),
        )
        return outcomes.flat()
      })
    },
  }
}

function planDataSources(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/datasources.jsonl.gz'])
  const all = readDataSources(directory)
  const chosen = all.filter(({ scenario }) => wantsRead(scenario, 'core/data-sources', options))
  return {
    part: 'data-sources',
    cases: stepsOf(chosen),
    leftOut: stepsOf(all) - stepsOf(chosen),
    run: async ({ url, sources }, progress) => {
      if (sources === undefined) throw new Error('The server has no data sources')
      const client = clientOf(url, options, { connections: 1 })
      return withClient(client, async () => {
        const authorization = new Map([['alice', await restrictedToken(client)]])
        const outcomes = await inParallel(chosen, 1, progress, (scenario) =>
          runEventScenario(scenario, {
            ...{ part: 'data-sources', client, authorization, replaced: sources.replaced },
            prepareStep: (...step) => sources.files.prepareStep(...step),
          }),
        )
        return outcomes.flat()
      })
    },
  }
}

function planScripts(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/scripts.jsonl.gz'])
  const all = readScripts(directory)
  return {
    part: 'scripts',
    cases: stepsOf(all),
    leftOut: 0,
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections: 1 })
      const tokens = new Map([['admin', options.token], ...readTokens(directory)])
      return withClient(client, async () => {
        const outcomes = await inParallel(all, 1, progress, (scenario) =>
          runScriptScenario(scenario, { client, tokens }),
        )
        return outcomes.flat()
      })
    },
  }
}

function planImports(directory: string, options: Options): Plan {
  checkDirectory(directory, ['oracle/csv-import.jsonl.gz'])
  const all = readImports(directory)
  const chosen = all.filter((recording) => wantsRead(importId(recording), recording.model, options))
  return {
    part: 'imports',
    cases: chosen.length,
    leftOut: all.length - chosen.length,
    run: async ({ url }, progress) => {
      const client = clientOf(url, options, { connections: 1 })
      return withClient(client, () =>
        // Sequentially: texts name objects that earlier ones create.
        inParallel(chosen, 1, progress, async (recording) => {
          await createNamed(recording, client)
          return {
            part: 'imports',
            id: importId(recording),
            resource: recording.model,
            kind: 'import',
            context: `import ${recording.model}`,
            differences: await runImport(recording, client),
          }
        }),
      )
    },
  }
}

/** Authorization of a new user without permissions. */
async function restrictedToken(client: Client): Promise<string> {
  const post = async (path: string, body: Json): Promise<Json | undefined> =>
    jsonOf(
      await client.send({
        method: 'POST',
        path,
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      }),
    )
  const user = await post('/api/users/users/', { username: 'alice', password: 'A-long-password-1' })
  const id = isObject(user) ? (user.id ?? null) : null
  const token = await post('/api/users/tokens/', { user: id })
  return `Token ${isObject(token) ? String(token.key) : ''}`
}

function planOpenApi(directory: string, options: Options): Plan {
  checkDirectory(directory, ['openapi.json.gz'])
  const all = promisesOf(readReferenceDocument(directory))
  const chosen = all.filter(({ id, path }) => wantsRead(id, resourceOf(path), options))
  return {
    part: 'openapi',
    cases: chosen.length,
    leftOut: all.length - chosen.length,
    run: async ({ url }) => {
      const kept = promisesOf(parseDocument(readFileSync(fileURLToPath(url), 'utf8')))
      return comparePromises(chosen, kept)
    },
  }
}

/** The superuser's client. */
const clientOf = (
  base: string,
  { token }: Options,
  { connections, accept = 'application/json' }: { connections: number; accept?: string },
): Client =>
  createClient({
    base,
    connections,
    headers: { Authorization: `Token ${token}`, Accept: accept },
  })

const stepsOf = (scenarios: readonly { readonly steps: readonly unknown[] }[]): number =>
  scenarios.reduce((sum, { steps }) => sum + steps.length, 0)

async function withClient<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    client.close()
  }
}
