import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const TYPES = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'json', 'object', 'multiobject']

describe('custom fields', () => {
  let api: Api

  beforeAll(async () => {
    api = await startApi()
    const made = await api.ask('POST', '/api/extras/custom-field-choice-sets/', {
      body: {
        name: 'Colours',
        extra_choices: ['red', 'green', 'Grün "1"'].map((each) => [each, each]),
      },
    })
    const fields = [
      ...TYPES.map((type) => ({
        name: `f_${type}`,
        type,
        ...(type.endsWith('object') && { related_object_type: 'dcim.manufacturer' }),
      })),
      { name: 'f_select', type: 'select', choice_set: made.json.id },
      { name: 'f_multiselect', type: 'multiselect', choice_set: made.json.id },
      { name: 'u_text', type: 'text', unique: true },
      { name: 'u_json', type: 'json', unique: true },
    ].map((field) => ({ ...field, object_types: ['dcim.site'], filter_logic: 'exact' }))
    const created = await api.ask('POST', '/api/extras/custom-fields/', { body: fields })
    expect(created.status, created.text).toBe(201)
    const makers = await api.ask('POST', '/api/dcim/manufacturers/', {
      body: ['one', 'two'].map((name) => ({ name, slug: name })),
    })
    const [one = 0, two = 0] = (makers.json as unknown as { id: number }[]).map(({ id }) => id)
    const site = (name: string, custom_fields: Readonly<Record<string, unknown>>) => ({
      name,
      slug: name,
      custom_fields,
    })
    const sites = await api.ask('POST', '/api/dcim/sites/', {
      body: [
        site('a', {
          f_text: 'north "wing" \\ 1',
          f_integer: 5,
          f_decimal: 2.5,
          f_boolean: true,
          f_date: '2024-02-29',
          f_datetime: '2024-02-29T10:00:00Z',
          f_select: 'red',
          f_multiselect: ['red', 'green'],
          f_object: one,
          f_multiobject: [one, two],
        }),
        site('b', {
          f_text: 'North "wing" \\ 1',
          f_integer: -5,
          f_decimal: 2,
          f_boolean: false,
          f_select: 'Grün "1"',
          f_multiselect: ['Grün "1"'],
          f_object: two,
          f_multiobject: [two],
          u_text: 'taken',
          u_json: { a: null, b: [1] },
        }),
        site('c', {}),
      ],
    })
    expect(sites.status, sites.text).toBe(201)
  })
  afterAll(() => api.close())

  const namesOf = async (query: string): Promise<unknown> => {
    const { status, json } = await api.ask('GET', `/api/dcim/sites/?cf_${encodeURI(query)}`)
    expect(status).toBe(200)
    return json.results?.map(({ name }) => name)
  }

  describe('filter objects whose values equal', () => {
    it.each([
      ['f_text=north "wing" \\ 1', ['a']],
      ['f_text=absent', []],
      ['f_text=north "wing" \\ 1&cf_f_text=North "wing" \\ 1', ['a', 'b']],
      ['f_text__n=north "wing" \\ 1', ['b', 'c']],
      ['f_text=\ufffd', []],
      ['f_integer=5', ['a']],
      ['f_integer=-5', ['b']],
      ['f_integer=5&cf_f_integer=99999999999999999999999999', ['a']],
      ['f_integer__n=5', ['b', 'c']],
      ['f_decimal=2.50', ['a']],
      ['f_decimal=2.0', ['b']],
      ['f_decimal=.25e1', ['a']],
      ['f_boolean=true', ['a']],
      ['f_boolean=false', ['b']],
      ['f_date=2024-02-29', ['a']],
      ['f_date=02/29/2024', ['a']],
      ['f_datetime=2024-02-29T10:00Z', ['a']],
      ['f_select=red', ['a']],
      ['f_select=Grün "1"', ['b']],
      ['f_select__n=red', ['b', 'c']],
      ['f_multiselect=green', ['a']],
      ['f_multiselect=red&cf_f_multiselect=Grün "1"', ['a', 'b']],
    ])('cf_%s', async (query, names) => {
      expect(await namesOf(query)).toEqual(names)
    })

    it('as objects', async () => {
      const { json } = await api.ask('GET', '/api/dcim/manufacturers/?name=two')
      const two = json.results?.[0]?.id
      for (const [field, names] of [
        ['f_object', ['b']],
        ['f_multiobject', ['a', 'b']],
      ] as const) {
        expect(await namesOf(`${field}=${two}`)).toEqual(names)
      }
    })
  })

  it.each([
    ['u_text', 'taken'],
    ['u_json', { b: [1], a: null }],
  ])('refuse values of %s that another object has', async (field, value) => {
    const create = (given: unknown) =>
      api.ask('POST', '/api/dcim/sites/', {
        body: { name: `new ${field}`, slug: `new-${field}`, custom_fields: { [field]: given } },
      })
    const refused = await create(value)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`Custom field '${field}' must have a unique value.`)
    // A value that another object has as a part of its own is a different value.
    const { status, text } = await create(typeof value === 'string' ? 'take' : { b: [1] })
    expect(status, text).toBe(201)
  })
})
