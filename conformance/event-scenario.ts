import { setTimeout as sleep } from 'node:timers/promises'
import { compare, literal } from './compare.ts'
import type { Difference } from './difference.ts'
import { errorKeys } from './error-keys.ts'
import { type Answer, type Client, jsonOf, textOf } from './http-client.ts'
import { isList, isObject, type Json } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import type { Outcome, Part } from './outcome.ts'
import type { EventScenario, EventStep } from './recordings.ts'
import { resourceOf } from './resources.ts'
import { stepId } from './scenario.ts'
import { compareStatus, unanswered } from './status.ts'

/** Where scenarios whose steps start background work are replayed. */
export interface EventRun {
  readonly part: Part
  readonly client: Client
  /** Authorization headers by the names of recorded users. */
  readonly authorization: ReadonlyMap<string, string>
  /** Recorded texts, such as URLs and directories, and the texts that replace them during this run. */
  readonly replaced: readonly (readonly [recorded: string, here: string])[]
  /** Called before every step. */
  prepareStep(scenario: string, step: number): Promise<void>
}

/**
 * Replays one scenario, and waits after each change until no job is left to run. Ids of objects are compared by the order
 * in which they first occur, and timestamps by whether there is one.
 */
export async function runEventScenario({ scenario, steps }: EventScenario, run: EventRun): Promise<Outcome[]> {
  const ids = new Ids()
  const outcomes: Outcome[] = []
  for (const [index, step] of steps.entries()) {
    await run.prepareStep(scenario, index)
    const { method, path } = step.request
    outcomes.push({
      part: run.part,
      id: `data source ${stepId(scenario, index)}`,
      scenario,
      resource: resourceOf(path),
      kind: scenario.split('/')[0] ?? scenario,
      context: `${run.part} ${method}`,
      differences: await runStep(step, run, ids),
    })
  }
  return outcomes
}

async function runStep(step: EventStep, run: EventRun, ids: Ids): Promise<Difference[]> {
  const { request, response } = step
  try {
    const body = request.body ?? null
    const answer = await run.client.send({
      method: request.method,
      path: ids.here(translate(request.path, run.replaced)),
      headers: {
        ...(body !== null && { 'Content-Type': 'application/json' }),
        ...(request.user !== undefined && {
          Authorization: request.user === null ? null : (run.authorization.get(request.user) ?? null),
        }),
      },
      body: body === null ? undefined : Buffer.from(JSON.stringify(ids.bodyHere(translated(body, run.replaced)))),
    })
    if (request.method !== 'GET' && answer.status < 300) {
      await jobsDone(run.client, 'core.datasource')
    }
    // Numbers of jobs and workers differ from run to run.
    const isQueueState = request.path.includes('/core/background-')
    return differencesIn(response, answer, run, ids, isQueueState)
  } catch (error) {
    return [unanswered(error)]
  }
}

function differencesIn(
  expected: EventStep['response'],
  answer: Answer,
  run: EventRun,
  ids: Ids,
  isQueueState: boolean,
): Difference[] {
  const status = compareStatus(expected.status, answer)
  if (status) return [status]
  if (expected.status >= 500 || expected.status === 204 || isQueueState) return []
  const actual = jsonOf(answer)
  if (expected.status >= 400) {
    const [recorded, here] = [errorKeys(expected.body), errorKeys(actual)]
    const isSame = recorded.join() === here.join()
    return isSame ? [] : [{ cause: `error keys {${here.join(', ')}} instead of {${recorded.join(', ')}}` }]
  }
  if (actual === undefined) {
    return textOf(answer) === expected.body ? [] : [{ cause: 'the text differs' }]
  }
  const back = run.replaced.map(([recorded, here]) => [here, recorded] as const)
  const base = [run.client.base, '{base}'] as const
  return differencesOf(
    compare(ids.masked(expected.body, 'recorded'), ids.masked(translated(actual, [base, ...back]), 'here'), literal),
  )
}

/** The interval between two checks, in milliseconds, and their number. */
const PAUSE = 100
const MOST_TRIES = 600

