import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
let webhook: number
let group: number
let rules = 0
beforeAll(async () => {
  api = await startApi()
  webhook = await createdId(api, 'extras/webhooks', { name: 'Hook', payload_url: 'http://localhost/' })
  group = await createdId(api, 'extras/notification-groups', { name: 'Team' })
})
afterAll(() => api.close())

const ADD = '/extras/event-rules/add/'
type Changes = Readonly<Record<string, readonly string[]>>
const send = async (path: string, changes: Changes): Promise<ApiAnswer> => {
  const { values } = readForm(await readPage(api, path))
  const body = formData(new Map([...values, ...Object.entries(changes)]))
  return await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
}
/** The rule that the form creates with these values. */
const made = async (changes: Changes): Promise<Document> => {
  rules += 1
  const name = `rule ${rules}`
  const action_object = [`extras.webhook:${webhook}`]
  const usual = { name: [name], object_types: ['dcim.site'], event_types: ['object_updated'], action_object }
  const sent = await send(ADD, { ...usual, ...changes })
  expect(sent.status, sent.text).toBe(303)
  return (await api.ask('GET', `/api/extras/event-rules/?name=${name}`)).json.results?.[0] ?? ({} as Document)
}
const isHidden = (text: string, name: string): boolean => new RegExp(`data-field="${name}"[^>]* hidden>`).test(text)

describe('the action of an event rule', () => {
  it('is one choice, whose type follows from it', async () => {
    const text = await readPage(api, ADD)
    expect(isHidden(text, 'action_type')).toBe(true)
    expect([...(readForm(text).options.get('action_object')?.values() ?? [])]).toEqual([
      '—',
      'Hook · Webhook',
      'Team · Notification group',
    ])
    expect(await made({})).toMatchObject({ action_type: { value: 'webhook' }, action_object_id: webhook })
  })

  it('of a notification group is a notification or an e-mail', async () => {
    const action_object = [`extras.notificationgroup:${group}`]
    const { text } = await send(ADD, { action_object, _refresh: ['action_object'] })
    expect(isHidden(text, 'action_type')).toBe(false)
    expect([...(readForm(text).options.get('action_type')?.keys() ?? [])]).toEqual(['notification', 'email'])
    expect(await made({ action_object })).toMatchObject({ action_type: { value: 'notification' } })
    const rule = await made({ action_object, action_type: ['email'] })
    expect(rule).toMatchObject({ action_type: { value: 'email' }, action_object_id: group })
    const edit = `/extras/event-rules/${rule.id}/edit/`
    expect((await send(edit, {})).headers.get('location')).toContain('saved=unchanged')
    expect((await send(edit, { action_object: [`extras.webhook:${webhook}`] })).status).toBe(303)
    expect((await api.ask('GET', `/api/extras/event-rules/${rule.id}/`)).json).toMatchObject({
      action_type: { value: 'webhook' },
      action_object_type: 'extras.webhook',
    })
  })
})

