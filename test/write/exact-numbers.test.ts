import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Numbers that a floating-point number cannot represent, or that JavaScript writes differently. */
const NUMBERS = [
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890',
  '1.0',
  '-2.50',
  '0.1234567890123456789',
  '12345678901234567.25',
]

const JSON_BODY = { 'content-type': 'application/json' }

describe('numbers', () => {
  let api: Api
  let site: number
  let device: number

  const send = async (method: string, path: string, body: string) => {
    const answer = await api.ask(method, path, { body, headers: JSON_BODY })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer
  }
  const create = async (path: string, body: object) =>
    Number((await send('POST', `/api/${path}/`, JSON.stringify(body))).json.id)
  const textAt = async (path: string) => (await api.ask('GET', path)).text

  beforeAll(async () => {
    api = await startApi()
    const object_types = ['dcim.site', 'dcim.device']
    await create('extras/custom-fields', { name: 'doc', type: 'json', object_types })
    await create('extras/custom-fields', { name: 'whole', type: 'integer', object_types })
    await create('extras/custom-fields', { name: 'part', type: 'decimal', object_types })
    site = await create('dcim/sites', { name: 'S', slug: 's' })
    const manufacturer = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
    const device_type = await create('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const role = await create('dcim/device-roles', { name: 'R', slug: 'r' })
    device = await create('dcim/devices', { name: 'D', site, role, device_type })
  })
  afterAll(() => api.close())

  describe.each(NUMBERS)('%s stays as it is', (number) => {
    test('in a custom field, its change record, GraphQL and exports', async () => {
      const value = `{"n":[${number}]}`
      const path = `/api/dcim/sites/${site}/`
      const { text } = await send('PATCH', path, `{"custom_fields":{"doc":${value}}}`)
      expect(text).toContain(value)
      expect(await textAt(path)).toContain(value)
      await send('PATCH', path, `{"description":"${number}"}`)
      expect(await textAt(path)).toContain(`"doc":${value}`)
      const changes = await textAt('/api/core/object-changes/?changed_object_type=dcim.site&limit=1')
      expect(changes.split(`"doc":${value}`)).toHaveLength(3)
      const query = JSON.stringify({ query: '{ site_list { custom_fields } }' })
      const graph = await send('POST', '/graphql/', query)
      expect(graph.text).toContain(`"doc":${value}`)
      expect(await textAt('/dcim/sites/?export=json')).toContain(`"doc":${value}`)
      expect(await textAt('/dcim/sites/?export=yaml')).toMatch(new RegExp(`- ${number}\\n`))
      expect(await textAt('/dcim/sites/?export')).toContain(number)
    })

    test('in a custom field of numbers, set for an object in a list', async () => {
      const name = number.includes('.') ? 'part' : 'whole'
      const body = `[{"id":${site},"custom_fields":{"${name}":${number}}}]`
      const { text } = await send('PATCH', '/api/dcim/sites/', body)
      expect(text).toContain(`"${name}":${number}`)
      const found = await api.ask('GET', `/api/dcim/sites/?cf_${name}=${number}`)
      expect(found.json.count).toBe(1)
    })

    test('in config contexts, local data and a rendered configuration', async () => {
      const context = `c${number}`
      await send(
        'POST',
        '/api/extras/config-contexts/',
        `{"name":"${context}","weight":1,"data":{"a":{"n":${number}}}}`,
      )
      const { text } = await send(
        'PATCH',
        `/api/dcim/devices/${device}/`,
        `{"local_context_data":{"a":{"own":${number}}}}`,
      )
      expect(text).toContain(`"config_context":{"a":{"n":${number},"own":${number}}}`)
      const list = await api.ask('GET', '/api/extras/config-contexts/?limit=1')
      await api.ask('DELETE', `/api/extras/config-contexts/${list.json.results?.[0]?.id}/`)
    })

    test('in a document that is applied, and a second time without changes', async () => {
      const body = `{"objects":{"dcim.site":[{"name":"S","slug":"s","custom_fields":{"doc":{"m":${number}}}}]}}`
      await send('POST', '/api/apply/', body)
      expect(await textAt(`/api/dcim/sites/${site}/`)).toContain(`"doc":{"m":${number}}`)
      expect((await send('POST', '/api/apply/', body)).json.unchanged).toBe(1)
    })

    test('in an import', async () => {
      const slug = `i${number.replaceAll(/\D/g, '-')}`
      const data = `[{"name":"${slug}","slug":"${slug}","status":"active","cf_doc":{"i":${number}}}]`
      const body = new FormData()
      body.set('data', data)
      body.set('format', 'json')
      const answer = await api.ask('POST', '/dcim/sites/import/', { body })
      expect(answer.status, answer.text).toBeLessThan(400)
      expect(await textAt(`/api/dcim/sites/?slug=${slug}`)).toContain(`"doc":{"i":${number}}`)
    })
  })

  test('in a configuration that a template renders', async () => {
    const numbers = ['9007199254740993', '123456789012345678901234567890', '1.0']
    const template = await create('extras/config-templates', {
      name: 'numbers',
      template_code: '{{ numbers | join(" ") }} {{ sent | join(" ") }}',
    })
    const context = `{"numbers":[${numbers}]}`
    await send('PATCH', `/api/dcim/devices/${device}/`, `{"local_context_data":${context}}`)
    const body = `{"config_template_id":${template},"sent":[${numbers}]}`
    const { json } = await send('POST', `/api/dcim/devices/${device}/render-config/`, body)
    expect(json.content).toBe([...numbers, ...numbers].join(' '))
  })

  test('in the form of an object, without a change', async () => {
    const path = `/api/dcim/sites/${site}/`
    const fields = '{"doc":{"n":[9007199254740993,1.0]},"whole":9007199254740993,"part":1.50}'
    await send('PATCH', path, `{"custom_fields":${fields}}`)
    const page = await textAt(`/dcim/sites/${site}/edit/`)
    expect(page).toContain('value="9007199254740993"')
    expect(page.replaceAll(/\s/g, '')).toContain('[9007199254740993,1.0]')
  })

  test.each(['1e400000', '1e-400', '1'.repeat(2_000), `0.${'1'.repeat(20_000)}`])(
    'a number that cannot be stored exactly is refused: %.20s',
    async (number) => {
      for (const [path, body] of [
        [`/api/dcim/sites/${site}/`, `{"custom_fields":{"doc":{"n":${number}}}}`],
        [`/api/dcim/sites/${site}/`, `{"custom_fields":{"part":${number}}}`],
        [`/api/dcim/devices/${device}/`, `{"local_context_data":{"n":${number}}}`],
      ] as const) {
        const { status, text } = await api.ask('PATCH', path, { body, headers: JSON_BODY })
        expect([status, text]).toEqual([400, expect.stringContaining('too long or out of range')])
      }
    },
  )

  test('a field that is not a JSON document reads a number as before', async () => {
    const body = `{"latitude":52.50,"asns":[],"name":1.0,"region":null}`
    const { json } = await send('PATCH', `/api/dcim/sites/${site}/`, body)
    expect(json).toMatchObject({ latitude: 52.5, name: '1.0' })
  })
})