/** Resolves when no job of objects of the type is waiting or running. */
export async function jobsDone(client: Client, objectType: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await client.send({
      method: 'GET',
      path: `/api/core/jobs/?status=pending&status=running&object_type=${objectType}&limit=1`,
    })
    const body = jsonOf(answer)
    if (isObject(body) && body.count === 0) return
    await sleep(PAUSE)
  }
}

const translate = (text: string, pairs: EventRun['replaced']): string =>
  pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text)

function translated(value: Json, pairs: EventRun['replaced']): Json {
  if (typeof value === 'string') return translate(value, pairs)
  if (isList(value)) return value.map((item) => translated(item, pairs))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translated(item, pairs)]))
}

type Side = 'recorded' | 'here'

const OBJECT_URL = /\/(?:api\/)?([a-z-]+\/[a-z-]+)\/(\d+)\//
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/
/** Keys and parameters with the id of an object of that resource. */
const REFERENCES: Readonly<Record<string, string>> = {
  data_source: 'core/data-sources',
  data_file: 'core/data-files',
  source_id: 'core/data-sources',
  object_id: 'core/data-sources',
}

/** Ids of the recording and of this run, matched by the order in which they first occur. */
class Ids {
  readonly #sides = { recorded: new Map<string, string[]>(), here: new Map<string, string[]>() }

  /** A path of the recording with the ids of this run. */
  here(path: string): string {
    return path
      .replace(OBJECT_URL, (url, resource: string, id: string) =>
        url.replace(`/${id}/`, `/${this.#matching(resource, id)}/`),
      )
      .replace(/([?&](\w+)=)(\d+)/g, (whole, start: string, name: string, id: string) => {
        const resource = REFERENCES[name]
        return resource === undefined ? whole : start + this.#matching(resource, id)
      })
  }

  /** A body of the recording with the ids of this run. */
  bodyHere(body: Json): Json {
    if (!isObject(body)) return body
    return Object.fromEntries(
      Object.entries(body).map(([key, value]) => {
        const resource = REFERENCES[key]
        const isId = resource !== undefined && typeof value === 'number'
        return [key, isId ? Number(this.#matching(resource, String(value))) : value]
      }),
    )
  }

  /** A document with ids replaced by their positions, and timestamps and UUIDs by marks. */
  masked(value: Json, side: Side): Json {
    if (typeof value === 'string') return this.#maskedText(value, side)
    if (isList(value)) return value.map((item) => this.masked(item, side))
    if (!isObject(value)) return value
    const url = OBJECT_URL.exec(typeof value.url === 'string' ? value.url : '')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const resource = key === 'id' ? url?.[1] : REFERENCES[key]
        const isId = resource !== undefined && typeof item === 'number'
        return [key, isId ? this.#mask(resource, String(item), side) : this.masked(item, side)]
      }),
    )
  }

  #maskedText(text: string, side: Side): string {
    if (TIMESTAMP.test(text)) return '(time)'
    if (UUID.test(text)) return '(uuid)'
    return text
      .replace(OBJECT_URL, (url, resource: string, id: string) =>
        url.replace(`/${id}/`, `/${this.#mask(resource, id, side)}/`),
      )
      .replace(/((?:object_id|source_id)=)(\d+)/g, (_, start: string, id: string) => {
        return start + this.#mask('core/data-sources', id, side)
      })
      .replace(
        /^Found DataSource ID (\d+)$/,
        (_, id: string) => `Found DataSource ID ${this.#mask('core/data-sources', id, side)}`,
      )
  }

  #mask(resource: string, id: string, side: Side): string {
    const known = this.#sides[side].get(resource) ?? []
    this.#sides[side].set(resource, known)
    if (!known.includes(id)) known.push(id)
    return `#${known.indexOf(id) + 1}`
  }

  #matching(resource: string, id: string): string {
    const position = this.#sides.recorded.get(resource)?.indexOf(id) ?? -1
    return this.#sides.here.get(resource)?.[position] ?? id
  }
}
