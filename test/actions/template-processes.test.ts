import { expect, it } from 'vitest'
import { keepTemplatesReady } from '../../src/templates/keep-ready.ts'
import { apiOfTest } from '../support/api.ts'
import { forEachStorage } from '../support/database.ts'

forEachStorage('processes that render templates', (open) => {
  it('one is ready from the first template to the last', async () => {
    const api = await apiOfTest(open)
    const requested: boolean[] = []
    const { promise: removed, resolve } = Promise.withResolvers<void>()
    await keepTemplatesReady(api.service, {
      keepWarm: (isKeptWarm) => {
        if (requested.at(-1) !== isKeptWarm) requested.push(isKeptWarm)
        if (requested.length === 3) resolve()
      },
    })
    const body = { name: 't', object_types: ['dcim.site'], template_code: 'x' }
    const { json, text } = await api.ask('POST', '/api/extras/export-templates/', { body })
    expect(json.id, text).toEqual(expect.any(Number))
    await api.ask('GET', '/api/dcim/sites/')
    await api.ask('DELETE', `/api/extras/export-templates/${json.id}/`)
    await removed
    expect(requested).toEqual([false, true, false])
  })
})
