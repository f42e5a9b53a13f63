import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { rowDifferences } from '../history/stored-rows.ts'
import { type Api, type Document, startApiOver } from '../support/api.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type Keep, type Key, merged, type State } from './merge-model.ts'
import { kinds, placeOf } from './places.ts'
import { beginWorld, holdOf, keyOfObject, kindOf, NAMES, rotate, Side, writeAtRandom } from './random-worlds.ts'
import { mainRows } from './scenarios.ts'

const WORLDS = Number(process.env.WORLDS ?? runSize({ full: 3000, usual: 120 }))
const SEED = Number(process.env.SEED ?? 53)
/** Numbers of the worlds to run, to repeat a failure: `WORLD=75,85`. */
const only = process.env.WORLD?.split(',').map(Number)
/** Worlds over one database: a new one is fast to read. */
const TOGETHER = 30
/** Reasons of conflicts whose result is not specified: which object has a unique value in the end, or the parent. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['taken', 'circular', 'refused'])
/** Rounds in which conflicts are decided: a decision may lead to further ones. */
const MOST_ROUNDS = 8

/** Services over one database, as in two processes; the first one if there is one only. */
async function services(count: number): Promise<readonly [Api, Api]> {
  const url = await databaseUrlOfTest('migrated')
  const open = async () => {
    const api = await startApiOver(openPostgres({ url, poolSize: 5, statementTimeout: 0 }))
    onTestFinished(() => api.close())
    return api
  }
  const first = await open()
  return [first, count === 1 ? first : await open()]
}

describe('random worlds in which main and a branch change', () => {
  const numbers = only ?? Array.from({ length: WORLDS }, (_, number) => number)
  const batches = [...Map.groupBy(numbers, (number) => Math.floor(number / TOGETHER))]

  it.each(batches)('are merged as specified, and reverted byte for byte: batch %i', async (batch, worlds) => {
    const apis = await services(1 + (batch % 2))
    const place = placeOf(apis[0])
    const common = await kinds(place, 'common')
    for (const name of ['cf_a', 'cf_b'])
      await place.make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'] })
    let specified = 0
    const faults: string[] = []
    for (const number of worlds) {
      try {
        const random = randomNumbers(SEED * 1e6 + number)
        if (await runWorld(apis, `w${number}`, random, common)) specified += 1
      } catch (error) {
        // One fault must not hide others.
        faults.push(String(error))
      }
    }
    expect(faults).toEqual([])
    expect(specified).toBeGreaterThan(worlds.length / 2)
  })
})

interface World {
  readonly base: State
  readonly main: State
  readonly branch: State
  /** What each request on main has deleted. */
  readonly deletions: readonly (readonly Key[])[]
  /** For messages: how the sides have changed. */
  readonly said: string
}

/** Returns whether the result was specified: it is not if unique values or trees were in conflict. */
async function runWorld(
  [one, two]: readonly [Api, Api],
  mark: string,
  random: (limit: number) => number,
  common: { readonly device_type: number; readonly role: number },
): Promise<boolean> {
  const main = new Side(one)
  await beginWorld(main, mark, common)
  const { json } = await one.ask('POST', '/api/core/branches/', { body: { name: mark } })
  const own = new Side(two, { 'X-NetBox-Branch': String(json.schema_id) })
  const act = (action: string, body: object = {}) =>
    two.ask('POST', `/api/core/branches/${json.id}/${action}/`, { body })
  const world = await writeToBothSides(main, own, mark, random)
  const { said } = world

  const before = await mainRows(one)
  const keeps = new Map<string, Keep>()
  let isSpecified = true
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const open = [...((await two.ask('GET', `/api/core/branches/${json.id}/conflicts/`)).json.results ?? [])]
    if (open.length === 0) break
    expect((await act('merge')).status, said).toBe(409)
    const decisions = open.map((conflict) => {
      const { object_type, object_id, field, reason } = conflict
      // Nobody can overrule a rule.
      const keep = String(reason) !== 'refused' && random(2) === 0 ? ('mine' as const) : ('theirs' as const)
      if (!keyOfObject(object_type, object_id) || UNSPECIFIED.has(String(reason))) isSpecified = false
      keeps.set(conflictName(conflict, [world.main, world.branch]), keep)
      return { object_type, object_id, field, keep }
    })
    const decided = await act('conflicts', decisions)
    expect(decided.status, `${said} ${decided.text}`).toBe(200)
  }
  expect(rowDifferences(before, await mainRows(one)), said).toEqual([])
  const answer = await act('merge')
  expect(answer.status, `${said} ${answer.text} ${JSON.stringify([...keeps])}`).toBe(200)
  if (isSpecified) {
    const wrong = mergeFaults(world, keeps, await new Side(two).read(mark))
    expect(wrong.join('\n'), `${said} ${JSON.stringify([...keeps])}`).toBe('')
  }
  const reverted = await act('revert')
  expect(reverted.status, `${said} ${reverted.text}`).toBe(200)
  const left = rowDifferences(before, await mainRows(two))
  expect(left, `${said} ${left.join('\n')}`).toEqual([])
  await act('archive')
  return isSpecified
}

