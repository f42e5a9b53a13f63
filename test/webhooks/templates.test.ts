import { describe, expect, it } from 'vitest'
import { receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

const PATH = '/api/extras/webhooks/'
const url = 'https://example.com/'

describe('templates of webhooks', () => {
  it('are compiled when they are saved, one by one and together', async () => {
    const { api } = await sceneOfTest()
    const valid = { name: 'valid', payload_url: `${url}{{ data.id }}`, body_template: '{# x #}' }
    const made = await api.ask('POST', PATH, { body: valid })
    expect(made.status, made.text).toBe(201)
    const broken = [
      { payload_url: `${url}{{ broken` },
      { payload_url: url, additional_headers: 'X-Name: {% if x %}' },
      { payload_url: url, body_template: '{{ data.name | no_such_filter }}' },
    ]
    for (const fields of broken) {
      const [name = ''] = Object.keys(fields).slice(-1)
      const refusal = { [name]: [expect.stringContaining('This template is invalid')] }
      const created = await api.ask('POST', PATH, { body: { name: 'x', ...fields } })
      expect([created.status, created.json]).toEqual([400, refusal])
      const path = `${PATH}${made.json.id}/`
      const changed = await api.ask('PATCH', path, { body: fields })
      expect([changed.status, changed.json]).toEqual([400, refusal])
      const bulk = await api.ask('PATCH', PATH, { body: [{ id: made.json.id, ...fields }] })
      expect(bulk.status, bulk.text).toBe(400)
    }
    const all = broken.map((fields, index) => ({ name: `x${index}`, ...fields }))
    expect((await api.ask('POST', PATH, { body: [...all, valid] })).status).toBe(400)
    expect((await api.ask('GET', PATH)).json).toMatchObject({ count: 1, results: [valid] })
  })

  it('do not let values start another header, and read the variables that the setting names', async () => {
    process.env.TEST_HOOK_TOKEN = 'token-7'
    process.env.TEST_HOOKS = 'not to be read'
    const scene = await sceneOfTest({
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      JINJA_ENVIRONMENT_PARAMS: 'TEST_HOOK_*',
    })
    const receiver = await receiverOfTest()
    await scene.addWebhook({
      payload_url: receiver.url,
      additional_headers: [
        'X-Comments: {{ data.comments | header_safe }}',
        "X-Token: {{ 'TEST_HOOK_TOKEN' | env }}",
        "X-Others: {{ 'TEST_HOOKS' | env }} {{ 'PATH' | env }} {{ 'TEST_HOOK_NONE' | env }}",
      ].join('\n'),
    })
    await scene.api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'ams1', slug: 'ams1', comments: 'one\r\nX-Evil: \u0007 1' },
    })
    await scene.settle()
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-comments': 'oneX-Evil:  1',
      'x-token': 'token-7',
      'x-others': 'None None None',
    })
  })
})
