import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const BASE = '/api/plugins/custom-objects'
const FIELDS = `${BASE}/custom-object-type-fields/`
let api: Api
let custom_object_type: number
beforeAll(async () => {
  api = await startApi()
  custom_object_type = await api.make('plugins/custom-objects/custom-object-types', { name: 'item', slug: 'items' })
})
afterAll(() => api.close())

let count = 0
/** Creates fields of these kinds, and an item for each with its value, in one request each: every change of a definition takes time. */
async function newFields(cases: readonly (readonly [type: string, value: unknown, ...unknown[]])[]) {
  const fields = cases.map(([type]) => ({ custom_object_type, name: `field_${++count}`, type }))
  const made = await api.ask('POST', FIELDS, { body: fields })
  expect(made.status, made.text).toBe(201)
  const items = fields.map(({ name }, index) => ({ [name]: cases[index]?.[1] }))
  const filled = await api.ask('POST', `${BASE}/items/`, { body: items })
  expect(filled.status, filled.text).toBe(201)
  return fields.map(({ name }, index) => {
    const id = made.json[index]?.id
    const item = `${BASE}/items/${filled.json[index]?.id}/`
    const valueNow = async () => (await api.ask('GET', item)).json[name]
    return { name, id, path: `${FIELDS}${id}/`, item, valueNow }
  })
}
const newField = async (type: string, value: unknown) => {
  const [field] = await newFields([[type, value]])
  if (!field) throw new Error('no field has been made')
  return field
}
const undo = async (headers: Headers) =>
  await api.ask('POST', `/api/core/requests/${headers.get('x-request-id')}/undo/`, { body: {} })

describe('a change of the kind of a field', () => {
  const conversions: readonly (readonly [from: string, value: unknown, to: string, converted: unknown])[] = [
    ['integer', 5, 'decimal', 5],
    ['integer', -12, 'text', '-12'],
    ['integer', 9_007_199_254_740_991, 'text', '9007199254740991'],
    ['decimal', 7, 'integer', 7],
    ['decimal', 1.5, 'text', '1.5'],
    ['decimal', 10, 'longtext', '10'],
    ['decimal', -0.25, 'text', '-0.25'],
    ['boolean', true, 'text', 'true'],
    ['date', '2028-02-29', 'text', '2028-02-29'],
    ['datetime', '2026-01-31T12:00:00Z', 'text', '2026-01-31T12:00:00Z'],
    ['datetime', '2026-01-31T12:00:00.123456Z', 'text', '2026-01-31T12:00:00.123456Z'],
    ['address', '10.0.0.1/24', 'text', '10.0.0.1/24'],
    ['address', '2001:db8::1/64', 'text', '2001:db8::1/64'],
    ['prefix', '10.0.0.0/8', 'text', '10.0.0.0/8'],
    ['prefix', '2001:db8::/32', 'text', '2001:db8::/32'],
    ['mac_address', '00:11:22:AA:BB:CC', 'text', '00:11:22:AA:BB:CC'],
    ['text', '12', 'integer', 12],
    ['text', '9007199254740991', 'integer', 9_007_199_254_740_991],
    ['text', '1.5', 'decimal', 1.5],
    ['text', 'long', 'longtext', 'long'],
  ]
  it('shows the same values, and can be undone', async () => {
    const fields = await newFields(conversions)
    const valuesNow = async () => await Promise.all(fields.map(({ valueNow }) => valueNow()))
    const before = await valuesNow()
    const change = await api.ask('PATCH', FIELDS, {
      body: fields.map(({ id }, index) => ({ id, type: conversions[index]?.[2] })),
    })
    expect(change.status, change.text).toBe(200)
    const labelled = (values: readonly unknown[]) =>
      conversions.map(([from, value, to], index) => [`${from} (${value}) to ${to}`, values[index]])
    expect(labelled(await valuesNow())).toEqual(labelled(conversions.map(([, , , converted]) => converted)))
    const undone = await undo(change.headers)
    expect(undone.status, undone.text).toBe(200)
    expect(labelled(await valuesNow())).toEqual(labelled(before))
    const types = await Promise.all(fields.map(async ({ path }) => (await api.ask('GET', path)).json.type?.value))
    expect(types).toEqual(conversions.map(([from]) => from))
  })

  const refused: readonly (readonly [from: string, value: unknown, to: string])[] = [
    ['text', '9007199254740993', 'integer'],
    ['text', '12345678901234567', 'integer'],
    ['text', '012', 'integer'],
    ['text', '1.50', 'decimal'],
    ['text', '1.23456', 'decimal'],
    ['text', '2026-02-31', 'date'],
    ['text', '2027-02-29', 'date'],
    ['text', '10.0.0.1/24', 'prefix'],
    ['text', '10.0.0.256/24', 'address'],
    ['text', '1::2::3/64', 'address'],
    ['text', '2026-01-31T24:00:00Z', 'datetime'],
    ['decimal', 1.5, 'integer'],
    ['integer', 9_007_199_254_740_991, 'decimal'],
    ['longtext', 'x'.repeat(501), 'text'],
    ['text', 'not a url', 'url'],
    ['text', 'https://a.example', 'url'],
    ['url', 'https://a.example', 'text'],
    ['url', 'https://a.example', 'longtext'],
  ]
  it('is refused if it would change a value', async () => {
    const fields = await newFields(refused)
    for (const [index, { path, valueNow }] of fields.entries()) {
      const [from, value, to] = refused[index] ?? []
      const before = await valueNow()
      const { status, json, text } = await api.ask('PATCH', path, { body: { type: to } })
      expect([status, Object.keys(json)], `${from} (${value}) to ${to}: ${text}`).toEqual([400, ['type']])
      expect(await valueNow()).toEqual(before)
    }
  })

  it.each([
    ['integer', 5, 'decimal', 5.5],
    ['decimal', 1.5, 'text', 'much'],
    ['date', '2028-02-29', 'text', 'soon'],
  ])('from %s (%s) to %s is not undone if a value is %s since', async (from, value, to, later) => {
    const { name, path, item, valueNow } = await newField(from, value)
    const change = await api.ask('PATCH', path, { body: { type: to } })
    expect((await api.ask('PATCH', item, { body: { [name]: later } })).status).toBe(200)
    const undone = await undo(change.headers)
    expect(undone.status, undone.text).toBeGreaterThanOrEqual(400)
    expect(undone.status, undone.text).toBeLessThan(500)
    expect(await valueNow()).toEqual(later)
  })
})