/** Writes to the branch, some of which are undone, then to main: what the branch has not touched follows main. */
async function writeToBothSides(
  main: Side,
  own: Side,
  mark: string,
  random: (limit: number) => number,
): Promise<World> {
  const focus = NAMES[random(NAMES.length)] ?? 'site'
  const base = await main.read(mark)
  let branch = base
  const requests: string[] = []
  for (let count = 2 + random(5); count > 0; count--) {
    const { headers } = await writeAtRandom(own, { state: branch, mark, focus, name: 'b', random })
    requests.push(String(headers.get('x-request-id')))
    if (random(4) === 0) await own.ask('POST', `core/requests/${requests[random(requests.length)]}/undo/`, {})
    branch = await own.read(mark)
  }
  if (random(3) === 0) {
    await rotate(own, branch, (['site', 'vlan', 'tag'] as const)[random(3)] ?? 'site', mark)
    branch = await own.read(mark)
  }
  let present = await main.read(mark)
  const deletions: (readonly Key[])[] = []
  for (let count = 1 + random(5); count > 0; count--) {
    const { status, headers } = await writeAtRandom(main, { state: present, mark, focus, name: 'm', random })
    if (status === 204) deletions.push(await deletedBy(main, String(headers.get('x-request-id'))))
    present = await main.read(mark)
  }
  const lines = [
    ...differencesOf(base, branch).map((line) => `branch ${line}`),
    ...differencesOf(base, present).map((line) => `main ${line}`),
  ]
  const said = `SEED=${SEED}, world ${mark}\n  ${lines.join('\n  ')}\n`
  return { base, main: present, branch, deletions, said }
}

/** How the merged state differs from the specification, and which of its conflicts were not listed. */
function mergeFaults(
  { base, main, branch, deletions }: World,
  keeps: ReadonlyMap<string, Keep>,
  result: State,
): readonly string[] {
  const unlisted: string[] = []
  const { state, restored } = merged({
    ...{ base, main, branch, holdOf },
    decide: (key, field) => {
      // A cable whose end the branch has moved is in conflict about this end.
      const fields = kindOf(key) === 'cable' && field === null ? [null, 'a_terminations', 'b_terminations'] : [field]
      const keep = fields.map((name) => keeps.get(`${key} ${name}`)).find((value) => value !== undefined)
      if (keep === undefined) unlisted.push(`${key} ${field} is not listed`)
      return keep ?? 'mine'
    },
    areDeletedTogether: (one, other) => deletions.some((keys) => keys.includes(one) && keys.includes(other)),
  })
  return [...differencesOf(state, result, restored), ...unlisted]
}

/** The objects that a request on main has deleted. */
async function deletedBy(main: Side, request: string): Promise<readonly Key[]> {
  const { results } = (await main.ask('GET', `core/object-changes/?request_id=${request}&action=delete&limit=0`)).json
  return [...(results ?? [])].flatMap(
    (change) => keyOfObject(change.changed_object_type, change.changed_object_id) ?? [],
  )
}

/** The conflict as the specification names it: custom fields by id. */
function conflictName({ object_type, object_id, field }: Document, states: readonly State[]): string {
  const name = field === null || field === undefined ? null : String(field)
  const custom = name?.startsWith('custom_fields.') ? name.slice('custom_fields.'.length) : undefined
  const id = states.flatMap((state) =>
    [...state].flatMap(([key, { values }]) =>
      kindOf(key) === 'field' && values.name === custom ? key.split(' ')[1] : [],
    ),
  )[0]
  return `${keyOfObject(object_type, object_id)} ${custom === undefined ? name : `custom ${id}`}`
}

/** Where two states differ; of restored objects only the existence counts. */
function differencesOf(expected: State, actual: State, restored: ReadonlySet<Key> = new Set()): readonly string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((key) => {
    const [one, other] = [expected.get(key), actual.get(key)]
    if (!one || !other) return one || other ? [`${key}: ${one ? 'is missing' : 'is new'}`] : []
    if (restored.has(key)) return []
    const [before, after] = [one, other].map(({ values, references, tags }) => ({
      ...{ ...values, ...references },
      tags: [...tags].sort().join(),
    }))
    return Object.entries({ ...before, ...after }).flatMap(([name]) => {
      const [was, is] = [before, after].map((values) => (values as Readonly<Record<string, unknown>>)[name] ?? null)
      return was === is ? [] : [`${key} ${name}: ${was} → ${is}`]
    })
  })
}
