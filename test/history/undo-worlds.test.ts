import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Model } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { randomNumbers, renamed } from '../support/random-writes.ts'
import { exportTexts } from './export-text.ts'
import { rowDifferences, storedRows } from './stored-rows.ts'

// A save without changes sets last_updated; without a record, nothing would show it.
const environment = {
  PLUGINS: './examples/maintenance.ts',
  CHANGELOG_SKIP_EMPTY_CHANGES: 'false',
}

/** Its deletion also deletes the values of other objects, which no change record contains. */
const LOSSY = 'extras.customfield'

describe('undo of every model', () => {
  let api: Api
  let objects: ExampleObjects
  let models: readonly Model[]
  beforeAll(async () => {
    api = await startApiWithOwnModels(environment)
    objects = new ExampleObjects(api)
    await objects.createAll()
    models = collections(api.service.registry).filter(
      (model) => model.has('changeLogging') && offers(model, 'DELETE') && model.name !== LOSSY,
    )
  })
  afterAll(() => api.close())

  /** Sends a write, and returns the request id of its changes; undefined if it was refused or changed nothing. */
  const write = async (method: string, path: string, body?: unknown): Promise<string | undefined> => {
    const count = await records()
    await api.ask(method, `/api/${path}`, { body })
    const [last] = await api.service.database.query<{ request: string; id: number }>(sql`
      select request_id as request, id from core_objectchange order by id desc limit 1`)
    return last && last.id > count ? last.request : undefined
  }
  const records = async (): Promise<number> => {
    const [row] = await api.service.database.query<{ last: number }>(sql`
      select coalesce(max(id), 0) as last from core_objectchange`)
    return row?.last ?? 0
  }
  const undo = async (request: string): Promise<string | undefined> => {
    const { status, text } = await api.ask('POST', `/api/core/requests/${request}/undo/`, {
      body: {},
    })
    return status === 200 ? undefined : `${status} ${text}`
  }

  test('a deletion of an object of each model is undone, with ids, times, dependents, tags and cables', async () => {
    const faults: string[] = []
    for (const model of models) {
      const before = await storedRows(api.service)
      const [object] = objects.of(model)
      const request = await write('DELETE', `${model.path}/${object?.id}/`)
      if (request === undefined) continue
      const refusal = await undo(request)
      const differences = refusal ? [refusal] : rowDifferences(before, await storedRows(api.service))
      faults.push(...differences.map((each) => `${model.name}: ${each}`))
    }
    expect(faults).toEqual([])
  })

  test('writes of all models in any order, undone in reverse, leave an export unchanged', async () => {
    const random = randomNumbers(19)
    const [rows, texts] = [await storedRows(api.service), await exportTexts(api.service)]
    const requests: string[] = []
    for (let count = 0; count < WRITES; count++) {
      const model = models[random(models.length)]
      if (!model) continue
      const list = objects.of(model)
      const object = list[random(list.length)]
      const body = objects.body(model, 1 + random(5), random(2) === 0)
      const isForm = Object.values(body ?? {}).some((each) => each instanceof Blob)
      const kind = random(4)
      const path = `${model.path}/`
      const request =
        kind === 0
          ? await write('DELETE', `${path}${object?.id}/`)
          : kind === 1 && !isForm
            ? await write('POST', path, renamed(body, count))
            : isForm
              ? undefined
              : await write('PATCH', `${path}${object?.id}/`, kind === 2 ? body : renamed(body, count))
      if (request !== undefined) requests.push(request)
    }
    expect(requests.length).toBeGreaterThan(WRITES / 4)
    for (const request of requests.toReversed()) expect(await undo(request)).toBeUndefined()
    expect(rowDifferences(rows, await storedRows(api.service))).toEqual([])
    expect(await exportTexts(api.service)).toEqual(texts)
  })
})

/** A type that is removed keeps the number of its objects' type, so that its return has the same. */
const KEPT = '+ core.objecttype'

/** A machine has the size of its first virtual disk; nothing is recorded if it had this size before. */
const WITHOUT_RECORD = '/api/virtualization/virtual-disks/'

describe('the undo of a creation', () => {
  test('removes objects of each model, with all that they have changed', async () => {
    const api = await startApiWithOwnModels(environment)
    onTestFinished(() => api.close())
    const faults: string[] = []
    let before = await storedRows(api.service)
    let count = 0
    /** Each creation is undone, and made again for the models that come afterwards. */
    const ask: Api['ask'] = async (method, path, options) => {
      const answer = await api.ask(method, path, options)
      if (method !== 'POST' || answer.status !== 201) return answer
      const request = answer.headers.get('x-request-id')
      const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
      // Some models have no change records.
      if (undone.status === 404) {
        before = await storedRows(api.service)
        return answer
      }
      const differences = undone.status === 200 ? rowDifferences(before, await storedRows(api.service)) : [undone.text]
      const unexpected = differences.filter((difference) => !difference.startsWith(KEPT))
      if (path !== WITHOUT_RECORD) faults.push(...unexpected.map((difference) => `${path}: ${difference}`))
      count += 1
      const again = await api.ask(method, path, options)
      before = await storedRows(api.service)
      return again
    }
    await new ExampleObjects({ ...api, ask }).createAll()
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(150)
  })
})

/** Writes of a random sequence; some are refused. */
const WRITES = 120
