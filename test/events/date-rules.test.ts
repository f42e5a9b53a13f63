import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { receiverOfTest } from '../support/receiver.ts'
import { TestClock } from '../support/test-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The time in Berlin, where the service is. */
const ZONE = 'Europe/Berlin'

/** Makes a site that shows what the script gets. */
const SCRIPT = `
from dcim.models import Site
from extras.scripts import Script

class Made(Script):
    def run(self, data, commit):
        Site.objects.create(name="Made", slug="made", comments=f"{data['id']} {data['reached']['field']}")
`

describe('rules about dates', () => {
  let api: Api
  let webhook: number
  const clock = new TestClock()
  const scripts = realpathSync(mkdtempSync(join(tmpdir(), 'dates-')))
  beforeAll(async () => {
    writeFileSync(join(scripts, 'dates.py'), SCRIPT)
    const environment = { SCRIPTS_ROOT: scripts, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
    api = await startApi(
      { ...environment, TIME_ZONE: ZONE, LOG_LEVEL: 'fatal', WEBHOOK_RETRY_DELAY: '86400' },
      undefined,
      clock,
    )
    webhook = await api.make('extras/webhooks', { name: 'w', payload_url: 'http://127.0.0.1:1/' })
    await api.make('extras/custom-fields', { name: 'ends', type: 'date', object_types: ['dcim.site'] })
    await api.make('extras/custom-fields', { name: 'starts', type: 'datetime', object_types: ['dcim.site'] })
    await api.make('extras/custom-fields', { name: 'note', type: 'text', object_types: ['dcim.site'] })
  })
  afterAll(async () => {
    await api.close()
    rmSync(scripts, { recursive: true })
  })

  let count = 0
  const site = (custom_fields: object, more: object = {}) => {
    count += 1
    return api.make('dcim/sites', { name: `S${count}`, slug: `s${count}`, custom_fields, ...more })
  }
  const bodyOf = (values: object) => ({
    ...{ name: `R${++count}`, object_types: ['dcim.site'], event_types: ['date_reached'], date_field: 'cf_ends' },
    ...{ action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: webhook, ...values },
  })
  const addRule = (values: object = {}) => api.make('extras/event-rules', bodyOf(values))
  const patch = (path: string, body: object) => api.ask('PATCH', `/api/${path}/`, { body })
  /** The objects on which the rule has acted. */
  const acted = async (rule: number): Promise<readonly unknown[]> => {
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/webhook-deliveries/?event_rule_id=${rule}&ordering=id&limit=100`)
    return (json.results ?? []).map(({ object_id: id }) => id)
  }
  const due = async (rule: number, query = ''): Promise<Document> => {
    const { status, text, json } = await api.ask('GET', `/api/extras/event-rules/${rule}/due/?${query}`)
    expect(status, text).toBe(200)
    return json
  }
  /** The date in Berlin, some days from now. */
  const day = (days: number): string =>
    new Intl.DateTimeFormat('sv', { timeZone: ZONE, dateStyle: 'short' }).format(clock.now() + days * DAY)
  const timestamp = (milliseconds: number): string => new Date(clock.now() + milliseconds).toISOString()

  it('act once for each object and date, and again when the date changes', async () => {
    const rule = await addRule({ date_offset: -90 })
    const soon = await site({ ends: day(95) })
    const later = await site({ ends: day(200) })
    await site({ ends: null })
    expect(await acted(rule)).toEqual([])
    clock.advance(6 * DAY)
    expect(await acted(rule)).toEqual([soon])
    clock.advance(DAY)
    expect(await acted(rule)).toEqual([soon])
    await patch(`dcim/sites/${soon}`, { custom_fields: { ends: day(85) } })
    expect(await acted(rule)).toEqual([soon, soon])
    await patch(`dcim/sites/${soon}`, { custom_fields: { ends: day(88) } })
    const list = await due(rule)
    expect(list.results?.map(({ object_id: id, acted: time }) => [id, time !== null])).toContainEqual([later, false])
    expect((await due(rule, 'acted=false')).results).toMatchObject([
      { object_type: 'dcim.site', object_id: later, object: { id: later }, field: 'cf_ends' },
    ])
  })

  it.each([
    ['a date begins at midnight in TIME_ZONE', 'cf_ends', { ends: '2031-07-01' }, 0, 'days', '2031-06-30T22:00:00'],
    ['hours after a date', 'cf_ends', { ends: '2031-07-01' }, 9, 'hours', '2031-07-01T07:00:00'],
    [
      'the last day of February before a leap day',
      'cf_ends',
      { ends: '2032-02-29' },
      -366,
      'days',
      '2031-02-27T23:00:00',
    ],
    ['a day after a leap day', 'cf_ends', { ends: '2032-02-29' }, 1, 'days', '2032-02-29T23:00:00'],
    ['calendar days over a change of the clock', 'cf_ends', { ends: '2031-03-31' }, -2, 'days', '2031-03-28T23:00:00'],
    [
      'a timestamp keeps its time of day',
      'cf_starts',
      { starts: '2031-03-31T10:00:00Z' },
      -2,
      'days',
      '2031-03-29T11:00:00',
    ],
    ['hours after a timestamp', 'cf_starts', { starts: '2031-03-31T10:00:00Z' }, -48, 'hours', '2031-03-29T10:00:00'],
  ])('%s', async (_name, date_field, custom_fields, date_offset, date_unit, expected) => {
    const rule = await addRule({ date_field, date_offset, date_unit })
    const id = await site(custom_fields)
    const { results } = await due(rule, 'limit=100')
    expect(String(results?.find(({ object_id: object }) => Number(object) === id)?.due)).toContain(expected)
    await api.ask('DELETE', `/api/extras/event-rules/${rule}/`)
    await api.ask('DELETE', `/api/dcim/sites/${id}/`)
  })

  it('act on built-in dates, and on those of own models', async () => {
    const provider = await api.make('circuits/providers', { name: 'P', slug: 'p' })
    const type = await api.make('circuits/circuit-types', { name: 'T', slug: 't' })
    const circuit = await api.make('circuits/circuits', { cid: 'C', provider, type, termination_date: day(10) })
    const builtIn = await addRule({ object_types: ['circuits.circuit'], date_field: 'termination_date' })
    const own = await api.make('plugins/custom-objects/custom-object-types', { name: 'contract', slug: 'contracts' })
    const fields = 'plugins/custom-objects/custom-object-type-fields'
    await api.make(fields, { custom_object_type: own, name: 'name', type: 'text', primary: true })
    await api.make(fields, { custom_object_type: own, name: 'ends', type: 'date' })
    const { json } = await api.ask('GET', `/api/plugins/custom-objects/custom-object-types/${own}/`)
    const contract = await api.make('plugins/custom-objects/contracts', { name: 'Fibre', ends: day(100) })
    const ownRule = await addRule({
      ...{ object_types: [json.object_type_name], date_field: 'ends', date_offset: -90 },
    })
    expect(await acted(builtIn)).toEqual([])
    clock.advance(10 * DAY + HOUR)
    expect(await acted(builtIn)).toEqual([circuit])
    expect(await acted(ownRule)).toEqual([contract])
  })

  it('do not act on dates before the rule, while it is disabled, on deleted objects, or outside its conditions', async () => {
    const old = await site({ starts: timestamp(-HOUR) })
    const rule = await addRule({
      ...{ date_field: 'cf_starts', conditions: { attr: 'status.value', value: 'active' } },
    })
    const inTime = await site({ starts: timestamp(HOUR) })
    const deleted = await site({ starts: timestamp(HOUR) })
    const retired = await site({ starts: timestamp(HOUR) }, { status: 'retired' })
    await api.ask('DELETE', `/api/dcim/sites/${deleted}/`)
    clock.advance(2 * HOUR)
    expect(await acted(rule)).toEqual([inTime])
    expect((await due(rule, 'acted=true&limit=10')).results?.map(({ object_id: id }) => id)).toEqual([inTime, retired])
    await patch(`extras/event-rules/${rule}`, { enabled: false })
    const missed = await site({ starts: timestamp(HOUR) })
    clock.advance(2 * HOUR)
    expect(await acted(rule)).toEqual([inTime])
    await patch(`extras/event-rules/${rule}`, { enabled: true })
    expect(await acted(rule)).toEqual([inTime])
    expect([old, missed]).not.toContain(inTime)
  })

  it('are limited to the members of dynamic groups, who may join later', async () => {
    const parameters = { facility: ['contract'] }
    const group = { name: 'G', slug: 'g', object_type: 'dcim.site', parameters }
    const rule = await addRule({
      ...{ date_field: 'cf_starts', dynamic_groups: [await api.make('extras/dynamic-groups', group)] },
    })
    const outside = await site({ starts: timestamp(HOUR) })
    const member = await site({ starts: timestamp(HOUR) }, { facility: 'contract' })
    clock.advance(2 * HOUR)
    expect(await acted(rule)).toEqual([member])
    await patch(`dcim/sites/${outside}`, { facility: 'contract' })
    expect(await acted(rule)).toEqual([member, outside])
  })

  it('send webhooks with the date, notify groups, and start scripts for the user who changed the rule', async () => {
    const receiver = await receiverOfTest()
    const sent = await api.make('extras/webhooks', { name: 'sent', payload_url: receiver.url })
    const user = await api.make('users/users', { username: 'nia', password: 'Long-enough-1' })
    const group = await api.make('extras/notification-groups', { name: 'N', users: [user] })
    const viewed = ['dcim.site', 'extras.notification']
    await api.make('users/permissions', { name: 'p', users: [user], object_types: viewed, actions: ['view'] })
    const { json: scripts } = await api.ask('GET', '/api/extras/scripts/')
    for (const [action_type, type, id] of [
      ['webhook', 'webhook', sent],
      ['notification', 'notificationgroup', group],
      ['script', 'script', scripts.results?.[0]?.id],
    ] as const) {
      const action = { action_type, action_object_type: `extras.${type}`, action_object_id: id }
      await addRule({ date_field: 'cf_starts', date_unit: 'hours', date_offset: -1, ...action })
    }
    const starts = timestamp(2 * HOUR).replace(/\.\d+Z/, 'Z')
    const due = await site({ starts })
    clock.advance(HOUR + 60_000)
    await api.background.runUntilIdle()
    const [body] = receiver.received.map(({ body: text }) => JSON.parse(text))
    expect(receiver.received).toHaveLength(1)
    expect(body).toMatchObject({ event: 'date_reached', object_type: 'dcim.site', data: { id: due } })
    expect(body.date).toEqual({ field: 'cf_starts', value: starts.replace('Z', '.000000Z') })
    const notifications = table('extras.notification')
    const notified = await api.service.database.query(
      sql`select object_id, event_type from ${notifications} where user_id = ${user}::bigint`,
    )
    expect(notified).toEqual([{ object_id: due, event_type: 'date_reached' }])
    const { json } = await api.ask('GET', '/api/dcim/sites/?name=Made')
    expect(json.results).toMatchObject([{ comments: `${due} cf_starts` }])
    const changes = await api.ask(
      'GET',
      `/api/core/object-changes/?changed_object_id=${json.results?.[0]?.id}&action=create`,
    )
    expect(changes.json.results).toMatchObject([{ user_name: 'admin' }])
  })

  it('show what is due only to those who may view the objects', async () => {
    const rule = await addRule()
    const hidden = await site({ ends: day(20) }, { facility: 'hidden' })
    const visible = await site({ ends: day(21) }, { facility: 'visible' })
    const user = await api.make('users/users', { username: 'ann', password: 'Long-enough-1' })
    const key = 'a'.repeat(40)
    await api.make('users/tokens', { user, key, version: 1, token: key })
    const allow = (object_types: readonly string[], constraints: object | null) =>
      api.make('users/permissions', { name: 'p', users: [user], object_types, actions: ['view'], constraints })
    await allow(['extras.eventrule'], null)
    await allow(['dcim.site'], { facility: 'visible' })
    const { json } = await api.ask('GET', `/api/extras/event-rules/${rule}/due/`, { token: key })
    expect(json.results?.map(({ object_id: id }) => id)).toEqual([visible])
    expect(json.count).toBe(1)
    const browser = new Browser(api.url)
    await browser.logIn('ann', 'Long-enough-1')
    const page = await browser.visit(`/extras/event-rules/${rule}/due/`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`/dcim/sites/${visible}/`)
    expect(page.text).not.toContain(`/dcim/sites/${hidden}/`)
  })

  it.each([
    [{ date_field: '' }, 'date_field'],
    [{ date_field: 'cf_note' }, 'date_field'],
    [{ date_field: 'cf_none' }, 'date_field'],
    [{ date_field: 'name' }, 'date_field'],
    [{ object_types: ['dcim.site', 'dcim.rack'] }, 'date_field'],
    [{ event_types: ['object_updated'] }, 'event_types'],
    [{ date_offset: 1_000_000 }, 'date_offset'],
    [{ date_unit: 'weeks' }, 'date_unit'],
  ])('with %j are refused', async (values, field) => {
    const { status, json } = await api.ask('POST', '/api/extras/event-rules/', { body: bodyOf(values) })
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })
})
