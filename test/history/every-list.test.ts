import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../src/db/database.ts'
import { hasHistory } from '../../src/db/versions/versioned-tables.ts'
import { pastService } from '../../src/read/as-of/past-service.ts'
import { readPastTimestamp } from '../../src/read/as-of/past-timestamp.ts'
import type { Model } from '../../src/schema/registry.ts'
import { words } from '../../src/schema/view.ts'
import type { Service } from '../../src/service.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import type { Api, Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { runSize } from '../support/run-size.ts'
import { exportTexts } from './export-text.ts'

const TIMESTAMPS = runSize({ full: 20, usual: 8 })
const WRITES = 25
/** At every n-th point in time, the whole data set is exported too. */
const EXPORTED = 4
const SEED = 20_261_122

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Models whose objects decide which fields others have: a list of the past has the fields of today. */
const DECLARING: ReadonlySet<string> = new Set(
  words(`
  extras.computedfield extras.customfieldchoiceset custom_objects.customobjecttype
  custom_objects.customobjecttypefield
`),
)

describe('lists as of a point in time, with random objects of all models', () => {
  const environment = { PLUGINS: './examples/maintenance.ts' }
  const random = randomNumbers(SEED)
  const below = (limit: number): number => Math.floor(random() * limit)
  const oneOf = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)]
    if (item === undefined) throw new Error('The list is empty')
    return item
  }
  let api: Api
  let objects: ExampleObjects
  let models: readonly Model[]
  interface Taken {
    readonly time: string
    readonly lists: ReadonlyMap<string, string>
    readonly files: Readonly<Record<string, string>> | undefined
  }
  const taken: Taken[] = []

  const listOf = async ({ path }: Model, query = ''): Promise<string> => {
    const { status, text } = await api.ask('GET', `/api/${path}/?limit=0${query}`)
    expect(status, `${path} ${text}`).toBe(200)
    return text
  }

  const idsOf = async (model: Model): Promise<readonly number[]> => {
    const { results } = JSON.parse(await listOf(model)) as Document
    return (results ?? []).map(({ id }) => Number(id))
  }

  /** A write that the API may refuse: the world does not have to accept every write, but it has to change. */
  async function write(): Promise<boolean> {
    const model = oneOf(models.filter(({ name }) => !DECLARING.has(name)))
    const path = `/api/${model.path}/`
    const ids = await idsOf(model)
    const example = { ...objects.body(model, 1 + below(5), random() < 0.5) }
    const isForm = Object.values(example).some((value) => value instanceof Blob)
    const kind = below(10)
    if ((kind < 2 || ids.length === 0) && offers(model, 'POST') && !isForm) {
      return await isDone('POST', path, example)
    }
    if (ids.length === 0) return false
    if (kind < 4 && offers(model, 'DELETE')) return await isDone('DELETE', `${path}${oneOf(ids)}/`)
    if (!offers(model, 'PATCH')) return false
    const names = Object.keys(example).filter(() => random() < 0.4)
    const body = Object.fromEntries(
      names.filter((name) => !(example[name] instanceof Blob)).map((name) => [name, example[name]]),
    )
    const text = model.fields.has('description') ? { description: `text ${below(1000)}` } : {}
    const tags = model.fields.get('tags')?.kind === 'tags' ? { tags: await someTags() } : {}
    return await isDone('PATCH', `${path}${oneOf(ids)}/`, { ...body, ...text, ...tags })
  }

  async function someTags(): Promise<readonly number[]> {
    const ids = await idsOf(api.service.registry.model('extras.tag'))
    return ids.filter(() => random() < 0.4)
  }

  async function isDone(method: string, path: string, body?: object): Promise<boolean> {
    const { status, text } = await api.ask(method, path, body && { body })
    expect(status, `${method} ${path} ${text}`).toBeLessThan(500)
    return status < 300
  }

  beforeAll(async () => {
    api = await startApiWithOwnModels(environment)
    models = collections(api.service.registry).filter(hasHistory)
    objects = new ExampleObjects(api)
    await objects.createAll()
    for (let timestamp = 0; timestamp < TIMESTAMPS; timestamp++) {
      let done = 0
      for (let attempt = 0; done < WRITES && attempt < 5 * WRITES; attempt++) {
        if (await write()) done += 1
      }
      const [[time] = []] = await api.service.database.queryArrays(volatile`select clock_timestamp()`)
      const lists = new Map<string, string>()
      for (const model of models) lists.set(model.path, await listOf(model))
      const files = timestamp % EXPORTED === 0 ? await exportTexts(api.service) : undefined
      taken.push({ time: String(time), lists, files })
    }
  })
  afterAll(() => api.close())

  it.each(Array.from({ length: TIMESTAMPS }, (_, index) => index))(
    'each list equals the one read at that time (point %i)',
    async (index) => {
      const { time, lists } = takenAt(index)
      const different: string[] = []
      for (const model of models) {
        const past = await listOf(model, `&as_of=${time}`)
        if (past !== lists.get(model.path)) different.push(model.path)
      }
      expect(different).toEqual([])
    },
  )

  it.each(Array.from({ length: TIMESTAMPS / EXPORTED }, (_, index) => index * EXPORTED))(
    'an export equals the one written at that time (point %i)',
    async (index) => {
      const { time, files } = takenAt(index)
      const past = pastService(api.service, await readPastTimestamp(api.service, time))
      const pastFiles = await exportTexts(readingOutsideTransactions(past))
      const different = models.map(({ path }) => `${path}.jsonl.gz`).filter((file) => pastFiles[file] !== files?.[file])
      expect(Object.keys(pastFiles)).toEqual(Object.keys(files ?? {}))
      expect(different).toEqual([])
    },
  )

  const takenAt = (index: number): Taken => {
    const found = taken[index]
    if (!found) throw new Error(`Nothing was read at timestamp ${index}`)
    return found
  }
})

/** A service of the past whose database lets an export read as if within a transaction: the past does not change. */
function readingOutsideTransactions(past: Service): Service {
  const { database } = past
  const uncommitted = { statements: new Map<string, unknown>() }
  const reading = { ...database, uncommitted, execute: async () => undefined }
  // An export sends nothing but queries, after a statement that begins its transaction.
  const transaction: Database['transaction'] = async (work) => await work(reading as unknown as Transaction)
  return { ...past, database: { ...database, transaction } }
}
