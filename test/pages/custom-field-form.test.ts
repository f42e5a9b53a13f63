import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

const FORM = '/extras/custom-fields/add/'
const VALUES = [
  ...['choice_set', 'related_object_type', 'related_object_filter', 'unique'],
  ...['validation_minimum', 'validation_maximum', 'validation_regex', 'validation_schema'],
]

let api: Api
let set: number
let site: number
beforeAll(async () => {
  api = await startApi()
  set = await createdId(api, 'extras/custom-field-choice-sets', {
    name: 'Colors',
    extra_choices: [
      ['r', 'Red'],
      ['g', 'Green'],
    ],
  })
  site = await createdId(api, 'dcim/sites', { name: 'Akron', slug: 'akron' })
})
afterAll(() => api.close())

const send = async (path: string, changes: Readonly<Record<string, string>>): Promise<ApiAnswer> => {
  const { text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  const values = Object.entries(changes).map(([name, value]) => [name, [value]] as const)
  const body = formData(new Map([...readForm(text).values, ...values]))
  return await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
}
/** The visible fields of the form for this type, without those that all types have. */
const shownFor = async (type: string): Promise<readonly string[]> => {
  const { text } = await send(FORM, { type, _refresh: 'type' })
  return VALUES.filter((name) => !new RegExp(`data-field="${name}"[^>]* hidden>`).test(text)).toSorted()
}

describe('the form of a custom field', () => {
  it.each([
    ['text', ['unique', 'validation_regex']],
    ['url', ['unique', 'validation_regex']],
    ['integer', ['unique', 'validation_maximum', 'validation_minimum']],
    ['boolean', []],
    ['date', ['unique']],
    ['json', ['unique', 'validation_schema']],
    ['multiselect', ['choice_set', 'unique']],
    ['object', ['related_object_filter', 'related_object_type', 'unique']],
  ])('shows the settings that apply to a field of the type %s', async (type, names) => {
    expect(await shownFor(type)).toEqual(names)
  })

  it.each([
    ['text', {}, 'plain words', 'plain words'],
    ['longtext', {}, 'two words', 'two words'],
    ['integer', { validation_minimum: '1' }, '7', 7],
    ['boolean', {}, 'true', true],
    ['date', {}, '2030-01-31', '2030-01-31'],
    ['json', {}, '{"a": 1}', { a: 1 }],
    ['select', () => ({ choice_set: String(set) }), 'g', 'g'],
    ['object', { related_object_type: 'dcim.site' }, () => String(site), () => site],
  ] as const)(
    'accepts a default in the form in which values of the type %s are entered',
    async (type, options, text, stored) => {
      const own = typeof options === 'function' ? options() : options
      const form = { name: `of_${type}`, object_types: 'dcim.site', type, ...own }
      const sent = await send(FORM, { ...form, default: typeof text === 'function' ? text() : text })
      expect([sent.status, [...readForm(sent.text).errors]]).toEqual([303, []])
      const { json } = await api.ask('GET', `/api/extras/custom-fields/?name=of_${type}`)
      expect(json.results?.[0]?.default).toEqual(typeof stored === 'function' ? stored() : stored)
      const { text: edit } = await api.ask('GET', `/extras/custom-fields/${json.results?.[0]?.id}/edit/`, {
        headers: { accept: 'text/html' },
      })
      const shown = readForm(edit).values.get('default')?.[0] ?? ''
      expect(type === 'json' ? JSON.parse(shown) : shown).toEqual(
        type === 'json' ? stored : String(json.results?.[0]?.default),
      )
    },
  )

  it('offers the choices of the chosen set as defaults', async () => {
    const { text } = await send(FORM, { type: 'select', choice_set: String(set), _refresh: 'choice_set' })
    expect([...(readForm(text).options.get('default')?.values() ?? [])]).toEqual(['—', 'Red', 'Green'])
  })

  it('drops settings of another type that was chosen before', async () => {
    const sent = await send(FORM, {
      ...{ name: 'changed_mind', object_types: 'dcim.site', type: 'text' },
      ...{ validation_minimum: '3', choice_set: String(set) },
    })
    expect(sent.status).toBe(303)
    const { json } = await api.ask('GET', '/api/extras/custom-fields/?name=changed_mind')
    expect(json.results?.[0]).toMatchObject({ validation_minimum: null, choice_set: null })
  })

  it.each(['search_weight', 'filter_logic', 'ui_visible', 'ui_editable', 'weight'])('explains %s', async (name) => {
    const { text } = await api.ask('GET', FORM, { headers: { accept: 'text/html' } })
    expect(text).toMatch(new RegExp(`id="field-${name}-help">[^<]{20}`))
  })
})

describe('the form of a field of a custom object type', () => {
  const fields = '/plugins/custom-objects/custom-object-type-fields/'
  let type: number
  beforeAll(async () => {
    type = await createdId(api, 'plugins/custom-objects/custom-object-types', { name: 'contract', slug: 'contracts' })
  })

  it.each([
    ['text', {}, 'set_null'],
    ['multiobject', { related_object_type: 'dcim.site' }, 'set_null'],
    ['object', { related_object_type: 'dcim.site', on_delete_behavior: 'cascade' }, 'cascade'],
  ])('creates and changes one of the type %s, whatever it hides', async (kind, options, behavior) => {
    const name = `a_${kind}`
    const added = await send(`${fields}add/`, { custom_object_type: String(type), name, type: kind, ...options })
    expect([added.status, [...readForm(added.text).errors]]).toEqual([303, []])
    const { json } = await api.ask('GET', `/api${fields}?name=${name}`)
    const [field] = json.results ?? []
    expect(field?.on_delete_behavior).toMatchObject({ value: behavior })
    const edited = await send(`${fields}${field?.id}/edit/`, { description: 'Who signed' })
    expect([edited.status, [...readForm(edited.text).errors]]).toEqual([303, []])
    expect((await api.ask('GET', `/api${fields}${field?.id}/`)).json).toMatchObject({
      description: 'Who signed',
      on_delete_behavior: field?.on_delete_behavior,
    })
  })
})

it('offers only the objects that the filter of a field finds', async () => {
  await api.make('dcim/sites', { name: 'Boston', slug: 'boston', status: 'planned' })
  const related = { related_object_type: 'dcim.site', related_object_filter: { status: ['planned'] } }
  await api.make('extras/custom-fields', { ...related, name: 'near', type: 'object', object_types: ['dcim.rack'] })
  const type = await createdId(api, 'plugins/custom-objects/custom-object-types', { name: 'visit', slug: 'visits' })
  for (const [name, kind] of Object.entries({ to: 'object', over: 'multiobject' })) {
    const field = { ...related, custom_object_type: type, name, type: kind }
    await api.make('plugins/custom-objects/custom-object-type-fields', field)
  }
  for (const [path, names] of [
    ['/dcim/racks/add/', ['custom_fields.near']],
    ['/plugins/custom-objects/visits/add/', ['to', 'over']],
  ] as const) {
    const { text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
    const { options } = readForm(text)
    for (const name of names) {
      expect(
        [...(options.get(name)?.values() ?? [])].filter((label) => label !== '—'),
        name,
      ).toEqual(['Boston'])
    }
  }
})
