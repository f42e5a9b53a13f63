import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
let webhook: number
beforeAll(async () => {
  api = await startApi()
  webhook = await createdId(api, 'extras/webhooks', { name: 'Hook', payload_url: 'http://localhost/' })
  const pairs = (count: number) => Array.from({ length: count }, (_, index) => [`w ${index}`, `Word ${index}`])
  for (const [name, count] of [
    ['few', 3],
    ['many', 40],
  ] as const) {
    const choice_set = await createdId(api, 'extras/custom-field-choice-sets', { name, extra_choices: pairs(count) })
    await createdId(api, 'extras/custom-fields', { name, type: 'multiselect', choice_set, object_types: ['dcim.site'] })
  }
})
afterAll(() => api.close())

const html = { accept: 'text/html' }
const page = async (path: string): Promise<string> => (await api.ask('GET', path, { headers: html })).text
const send = async (path: string, changes: Readonly<Record<string, readonly string[]>>): Promise<ApiAnswer> => {
  const { values } = readForm(await page(path))
  const body = formData(new Map([...values, ...Object.entries(changes)]))
  return await api.ask('POST', path, { body, headers: html })
}

/** Labels of the check boxes with this name, each with its value and whether it is checked. */
const boxesIn = (text: string, name: string) =>
  [
    ...text.matchAll(
      new RegExp(`<input type="checkbox" name="${name}" value="([^"]*)"( checked)?[^>]*> ([^<]*)<`, 'g'),
    ),
  ].map(([, value, checked, label]) => ({ value, label, isChecked: checked !== undefined }))

describe.each([
  {
    title: 'the actions of a permission',
    root: '/users/permissions/',
    name: 'actions',
    more: { name: ['P'], object_types: ['dcim.site'] },
    labels: ['View', 'Add', 'Change', 'Delete', 'Render config'],
    sent: ['view', 'delete', 'napalm_read, audit view'],
    stored: ['view', 'delete', 'napalm_read', 'audit'],
    value: (object: Readonly<Record<string, unknown>>) => object.actions,
  },
  {
    title: 'the events of a rule',
    root: '/extras/event-rules/',
    name: 'event_types',
    more: () => ({ name: ['R'], object_types: ['dcim.site'], action_object: [`extras.webhook:${webhook}`] }),
    labels: ['Object created', 'Job failed'],
    sent: ['object_created', 'job_failed'],
    stored: ['object_created', 'job_failed'],
    value: (object: Readonly<Record<string, unknown>>) => object.event_types,
  },
  {
    title: 'a custom field with several of a few choices',
    root: '/dcim/sites/',
    name: 'custom_fields.few',
    more: { name: ['S'], slug: ['s'] },
    labels: ['Word 0', 'Word 2'],
    sent: ['w 0', 'w 2'],
    stored: ['w 0', 'w 2'],
    value: ({ custom_fields }: Readonly<Record<string, unknown>>) => Object(custom_fields).few,
  },
])('$title', ({ root, name, more, labels, sent, stored, value }) => {
  it('are check boxes whose words are stored and shown again', async () => {
    const boxes = boxesIn(await page(`${root}add/`), name)
    expect(boxes.map(({ label }) => label)).toEqual(expect.arrayContaining(labels))
    const made = await send(`${root}add/`, { ...(typeof more === 'function' ? more() : more), [name]: sent })
    expect(made.status, made.text).toBe(303)
    const id = /saved_id=(\d+)/.exec(made.headers.get('location') ?? '')?.[1]
    const { json } = await api.ask('GET', `/api${root}${id}/`)
    expect(value(json)).toEqual(stored)
    const edit = await page(`${root}${id}/edit/`)
    const known = new Set(boxes.map((box) => box.value))
    expect(boxesIn(edit, name).flatMap((box) => (box.isChecked ? [box.value] : []))).toEqual(
      stored.filter((word) => known.has(word)),
    )
    const others = stored.filter((word) => !known.has(word)).join(' ')
    expect(readForm(edit).values.get(name)?.at(-1)).toBe(others || stored.at(-1))
    expect((await send(`${root}${id}/edit/`, {})).headers.get('location')).toContain('saved=unchanged')
  })
})

it('many choices are a list with a search', async () => {
  const text = await page('/dcim/sites/add/')
  expect(boxesIn(text, 'custom_fields.many')).toEqual([])
  expect(readForm(text).options.get('custom_fields.many')?.size).toBe(40)
})
