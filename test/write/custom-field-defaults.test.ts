import { describe, expect, it } from 'vitest'
import { apiOfTest, type Document } from '../support/api.ts'

const SITES = '/api/dcim/sites/'
const FIELDS = '/api/extras/custom-fields/'

describe('values of custom fields that a request omits', () => {
  it('are the defaults, of which each object has its own copy', async () => {
    const api = await apiOfTest()
    const types = { object_types: ['dcim.site'] }
    const field = async (body: object): Promise<number> =>
      Number((await api.ask('POST', FIELDS, { body: { ...types, ...body } })).json.id)
    const create = async (...names: string[]): Promise<readonly Document[]> => {
      const body = names.map((name) => ({ name, slug: name }))
      return JSON.parse((await api.ask('POST', SITES, { body })).text)
    }
    const valuesOf = async (id: unknown) => (await api.ask('GET', `${SITES}${id}/`)).json.custom_fields
    const options = { name: 'options', type: 'json', default: { list: [1] } }
    await field(options)
    const rank = await field({ name: 'rank', type: 'integer', default: 3 })

    const defaults = { options: { list: [1] }, rank: 3 }
    const [one, other] = await create('one', 'other')
    expect(one?.custom_fields).toEqual(defaults)
    const changed = { options: { list: [1, 2] } }
    await api.ask('PATCH', `${SITES}${one?.id}/`, { body: { custom_fields: changed } })
    expect(await valuesOf(one?.id)).toEqual({ ...defaults, ...changed })
    expect(await valuesOf(other?.id)).toEqual(defaults)

    await api.ask('PATCH', `${FIELDS}${rank}/`, { body: { default: 4 } })
    const [next] = await create('next')
    expect(next?.custom_fields).toEqual({ ...defaults, rank: 4 })
    expect(await valuesOf(other?.id)).toEqual(defaults)

    await api.ask('PATCH', `${FIELDS}${rank}/`, { body: { required: true, default: null } })
    const refused = await api.ask('POST', SITES, { body: { name: 'late', slug: 'late' } })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('rank')])
  })
})

describe('a URL in a custom field', () => {
  it('must have an allowed scheme', async () => {
    const api = await apiOfTest()
    await api.make('extras/custom-fields', { name: 'home', type: 'url', object_types: ['dcim.site'] })
    const site = await api.make('dcim/sites', { name: 'a', slug: 'a' })
    const write = async (home: unknown) => {
      const { status, json } = await api.ask('PATCH', `${SITES}${site}/`, { body: { custom_fields: { home } } })
      return status === 200 ? json.custom_fields?.home : Object.keys(json)
    }
    const cases: readonly (readonly [written: unknown, read: unknown])[] = [
      ['https://example.com/a', 'https://example.com/a'],
      ['HTTPS://EXAMPLE.com', 'HTTPS://EXAMPLE.com'],
      ['mailto:a@example.com', 'mailto:a@example.com'],
      ['tel:112', 'tel:112'],
      ['example.com/path?x=1', 'https://example.com/path?x=1'],
      ['example.com:8080', 'https://example.com:8080'],
      ['//example.com', 'https://example.com'],
      ['javascript:alert(1)', ['__all__']],
      ['data:text/html,x', ['__all__']],
      [5, ['__all__']],
      ['', ''],
      [null, null],
    ]
    for (const [written, read] of cases) expect([written, await write(written)]).toEqual([written, read])
    // A default too.
    await api.make('extras/custom-fields', {
      name: 'wiki',
      type: 'url',
      object_types: ['dcim.site'],
      default: 'wiki.example',
    })
    const made = await api.ask('POST', SITES, { body: { name: 'b', slug: 'b' } })
    expect(made.json.custom_fields?.wiki).toBe('https://wiki.example')
  })
})