describe('the conditions of an event rule', () => {
  it.each([
    [
      'one row',
      { attr: ['status.value', ''], op: ['eq', 'eq'], value: ['active', ''] },
      { and: [{ attr: 'status.value', value: 'active' }] },
    ],
    [
      'any of several rows',
      { match: ['or'], attr: ['id', 'name'], op: ['gte', '!contains'], value: ['5', 'x'] },
      {
        or: [
          { attr: 'id', value: 5, op: 'gte' },
          { attr: 'name', value: 'x', op: 'contains', negate: true },
        ],
      },
    ],
    [
      'a list and a change',
      { attr: ['status.value', 'name'], op: ['in', 'changed'], value: ['active, planned', 'ignored'] },
      {
        and: [
          { attr: 'status.value', value: ['active', 'planned'], op: 'in' },
          { attr: 'name', op: 'changed' },
        ],
      },
    ],
  ])('are stored from %s, and shown as rows again', async (_, rows, stored) => {
    const parts = Object.fromEntries(Object.entries(rows).map(([part, texts]) => [`conditions.${part}`, texts]))
    const rule = await made(parts)
    expect(rule.conditions).toEqual(stored)
    const edit = `/extras/event-rules/${rule.id}/edit/`
    const { values } = readForm(await readPage(api, edit))
    expect(values.get('conditions.attr')?.filter(Boolean)).toEqual(rows.attr.filter(Boolean))
    expect((await send(edit, {})).headers.get('location')).toContain('saved=unchanged')
    expect((await send(edit, { 'conditions.attr': ['', '', '', ''] })).status).toBe(303)
    expect((await api.ask('GET', `/api/extras/event-rules/${rule.id}/`)).json.conditions).toBeNull()
  })

  it.each([
    ['nested', { and: [{ or: [{ attr: 'name', value: 'a' }] }] }, false],
    ['of a text that looks like a number', { and: [{ attr: 'name', value: '5' }] }, true],
    ['without rows', { and: [] }, false],
  ])('are kept as JSON: %s', async (_, conditions, hasRows) => {
    const rule = await made({ conditions: [JSON.stringify(conditions)] })
    expect(rule.conditions).toEqual(conditions)
    const edit = `/extras/event-rules/${rule.id}/edit/`
    expect(readForm(await readPage(api, edit)).values.has('conditions.attr')).toBe(hasRows)
    expect((await send(edit, {})).headers.get('location')).toContain('saved=unchanged')
  })

  it('that cannot be asked are refused at the field', async () => {
    const form = { name: ['wrong'], object_types: ['dcim.site'], event_types: ['object_updated'] }
    const rows = { 'conditions.attr': ['name'], 'conditions.op': ['gt'], 'conditions.value': ['x'] }
    const { status, text } = await send(ADD, { ...form, action_object: [`extras.webhook:${webhook}`], ...rows })
    expect(status).toBe(400)
    expect(readForm(text).errors.get('conditions')).toMatch(/"gt"/)
    expect(readForm(text).values.get('conditions.attr')?.[0]).toBe('name')
  })
})

it.each(['webhooks', 'event-rules'])(
  'the page of one of the %s lists its deliveries before the first one',
  async (path) => {
    const id = path === 'webhooks' ? webhook : Number((await made({})).id)
    expect(await readPage(api, `/extras/${path}/${id}/`)).toMatch(/<h2>[^<]*Webhook deliveries[\s\S]{0,200}None yet/)
  },
)

it('the menu leads to the deliveries', async () => {
  expect(await readPage(api, '/')).toContain('href="/extras/webhook-deliveries/"')
})

describe('the date of an event rule', () => {
  const parts = ['date_offset', 'date_unit', 'date_field'] as const

  it('is asked for only if a date is to be reached, and offers the dates of the objects', async () => {
    const text = await readPage(api, ADD)
    expect(parts.map((name) => isHidden(text, name))).toEqual([true, true, true])
    const event_types = ['date_reached']
    const { text: dated } = await send(ADD, {
      object_types: ['circuits.circuit'],
      event_types,
      _refresh: ['event_types'],
    })
    expect(parts.map((name) => isHidden(dated, name))).toEqual([false, false, false])
    const dates = [...(readForm(dated).options.get('date_field')?.values() ?? [])]
    expect(dates).toEqual(
      ['Choose a date', 'Installed', 'Terminates', 'Commit end date', 'Created', 'Last updated'].filter((label) =>
        dates.includes(label),
      ),
    )
    expect(dates).toContain('Created')
    const both = { object_types: ['circuits.circuit', 'dcim.site'], event_types, _refresh: ['object_types'] }
    const common = readForm((await send(ADD, both)).text).options.get('date_field')
    expect([...(common?.keys() ?? [])]).toEqual(['', 'created', 'last_updated'])
  })

  it.each([
    [['60', 'before'], -60],
    [['3', 'after'], 3],
    [['0', 'before'], 0],
  ] as const)('is an amount of time before or after it: %j', async (date_offset, stored) => {
    const dated = { event_types: ['date_reached'], date_field: ['created'], date_unit: ['days'] }
    const rule = await made({ ...dated, date_offset })
    expect(rule).toMatchObject({ date_offset: stored, date_unit: 'days', date_field: 'created' })
    const edit = `/extras/event-rules/${rule.id}/edit/`
    const { values } = readForm(await readPage(api, edit))
    expect(values.get('date_offset')?.[0]).toBe(date_offset[0])
    expect((await send(edit, {})).headers.get('location')).toContain('saved=unchanged')
  })
})
