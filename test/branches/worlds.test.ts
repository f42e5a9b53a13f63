import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { branchedModels } from '../../src/db/branches/branch-tables.ts'
import { branchService } from '../../src/read/branches/branch-service.ts'
import type { JsonObject } from '../../src/schema/json.ts'
import type { Model } from '../../src/schema/registry.ts'
import { rowDifferences, storedRows } from '../history/stored-rows.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { randomNumbers, renamed } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type FilterValues, filteredIds, filterValues } from './filtered-ids.ts'
import { inNewBranch } from './in-branch.ts'

const WRITES = runSize({ full: 300, usual: 100 })
const SEED = Number(process.env.SEED ?? 44)
/** Objects of each model whose details are compared. */
const DETAILS = 3
const environment = { PLUGINS: './examples/maintenance.ts' }

/** Branches themselves, and rows with salted passwords. */
const NOT_COMPARED = /^core\.branch|^users\.user$/

interface Write {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
}

/** The rows of the inventory, without the times of writes, which differ between two worlds. */
async function inventory(api: Api): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = await storedRows(api.service)
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, lines]) =>
      NOT_COMPARED.test(name) ? [] : [[name, lines.map(withoutChance)]],
    ),
  )
}

/** The text without times, and without file names, which are partly random. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"(time)"')
    // The display of a journal entry contains the minute at which it was created.
    .replaceAll(/"display":"\d{4}-\d\d-\d\d \d\d:\d\d/g, '"display":"(time)')
    .replaceAll(/(image-attachments\/)[^"]*/g, '$1(name)')
    .replaceAll(/_[a-z\d]{7}\.gif\b/g, '_(name).gif')

describe('a branch with writes of all models in any order', () => {
  /** Two worlds with the same objects; one gets the writes in a branch, the other on main. */
  let [branched, plain]: readonly [Api, Api] = [undefined, undefined] as never
  let models: readonly Model[]
  let branch: { readonly id: number; readonly headers: Readonly<Record<string, string>> }
  let before: Readonly<Record<string, readonly string[]>>
  const lists = new Map<string, string>()
  const details = new Map<string, string>()
  const filters = new Map<Model, { readonly values: FilterValues; readonly found: ReadonlyMap<string, string> }>()

  const listOf = async (api: Api, { path }: Pick<Model, 'path'>, headers = {}): Promise<string> => {
    const { status, text } = await api.ask('GET', `/api/${path}/?limit=0`, { headers })
    expect(status, `${path} ${text}`).toBe(200)
    return withoutChance(text.replaceAll(api.url, ''))
  }

  beforeAll(async () => {
    branched = await startApiWithOwnModels(environment)
    plain = await startApiWithOwnModels(environment)
    models = collections(branched.service.registry).filter(
      (model) => branchedModels(branched.service.registry).has(model.name) && model.has('changeLogging'),
    )
    const objects = new ExampleObjects(branched)
    await objects.createAll()
    await new ExampleObjects(plain).createAll()
    before = await inventory(branched)
    const { json } = await branched.ask('POST', '/api/core/branches/', { body: { name: 'Next week' } })
    branch = { id: Number(json.id), headers: { 'X-NetBox-Branch': String(json.schema_id) } }
    let done = 0
    for (const write of writesOf(models, objects, randomNumbers(SEED))) {
      const { status, text } = await branched.ask(write.method, write.path, {
        body: write.body,
        headers: branch.headers,
      })
      const other = await plain.ask(write.method, write.path, { body: write.body })
      const said = `${write.method} ${write.path} ${JSON.stringify(write.body)} ${text}`
      expect(status, `${said} but on main ${other.text}`).toBe(other.status)
      if (status < 300) done += 1
    }
    expect(done).toBeGreaterThan(WRITES / 3)
  })
  afterAll(async () => {
    await branched?.close()
    await plain?.close()
  })

  test('leaves main unchanged', async () => {
    expect(rowDifferences(before, await inventory(branched))).toEqual([])
  })

  test('shows every list as main does after the same writes', async () => {
    const different: string[] = []
    // The displays of images are random.
    for (const model of models.filter(({ name }) => name !== 'extras.imageattachment')) {
      const list = await listOf(branched, model, branch.headers)
      lists.set(model.path, list)
      for (const { id } of (JSON.parse(list) as { results: { id: number }[] }).results.slice(0, DETAILS)) {
        const path = `/api/${model.path}/${id}/`
        const { text } = await branched.ask('GET', path, { headers: branch.headers })
        details.set(path, withoutChance(text.replaceAll(branched.url, '')))
      }
      if (list !== (await listOf(plain, model))) different.push(model.path)
    }
    expect(different).toEqual([])
  })

  test('supports the filters of every list', async () => {
    const { service } = branched
    const own = branchService(service, {
      id: branch.id,
      name: 'Next week',
      schemaId: '',
      status: 'ready',
      lastSync: null,
    })
    const objects = new Map<string, readonly JsonObject[]>()
    for (const { name, path } of collections(service.registry)) {
      const { json } = await branched.ask('GET', `/api/${path}/?limit=0`, { headers: branch.headers })
      objects.set(name, (json as unknown as { readonly results: readonly JsonObject[] }).results)
    }
    for (const model of models) {
      const values = filterValues(service, model, objects)
      filters.set(model, { values, found: await filteredIds(own, model, values) })
    }
  })

  test('changes main, when merged, as the same writes do', async () => {
    // One of the example objects is a policy.
    const body = { override: 'Compared with the same writes' }
    const { status, text } = await branched.ask('POST', `/api/core/branches/${branch.id}/merge/`, { body })
    expect(status, text).toBe(200)
    expect(rowDifferences(await inventory(plain), await inventory(branched))).toEqual([])
    for (const [path, detail] of details) {
      expect(withoutChance((await branched.ask('GET', path)).text.replaceAll(branched.url, '')), path).toBe(detail)
    }
    for (const [path, list] of lists) expect(await listOf(branched, { path }), path).toBe(list)
  })

  test('finds with each filter what main finds after the merge', async () => {
    const different: string[] = []
    for (const [model, { values, found }] of filters) {
      expect(found.size, model.name).toBeGreaterThan(0)
      for (const [query, ids] of await filteredIds(branched.service, model, values)) {
        if (ids !== found.get(query)) different.push(`${model.path}/?${query}: ${found.get(query)}, but main ${ids}`)
      }
    }
    expect(different).toEqual([])
  })

  test('is undone by reverting its merge', async () => {
    const { status, text } = await branched.ask('POST', `/api/core/branches/${branch.id}/revert/`, { body: {} })
    expect(status, text).toBe(200)
    expect(rowDifferences(before, await inventory(branched))).toEqual([])
  })
})

