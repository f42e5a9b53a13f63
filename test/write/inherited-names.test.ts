import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'

/** Names that every object of JavaScript inherits are names like any other. */
const NAMES = ['constructor', 'toString', '__proto__', '__defineGetter__']

describe('a name that all JavaScript objects inherit', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  describe.each(NAMES)('%s', (name) => {
    it('is refused as an object type of a document', async () => {
      const body = `{"objects": {"${name}": []}}`
      const headers = { 'content-type': 'application/json' }
      const answer = await api.ask('POST', '/api/apply/', { body, headers })
      expect([answer.status, answer.text]).toEqual([
        400,
        `{"objects":{"${name}":["There is no such object type, or it cannot be written."]}}`,
      ])
    })

    it('is refused as a custom field that does not exist', async () => {
      const body = `{"name": "x", "slug": "x", "custom_fields": {"${name}": 1}}`
      const headers = { 'content-type': 'application/json' }
      const answer = await api.ask('POST', '/api/dcim/sites/', { body, headers })
      expect([answer.status, answer.text]).toEqual([
        400,
        `{"custom_fields":{"${name}":["There is no custom field ${name} for this type of object."]}}`,
      ])
    })

    it('is ignored as a filter and as an order, like any unknown name', async () => {
      const { status } = await api.ask('GET', `/api/dcim/sites/?${name}=1&ordering=${name}`)
      expect(status).toBe(200)
    })
  })

  it('can be used for a custom field', async () => {
    const id = await createdId(api, 'dcim/sites', { name: 'One', slug: 'one' })
    await createdId(api, 'extras/custom-fields', {
      ...{ name: 'constructor', type: 'text', object_types: ['dcim.site'] },
    })
    const path = `/api/dcim/sites/${id}/`
    const shown = async () => (await api.ask('GET', path)).json.custom_fields
    const changed = async (body: object) => (await api.ask('PATCH', path, { body })).status
    expect(await shown()).toEqual({ constructor: null })
    expect(await changed({ description: 'changed' })).toBe(200)
    expect(await shown()).toEqual({ constructor: null })
    const { json } = await api.ask('POST', '/graphql/', {
      body: { query: '{ site_list { custom_fields } }' },
    })
    expect(json.data).toEqual({ site_list: [{ custom_fields: { constructor: null } }] })
    expect(await changed({ custom_fields: { constructor: 'Eiffel' } })).toBe(200)
    expect(await shown()).toEqual({ constructor: 'Eiffel' })
  })
})
