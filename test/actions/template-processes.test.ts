import { describe, expect, it } from 'vitest'
import { keepTemplatesReady } from '../../src/automation/templates/keep-ready.ts'
import { apiOfTest } from '../support/api.ts'

describe('processes that render templates', () => {
  const text = 'Open {{ object.name }}'
  const link = { object_types: ['dcim.site'], link_text: text, link_url: '/' }
  it.each([
    ['export-templates', { object_types: ['dcim.site'], template_code: 'x' }],
    ['config-templates', { template_code: 'x' }],
    ['webhooks', { payload_url: 'https://example.com/{{ data.name }}' }],
    ['webhooks', { payload_url: 'https://example.com/', body_template: text }],
    ['custom-links', link],
  ])('one process is ready as long as an object with a template exists: %s %j', async (path, body) => {
    const api = await apiOfTest()
    const requested: boolean[] = []
    const { promise: removed, resolve } = Promise.withResolvers<void>()
    await keepTemplatesReady(api.service, {
      keepWarm: (isKeptWarm) => {
        if (requested.at(-1) !== isKeptWarm) requested.push(isKeptWarm)
        if (requested.length === 3) resolve()
      },
    })
    const literal = { name: 'literal', payload_url: 'https://example.com/' }
    await api.ask('POST', '/api/extras/webhooks/', { body: literal })
    await api.ask('POST', '/api/extras/custom-links/', {
      body: { name: 'off', enabled: false, ...link },
    })
    const made = await api.ask('POST', `/api/extras/${path}/`, { body: { name: 't', ...body } })
    expect(made.json.id, made.text).toEqual(expect.any(Number))
    await api.ask('GET', '/api/dcim/sites/')
    await api.ask('DELETE', `/api/extras/${path}/${made.json.id}/`)
    await removed
    expect(requested).toEqual([false, true, false])
  })
})