describe('a branch that creates and deletes objects of all models', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApiWithOwnModels(environment)
  })
  afterAll(() => api.close())

  test('leaves nothing on main by its merge and its revert', async () => {
    const before = await inventory(api)
    const objects = new ExampleObjects(await inNewBranch(api))
    const { results } = (await api.ask('GET', '/api/core/branches/')).json
    const path = `/api/core/branches/${results?.[0]?.id}/`
    await objects.createAll()
    await objects.deleteAll()
    expect((await api.ask('GET', `${path}changes/`)).json.count).toBeGreaterThan(100)
    for (const action of ['merge', 'revert']) {
      const { status, text } = await api.ask('POST', `${path}${action}/`, { body: {} })
      expect(status, text).toBe(200)
      expect(rowDifferences(before, await inventory(api))).toEqual([])
    }
  })
})

function* writesOf(
  models: readonly Model[],
  objects: ExampleObjects,
  random: (limit: number) => number,
): Generator<Write> {
  // Each model gets its turn, so that few writes are enough for all of them.
  const turns: Model[] = []
  for (let count = 0; count < WRITES; count++) {
    if (turns.length === 0) turns.push(...models)
    const [model] = turns.splice(random(turns.length), 1)
    if (!model) continue
    const list = objects.of(model)
    const id = list[random(list.length)]?.id
    const body = objects.body(model, 1 + random(5), random(2) === 0)
    const kind = random(5)
    const path = `/api/${model.path}/`
    if (Object.values(body ?? {}).some((each) => each instanceof Blob)) continue
    if (kind === 0 && offers(model, 'DELETE')) yield { method: 'DELETE', path: `${path}${id}/` }
    else if (kind === 1 && offers(model, 'POST')) yield { method: 'POST', path, body: renamed(body, count) }
    else if (offers(model, 'PATCH'))
      yield { method: 'PATCH', path: `${path}${id}/`, body: kind === 2 ? body : renamed(body, count) }
  }
}
