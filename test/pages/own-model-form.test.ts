import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const TYPES = '/plugins/custom-objects/custom-object-types/'

type Row = readonly [name: string, kind: string, details?: { readonly choices?: string; readonly of?: string }]

/** Sends the form as a browser does: every row has all of its inputs, and check boxes only if they are checked. */
function send(name: string, rows: readonly Row[], further: Readonly<Record<string, string>> = {}) {
  const body = new FormData()
  body.append('name', name)
  for (const [field, value] of Object.entries(further)) body.append(field, value)
  for (const [field, kind, { choices = '', of = '' } = {}] of rows) {
    body.append('field.name', field)
    body.append('field.kind', kind)
    body.append('field.choices', choices)
    body.append('field.of', of)
  }
  body.append('field.required', '0')
  return api.ask('POST', `${TYPES}new/`, { body })
}

describe('the form for a type of one’s own', () => {
  it('makes the type and its fields from the names that people write', async () => {
    const rows: readonly Row[] = [
      ['Number', 'text'],
      ['Ends', 'date'],
      ['', 'text'],
      ['SLA Level', 'select', { choices: 'Gold, Very good' }],
      ['Device', 'object', { of: 'dcim.device' }],
    ]
    const { status, headers } = await send('Support Contract', rows)
    expect(status).toBe(303)
    expect(headers.get('location')).toMatch(new RegExp(`${TYPES}\\d+/$`))
    const { json } = await api.ask('GET', `/api${TYPES}?name=support_contract`)
    expect(json.results?.[0]).toMatchObject({ slug: 'support-contracts', verbose_name: '' })
    const fields = (await api.ask('GET', `/api/plugins/custom-objects/custom-object-type-fields/?ordering=weight`)).json
    expect(fields.results?.map(({ name, label, required, primary }) => ({ name, label, required, primary }))).toEqual([
      { name: 'number', label: '', required: true, primary: true },
      { name: 'ends', label: '', required: false, primary: false },
      { name: 'sla_level', label: 'SLA Level', required: false, primary: false },
      { name: 'device', label: '', required: false, primary: false },
    ])
    const body = { number: 'C-1', ends: '2027-01-01', sla_level: 'very-good' }
    expect((await api.ask('POST', '/api/plugins/custom-objects/support-contracts/', { body })).status).toBe(201)
    const list = await api.ask('GET', '/plugins/custom-objects/support-contracts/', {
      headers: { accept: 'text/html' },
    })
    expect(list.text).toContain('Support contracts')
    expect(list.text).toContain('Very good')
  })

  it.each([
    ['a name that another type has', 'support contract', [['Number', 'text']], /already a type called/],
    ['a name without Latin letters', 'חוזה', [['Number', 'text']], /at least one Latin letter/],
    ['no field', 'Empty', [['', 'text']], /Name at least one field/],
    ['a selection without choices', 'Licence', [['Level', 'select']], /“Level” needs its choices/],
    [
      'two fields of one name',
      'Lease',
      [
        ['Number', 'text'],
        ['number', 'text'],
      ],
      /Not saved/,
    ],
  ] as const)('is refused with %s, and keeps what was entered', async (_, name, rows, sentence) => {
    const before = (await api.ask('GET', `/api${TYPES}?limit=1`)).json.count
    const { status, text } = await send(name, rows)
    expect(status).toBe(400)
    expect(text).toMatch(sentence)
    expect(text).toContain(`value="${name}"`)
    expect((await api.ask('GET', `/api${TYPES}?limit=1`)).json.count).toBe(before)
  })
})
