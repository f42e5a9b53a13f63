import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const CASES: readonly {
  readonly name: string
  readonly object_types: readonly string[]
  readonly constraints: unknown
  /** The sentences, in the order of the types. */
  readonly sentences: readonly string[]
}[] = [
  {
    name: 'a field that one of the types does not have',
    object_types: ['dcim.device', 'dcim.rack', 'dcim.site'],
    constraints: { site__name: 'Akron' },
    sentences: ['Sites have no field site.'],
  },
  {
    name: 'a field that none of them has',
    object_types: ['dcim.rack', 'dcim.site'],
    constraints: [{ nosuch: 1 }],
    sentences: ['Racks have no field nosuch.', 'Sites have no field nosuch.'],
  },
  {
    name: 'a field behind a relation',
    object_types: ['dcim.site'],
    constraints: { region__nosuch: 1 },
    sentences: ['Regions have no field nosuch.'],
  },
  {
    name: 'a value of another type',
    object_types: ['dcim.site'],
    constraints: { id: 'x' },
    sentences: ['Sites: id cannot be compared with "x".'],
  },
  {
    name: 'an unknown lookup',
    object_types: ['dcim.site'],
    constraints: { name__sounds: 'x' },
    sentences: ["Sites: Unsupported lookup 'sounds' in name__sounds."],
  },
]

const ADD = '/users/permissions/add/'

/** Sends the form at the address with these values, and reads the form that comes back. */
async function send(path: string, changes: Readonly<Record<string, readonly string[]>>) {
  const { values } = readForm(await readPage(api, path))
  const body = formData(new Map([...values, ...Object.entries(changes)]))
  const { status, text } = await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
  return { status, error: readForm(text).errors.get('constraints') }
}

describe.each(CASES)('a permission whose constraints have $name', ({ name, object_types, constraints, sentences }) => {
  const entered = { name: [name], object_types, actions: ['view'], constraints: [JSON.stringify(constraints)] }

  it('is refused by the form of a new one, with the reason at the field', async () => {
    expect(await send(ADD, entered)).toEqual({ status: 400, error: sentences.join(' ') })
    const { json } = await api.ask('GET', `/api/users/permissions/?name=${encodeURIComponent(name)}`)
    expect(json.count).toBe(0)
  })

  it('is stored by the API, and its page warns; the rest of it can be edited', async () => {
    const id = await createdId(api, 'users/permissions', { name, object_types, actions: ['view'], constraints })
    const page = await readPage(api, `/users/permissions/${id}/`)
    const warning = /<div class="notice warn">.*?<ul>(.*?)<\/ul>/s.exec(page)?.[1]
    expect(warning).toBe(sentences.map((sentence) => `<li>${escaped(sentence)}</li>`).join(''))
    const edit = `/users/permissions/${id}/edit/`
    expect((await send(edit, { description: ['Of somebody else'] })).status).toBe(303)
    expect((await send(edit, { object_types: [...object_types, 'dcim.location'] })).error).toContain(sentences[0])
  })
})

it('a permission whose constraints fit all of its types is saved without a warning', async () => {
  const entered = { name: ['fits'], object_types: ['dcim.rack', 'dcim.device'], actions: ['view'] }
  expect((await send(ADD, { ...entered, constraints: ['{"site__name": "Akron"}'] })).status).toBe(303)
  const { json } = await api.ask('GET', '/api/users/permissions/?name=fits')
  expect(await readPage(api, `/users/permissions/${json.results?.[0]?.id}/`)).not.toContain('notice warn')
})

const escaped = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;')
