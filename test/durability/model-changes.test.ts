import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 30, usual: 6 })
const OBJECTS = 500
/** Longest time from a change to the crash, in milliseconds: most changes have ended by then. */
const LATEST = 600
const BASE = '/api/plugins/custom-objects'

interface Definition {
  readonly name: string
  readonly type: 'text' | 'integer'
}

/** Changes of the field `size`, of a further field, and of the type, each with what is seen afterwards. */
const CHANGES = ['convert', 'rename', 'add', 'remove'] as const

it(`kill -9 during a change of a model, ${ROUNDS} times: the change and all values are stored, or none`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let server: ServerProcess = await startServer(environment)
  onTestFinished(() => server.kill())
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await send(server, method, BASE + path, body)
    const text = await response.text()
    return { status: response.status, text, json: text === '' ? {} : JSON.parse(text) }
  }
  const make = async (path: string, body: unknown) => {
    const { status, text, json } = await ask('POST', path, body)
    expect(status, text).toBe(201)
    return json
  }
  const { id: custom_object_type } = await make('/custom-object-types/', { name: 'crate', slug: 'crates' })
  const { id } = await make('/custom-object-type-fields/', { custom_object_type, name: 'size', type: 'integer' })
  await make(
    '/crates/',
    Array.from({ length: OBJECTS }, (_, index) => ({ size: index })),
  )
  /** Fields of the type as stored: `size` under its present name, and whether there is a second one. */
  const definitions = async (): Promise<readonly (Definition & { readonly id: number })[]> =>
    (await ask('GET', `/custom-object-type-fields/?custom_object_type_id=${custom_object_type}`)).json.results.map(
      (field: { id: number; name: string; type: { value: string } }) => ({
        ...{ id: field.id, name: field.name, type: field.type.value },
      }),
    )
  const below = randomNumbers(20_261_128)
  const outcomes = { done: 0, undone: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const before = await definitions()
    const [size, second] = before
    const kind = CHANGES[round % CHANGES.length]
    const path = `/custom-object-type-fields/${id}/`
    const change = {
      convert: () => ask('PATCH', path, { type: size?.type === 'text' ? 'integer' : 'text' }),
      rename: () => ask('PATCH', path, { name: `size_${round}` }),
      add: () => make('/custom-object-type-fields/', { custom_object_type, name: `more_${round}`, type: 'text' }),
      remove: () => ask('DELETE', `/custom-object-type-fields/${second?.id ?? 0}/`),
    }[kind ?? 'convert']
    const answer = change().catch(() => undefined)
    await setTimeout(below(LATEST))
    server = await crash(server, environment, victimOf(round))
    await answer
    const after = await definitions()
    outcomes[JSON.stringify(after) === JSON.stringify(before) ? 'undone' : 'done'] += 1
    const list = await ask('GET', '/crates/?limit=0&ordering=id')
    expect(list.status, list.text).toBe(200)
    const rows: readonly Record<string, unknown>[] = list.json.results
    expect(rows.length).toBe(OBJECTS)
    const [stored] = after
    for (const [index, row] of rows.entries()) {
      for (const { name } of after) expect(row).toHaveProperty(name)
      for (const { name } of before)
        if (!after.some((field) => field.name === name)) expect(row).not.toHaveProperty(name)
      expect(row[stored?.name ?? '']).toBe(stored?.type === 'text' ? String(index) : index)
    }
    // The tables accept values of the stored definition.
    const written = await ask('PATCH', `/crates/${rows[0]?.id}/`, { [stored?.name ?? '']: 0 })
    expect(written.status, written.text).toBe(200)
  }
  expect(outcomes.done + outcomes.undone).toBe(ROUNDS)
})