describe('a default', () => {
  it.each([
    ['text', 'b', { validation_regex: '^a$' }],
    ['longtext', 'b', { validation_regex: '^a$' }],
    ['url', 'https://b.example', { validation_regex: '^https://a' }],
    ['text', 'x'.repeat(501), {}],
    ['integer', 7, { validation_maximum: 5 }],
    ['integer', 9_007_199_254_740_992, {}],
    ['decimal', 1, { validation_minimum: 2 }],
    ['date', '2027-02-31', {}],
    ['boolean', 'maybe', {}],
    ['address', 'x', {}],
    ['select', 'c', { choices: true }],
    ['select', ['a'], { choices: true }],
    ['multiselect', ['a', 'c'], { choices: true }],
    ['multiselect', 'a', { choices: true }],
  ])('of the type %s is refused if the field refuses it: %j', async (type, value, { choices, ...rules }: Rules) => {
    const set = choices && {
      choice_set: await api.make('extras/custom-field-choice-sets', {
        ...{ name: `set ${++count}`, extra_choices: [['a', 'A']] },
      }),
    }
    const body = { custom_object_type, name: `field_${++count}`, type, default: value, ...rules, ...set }
    const { status, json, text } = await api.ask('POST', FIELDS, { body })
    expect([status, Object.keys(json)], text).toEqual([400, ['default']])
  })

  it.each([
    ['text', 'a', { validation_regex: '^a$' }],
    ['select', 'a', { choices: true }],
    ['multiselect', ['a'], { choices: true }],
  ])('of the type %s is accepted if the field accepts it: %j', async (type, value, { choices, ...rules }: Rules) => {
    const set = choices && {
      choice_set: await api.make('extras/custom-field-choice-sets', {
        ...{ name: `set ${++count}`, extra_choices: [['a', 'A']] },
      }),
    }
    const name = `field_${++count}`
    const body = { custom_object_type, name, type, default: value, ...rules, ...set }
    const { status, text } = await api.ask('POST', FIELDS, { body })
    expect(status, text).toBe(201)
    expect((await api.ask('POST', `${BASE}/items/`, { body: {} })).status).toBe(201)
  })
})

interface Rules {
  readonly choices?: boolean
  readonly [rule: string]: unknown
}

describe('the values of removed fields', () => {
  it('are kept when a branch is to delete them', async () => {
    const { path } = await newField('text', 'kept')
    expect((await api.ask('DELETE', path)).status).toBe(204)
    await api.make('plugins/branching/branches', { name: 'Plan' })
    await api.background.runUntilIdle()
    const { json: branches } = await api.ask('GET', '/api/plugins/branching/branches/')
    const headers = { 'X-NetBox-Branch': String(branches.results?.[0]?.schema_id) }
    const { json: before } = await api.ask('GET', `${BASE}/removed/`)
    const inBranch = await api.ask('GET', `${BASE}/removed/`, { headers })
    expect([inBranch.status, inBranch.json], inBranch.text).toEqual([200, before])
    const { status, text } = await api.ask('DELETE', `${BASE}/removed/`, { headers })
    expect(status, text).toBe(400)
    expect((await api.ask('GET', `${BASE}/removed/`)).json).toEqual(before)
    expect((await api.ask('DELETE', `${BASE}/removed/`)).status).toBe(204)
  })
})
